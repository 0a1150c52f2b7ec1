package file

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"labctl/internal/suggest"
	"labctl/topology"
)

// entry is one key of a map, with its value and its path.
type entry struct {
	key  string
	path string
	name *yaml.Node
	of   *yaml.Node
}

// entries lists the keys of a map in the order of the file, each once.
func (r *reader) entries(n *yaml.Node, path string) ([]entry, error) {
	if n.Kind != yaml.MappingNode {
		return nil, r.fail(n, path, "%s stands where keys are needed: write %s", what(n), strings.TrimPrefix(last(path)+": {KEY: VALUE}", ": "))
	}
	out := make([]entry, 0, len(n.Content)/2)
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Kind != yaml.ScalarNode || k.Tag == "!!null" {
			return nil, r.fail(k, path, "%s cannot be a key: write a word", what(k))
		}
		if line, twice := seen[k.Value]; twice {
			return nil, r.fail(k, join(path, k.Value), "the key stands twice, also on line %d: keep one", line)
		}
		seen[k.Value] = k.Line
		out = append(out, entry{k.Value, join(path, k.Value), k, n.Content[i+1]})
	}
	return out, nil
}

// keys lists the keys of a map that may have only these, and marks each.
func (r *reader) keys(n *yaml.Node, path string, known ...string) ([]entry, error) {
	all, err := r.entries(n, path)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if !slices.Contains(known, e.key) {
			return nil, r.unknown(e, path, known)
		}
		r.mark(e.path, e.path, e.name)
	}
	return all, nil
}

func (r *reader) unknown(e entry, path string, known []string) error {
	hint := suggest.DidYouMean(e.key, known)
	if (e.key == "attempts" || e.key == "retries") && slices.Contains(known, "retry") {
		hint = ": it belongs to a retry: write retry: {" + e.key + ": 3}"
	}
	if e.key == "policies" && slices.Contains(known, "services") {
		hint = ": a lab has them at its calls, and a file of policies alone is for --policy, as in labctl run jitter-herd --policy FILE"
	}
	if hint == "" {
		hint = ": there are " + strings.Join(known, ", ")
	}
	return r.fail(e.name, path, "no key %q%s", e.key, hint)
}

// mark remembers where a path stands, and what comments beside it hold on to.
func (r *reader) mark(path, at string, n *yaml.Node) {
	p := position{n.Line, n.Column}
	if _, known := r.where[path]; !known {
		r.where[path] = p
	}
	r.marks = append(r.marks, mark{p, at})
}

// items lists the items of a list.
func (r *reader) items(n *yaml.Node, path, cure string) ([]*yaml.Node, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, r.fail(n, path, "%s stands where a list is needed: %s", what(n), cure)
	}
	return n.Content, nil
}

// value is a single value as text.
func (r *reader) value(n *yaml.Node, path string) (string, error) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", r.fail(n, path, "%s stands where one value is needed", what(n))
	case n.Tag == "!!null":
		return "", r.fail(n, path, "there is no value: say one, or leave the key out")
	}
	return n.Value, nil
}

// values is a value as text, or a list of them with commas between.
func (r *reader) values(n *yaml.Node, path string) (string, error) {
	if n.Kind != yaml.SequenceNode {
		return r.value(n, path)
	}
	words := make([]string, len(n.Content))
	for i, item := range n.Content {
		word, err := r.value(item, path)
		if err != nil {
			return "", err
		}
		words[i] = word
	}
	return strings.Join(words, ","), nil
}

// set sets a field of a part to what an entry says.
func (r *reader) set(p topology.Part, fields []topology.Field, e entry) error {
	i := slices.IndexFunc(fields, func(f topology.Field) bool { return f.Name == e.key })
	return r.setAs(p, fields[i], e)
}

func (r *reader) setAs(p topology.Part, f topology.Field, e entry) error {
	read := r.value
	if f.Shape.Many {
		read = r.values
	}
	text, err := read(e.of, e.path)
	if err != nil {
		return err
	}
	if err := p.Set(f.Name, text); err != nil {
		return r.fail(e.of, e.path, "%v", err)
	}
	return nil
}

// part sets a part's fields to what a map says.
func (r *reader) part(p topology.Part, n *yaml.Node, path string) error {
	fields := p.Fields()
	all, err := r.keys(n, path, names(fields)...)
	if err != nil {
		return err
	}
	for _, e := range all {
		if err := r.set(p, fields, e); err != nil {
			return err
		}
	}
	return nil
}

// names lists the names that fields have in a map.
func names(fields []topology.Field) []string {
	out := make([]string, 0, len(fields)+4)
	for _, f := range fields {
		if f.Name != "" && !strings.Contains(f.Name, ".") {
			out = append(out, f.Name)
		}
	}
	return out
}

// goodName refuses names that could not stand in a path.
func (r *reader) goodName(n *yaml.Node, path, name string) error {
	if name == "" || len(name) > topology.MaxNameBytes || strings.ContainsFunc(name, notInNames) {
		return r.fail(n, path, "the name %q must be 1 to %d letters, digits, - or _", name, topology.MaxNameBytes)
	}
	return nil
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

func notInNames(c rune) bool { return !strings.ContainsRune(letters, c) }

// what names a node in an error.
func what(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a map"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "no value"
	}
	return "the value " + strconv.Quote(n.Value)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// last is the last key of a path.
func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
