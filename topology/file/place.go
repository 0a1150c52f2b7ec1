package file

// place says for each node of a canonical file where it is, in the words in which
// the reader marks the nodes of any file: by path, and where a path does not tell
// two nodes apart with a word behind a slash. An entry of a stack is at the path of
// its policy, and so are the policy's settings.
func (n *node) place(at string) {
	n.at = at
	for i, k := range n.kids {
		switch {
		case n.kind == aMap && k.key == "policies":
			k.at = join(at, k.key)
			for _, entry := range k.kids {
				entry.placeEntry(join(at, entry.key))
			}
		case n.kind == aList && n.key == "others":
			k.place(at + "/" + itoa(i))
		default:
			k.place(join(at, k.key))
		}
	}
}

func (n *node) placeEntry(at string) {
	n.at = at
	for _, k := range n.kids {
		k.place(at)
		k.at = at + "/" + k.key
	}
}

// index finds nodes by their place. Values in a list have none.
func (n *node) index(in map[string]*node) {
	if _, known := in[n.at]; !known {
		in[n.at] = n
	}
	for _, k := range n.kids {
		if n.kind == aMap || k.kind == aMap {
			k.index(in)
		}
	}
}
