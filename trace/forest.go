package trace

import (
	"bytes"
	"cmp"
	"slices"
)

// forest is spans as the trees that their parents make of them.
type forest struct {
	spans    []Span
	children [][]int32 // by span, in the order of their starts
	roots    []root
	traces   int64

	duplicates, orphans, loops int64
}

// root is where a tree begins: at a span or, where the parent of some spans is not
// there, above these.
type root struct {
	span     int32 // none: the parent is missing
	children []int32
}

const none = int32(-1)

// spanKey finds a span. Tracers in the manner of Zipkin give both sides of a call one
// id, so the side belongs to it.
type spanKey struct {
	trace  TraceID
	id     SpanID
	server bool
}

func (s *Span) key() spanKey { return spanKey{s.Trace, s.ID, s.Kind == Server} }

// grow puts spans under their parents. One that is there twice counts once.
func grow(spans []Span) *forest {
	f := &forest{spans: slices.Clone(spans)}
	slices.SortStableFunc(f.spans, func(a, b Span) int {
		return cmp.Or(bytes.Compare(a.Trace[:], b.Trace[:]), cmp.Compare(a.Start, b.Start), bytes.Compare(a.ID[:], b.ID[:]), cmp.Compare(a.Kind, b.Kind))
	})
	places := make(map[spanKey]int32, len(spans))
	f.spans = slices.DeleteFunc(f.spans, func(s Span) bool {
		_, twice := places[s.key()]
		if twice {
			f.duplicates++
		} else {
			places[s.key()] = int32(len(places))
		}
		return twice
	})
	f.children = make([][]int32, len(f.spans))
	missing := map[spanKey]int{} // place among the roots
	for i := range f.spans {
		s := &f.spans[i]
		if i == 0 || s.Trace != f.spans[i-1].Trace {
			f.traces++
		}
		switch parent, named := f.parent(s, places); {
		case parent != none:
			f.children[parent] = append(f.children[parent], int32(i))
		case !named:
			f.roots = append(f.roots, root{span: int32(i)})
		default:
			f.orphan(int32(i), missing)
		}
	}
	f.loops = int64(len(f.spans) - f.reached())
	return f
}

// parent finds the parent of a span, and says whether it names one.
func (f *forest) parent(s *Span, places map[spanKey]int32) (parent int32, named bool) {
	if s.Kind == Server {
		if other, is := places[spanKey{s.Trace, s.ID, false}]; is && f.spans[other].Kind == Client {
			return other, true
		}
	}
	if s.Parent == (SpanID{}) {
		return none, false
	}
	for _, server := range []bool{true, false} {
		if p, is := places[spanKey{s.Trace, s.Parent, server}]; is {
			return p, true
		}
	}
	return none, true
}

// orphan puts a span whose parent is missing beside the others of that parent: they
// may be attempts of one call.
func (f *forest) orphan(i int32, missing map[spanKey]int) {
	s := &f.spans[i]
	f.orphans++
	key := spanKey{trace: s.Trace, id: s.Parent}
	at, known := missing[key]
	if !known {
		at = len(f.roots)
		missing[key] = at
		f.roots = append(f.roots, root{span: none})
	}
	f.roots[at].children = append(f.roots[at].children, i)
}

// reached counts the spans of all trees. The others are parents of each other.
func (f *forest) reached() (n int) {
	var next []int32
	for _, r := range f.roots {
		if next = append(next, r.children...); r.span != none {
			next = append(next, r.span)
		}
	}
	for ; len(next) > 0; n++ {
		i := next[len(next)-1]
		next = append(next[:len(next)-1], f.children[i]...)
	}
	return n
}
