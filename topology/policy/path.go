package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// Path is the way from a client down to one attempt: which request of which
// client, and which attempt on every edge. Live services hand it on in a header
// so that each can work out its luck, and the tail can tell first attempts from
// retries and draw the tree of a request:
//
//	17.0/client>a#1/a>b#3
type Path struct {
	Client, Request uint64
	Hops            []Hop
}

// Hop is one attempt on one edge.
type Hop struct {
	From, To string
	Attempt  int
}

// RootPath is the text of a path without hops.
func RootPath(client, request uint64) string {
	b := make([]byte, 0, 24)
	b = strconv.AppendUint(b, client, 10)
	b = append(b, '.')
	b = strconv.AppendUint(b, request, 10)
	return string(b)
}

// ExtendPath appends a hop to the text of a path.
func ExtendPath(path, from, to string, attempt int) string {
	b := make([]byte, 0, len(path)+len(from)+len(to)+8)
	b = append(b, path...)
	b = append(b, '/')
	b = append(b, from...)
	b = append(b, '>')
	b = append(b, to...)
	b = append(b, '#')
	b = strconv.AppendInt(b, int64(attempt), 10)
	return string(b)
}

// ParsePath reads the text of a path. Anything a foreign client may have put
// into the header gives an error and no panic.
func ParsePath(s string) (Path, error) {
	root, rest, more := strings.Cut(s, "/")
	client, request, ok := strings.Cut(root, ".")
	c, err1 := strconv.ParseUint(client, 10, 64)
	r, err2 := strconv.ParseUint(request, 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return Path{}, fmt.Errorf("path %q does not start with CLIENT.REQUEST", s)
	}
	p := Path{Client: c, Request: r}
	for more {
		var hop string
		hop, rest, more = strings.Cut(rest, "/")
		h, err := parseHop(hop)
		if err != nil {
			return Path{}, err
		}
		p.Hops = append(p.Hops, h)
	}
	return p, nil
}

func parseHop(s string) (Hop, error) {
	edge, number, ok1 := strings.Cut(s, "#")
	from, to, ok2 := strings.Cut(edge, ">")
	n, err := strconv.Atoi(number)
	if !ok1 || !ok2 || from == "" || to == "" || err != nil || n < 1 {
		return Hop{}, fmt.Errorf("hop %q is not FROM>TO#ATTEMPT", s)
	}
	return Hop{From: from, To: to, Attempt: n}, nil
}

// IsFirst reports whether every layer above made its first attempt.
func (p Path) IsFirst() bool {
	for _, h := range p.Hops {
		if h.Attempt != 1 {
			return false
		}
	}
	return true
}

// Luck is the luck of the last hop of the path.
func (p Path) Luck(seed uint64) Luck {
	l := RootLuck(seed, p.Client, p.Request)
	for _, h := range p.Hops {
		l = l.Attempt(NewEdgeID(h.From, h.To), h.Attempt)
	}
	return l
}
