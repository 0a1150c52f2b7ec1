package live

import (
	"strconv"
	"strings"

	"labctl/topology/policy"
)

// trail is what a service reads off the text of a policy.Path: in one pass and
// without memory, since every hit is asked.
type trail struct {
	luck  policy.Luck // of the last attempt on the path
	first bool        // every layer above made its first attempt
	from  string      // who made that attempt; empty: the path has none
}

// follow reads the text of a path. What policy.ParsePath refuses is not ok here.
func follow(path string, seed uint64) (t trail, ok bool) {
	id, rest, more := strings.Cut(path, "/")
	client, request, dotted := strings.Cut(id, ".")
	c, err1 := strconv.ParseUint(client, 10, 64)
	r, err2 := strconv.ParseUint(request, 10, 64)
	if !dotted || err1 != nil || err2 != nil {
		return trail{}, false
	}
	t = trail{luck: policy.RootLuck(seed, c, r), first: true}
	for more {
		var hop string
		hop, rest, more = strings.Cut(rest, "/")
		edge, number, ok1 := strings.Cut(hop, "#")
		from, to, ok2 := strings.Cut(edge, ">")
		n, err := strconv.Atoi(number)
		if !ok1 || !ok2 || from == "" || to == "" || err != nil || n < 1 {
			return trail{}, false
		}
		t.luck = t.luck.Attempt(policy.NewEdgeID(from, to), n)
		t.first = t.first && n == 1
		t.from = from
	}
	return t, true
}

// root is the part of a path that names the logical request.
func root(path string) string {
	id, _, _ := strings.Cut(path, "/")
	return id
}

// way is a path without the numbers of attempts: all attempts of a request that came
// by the same calls have the same.
func way(path string) string {
	b := make([]byte, 0, len(path))
	for part := range strings.SplitSeq(path, "/") {
		edge, _, _ := strings.Cut(part, "#")
		b = append(append(b, edge...), '/')
	}
	return string(b)
}

// clientOf is the number of the client at the root of a path, and whether the path
// is that of its first request.
func clientOf(path string) (client int, first bool) {
	id, number, _ := strings.Cut(root(path), ".")
	n, err := strconv.Atoi(id)
	return n, err == nil && number == "0"
}
