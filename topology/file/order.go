package file

import (
	"container/heap"
	"slices"
	"sort"
	"strings"

	"labctl/internal/suggest"
	"labctl/topology"
)

// inOrder sorts services into calling order: each after all that call it, and
// otherwise as in the file, so that a file in calling order stays as it is.
func (r *reader) inOrder(e entry, services []topology.Service, targets map[*topology.Service][]target) ([]topology.Service, error) {
	place := make(map[string]int, len(services))
	for i, s := range services {
		place[s.Name] = i
	}
	if _, ok := place[topology.ClientName]; !ok {
		return nil, r.fail(e.name, e.path, "there is no %s, who makes the requests: add one that calls the first service", topology.ClientName)
	}
	callers := make([]int, len(services)) // that stand not yet
	for i := range services {
		for _, t := range targets[&services[i]] {
			j, ok := place[t.to]
			if !ok {
				return nil, r.fail(t.name, join(e.path, services[i].Name)+".calls", "there is no service %q%s", t.to, r.orAdd(t.to, services))
			}
			callers[j]++
		}
	}
	for i, n := range callers {
		if n == 0 && services[i].Name != topology.ClientName {
			return nil, r.at(join(e.path, services[i].Name), "nobody calls it: let a service call it, or leave it out")
		}
	}
	order := calling(services, place, callers)
	if len(order) < len(services) {
		round := cycle(services, place, callers)
		return nil, r.at(join(e.path, services[round[0]].Name)+".calls."+services[round[1]].Name,
			"a request could go round for ever: %s: take one of these calls out", namesOf(services, round))
	}
	out := make([]topology.Service, len(order))
	for i, n := range order {
		out[i] = services[n]
	}
	return out, nil
}

func (r *reader) orAdd(name string, services []topology.Service) string {
	known := make([]string, len(services))
	for i, s := range services {
		known[i] = s.Name
	}
	if hint := suggest.DidYouMean(name, known); hint != "" {
		return hint
	}
	return ": add it, or call another"
}

// at is an error at a path that was read.
func (r *reader) at(path, format string, args ...any) error {
	lab := Lab{where: r.where}
	line, column := lab.Position(path)
	n := *r.root
	n.Line, n.Column = line, column
	return r.fail(&n, path, format, args...)
}

// calling lists services by place in calling order, as far as there is one.
// Callers counts those in front of each, and is used up.
func calling(services []topology.Service, place map[string]int, callers []int) []int {
	var ready places
	for i, n := range callers {
		if n == 0 {
			ready.IntSlice = append(ready.IntSlice, i) // stays in order, so it is a heap
		}
	}
	var order []int
	for ready.Len() > 0 {
		i := heap.Pop(&ready).(int)
		order = append(order, i)
		for _, c := range services[i].Calls {
			j := place[c.To]
			if callers[j]--; callers[j] == 0 {
				heap.Push(&ready, j)
			}
		}
	}
	return order
}

// cycle finds services that call each other in a round. Each that is left has a
// caller that is left as well, so going up from one must come back.
func cycle(services []topology.Service, place map[string]int, callers []int) []int {
	caller := map[int]int{}
	start := -1
	for i, s := range services {
		if callers[i] == 0 {
			continue
		}
		start = i
		for _, c := range s.Calls {
			if j := place[c.To]; callers[j] > 0 {
				caller[j] = i
			}
		}
	}
	seen := map[int]int{}
	var up []int
	for i := start; ; i = caller[i] {
		if first, again := seen[i]; again {
			up = append(up[first:], i)
			slices.Reverse(up)
			return up
		}
		seen[i] = len(up)
		up = append(up, i)
	}
}

// namesOf is a → b → a, shortened where it is long.
func namesOf(services []topology.Service, round []int) string {
	var names []string
	for _, i := range round {
		names = append(names, services[i].Name)
	}
	if len(names) > 8 {
		names = slices.Concat(names[:4], []string{"…"}, names[len(names)-3:])
	}
	return strings.Join(names, " → ")
}

// places is a heap of places, the first on top.
type places struct{ sort.IntSlice }

func (p *places) Push(x any) { p.IntSlice = append(p.IntSlice, x.(int)) }

func (p *places) Pop() any {
	last := p.IntSlice[len(p.IntSlice)-1]
	p.IntSlice = p.IntSlice[:len(p.IntSlice)-1]
	return last
}
