package bound

import (
	"strings"

	"labctl/topology"
)

// services takes, for each service, the route that hits it most and the longest
// time of any.
func (l *lab) services() []Service {
	out := make([]Service, len(l.t.Services))
	ways := l.ways()
	for i := range out {
		worst := 0
		for k := range l.views {
			if l.views[k].hits[i] > l.views[worst].hits[i] {
				worst = k
			}
			out[i].Time = out[i].Time.then(l.views[k].served[i], true)
		}
		out[i].Name, out[i].Ways, out[i].Hits = l.t.Services[i].Name, ways[i], l.views[worst].hits[i]
	}
	trees := make([]tree, len(l.views))
	for k := range l.views {
		trees[k] = l.views[k].worstWays()
	}
	for i := range out {
		worst := 0
		for k := range l.views {
			if trees[k].product[i] > trees[worst].product[i] {
				worst = k
			}
		}
		out[i].Product, out[i].Layers = trees[worst].product[i], l.views[worst].layers(trees[worst], i)
	}
	return out
}

// ways counts those from the client to each service.
func (l *lab) ways() []int64 {
	ways := make([]int64, len(l.t.Services))
	ways[0] = 1
	for _, e := range l.edges {
		ways[e.To] = add(ways[e.To], ways[e.From])
	}
	return ways
}

// calls takes the worst of all routes.
func (l *lab) calls() []Call {
	out := make([]Call, len(l.edges))
	for i, e := range l.edges {
		out[i] = Call{Path: l.pathOf(i), From: l.t.Services[e.From].Name, To: e.Call.To}
		for k := range l.views {
			v := &l.views[k]
			out[i].Attempts = max(out[i].Attempts, v.attempts[i])
			out[i].Time = out[i].Time.then(v.total[i], true)
			out[i].Article = max(out[i].Article, v.article(i))
		}
	}
	return out
}

// tree is the worst way to each service: the one on which the attempts multiply to
// the most, and of several the one with the fewest layers that multiply.
type tree struct {
	last    []int // edge by which the way arrives; −1: the client
	product []int64
	layers  []int // on the way that multiply
}

func (v *view) worstWays() tree {
	n := len(v.t.Services)
	t := tree{make([]int, n), make([]int64, n), make([]int, n)}
	t.last[0], t.product[0] = -1, 1
	for i, e := range v.edges { // all edges into a service stand before those out of it
		product, layers := topology.SatMul(t.product[e.From], v.attempts[i]), t.layers[e.From]
		if v.attempts[i] > 1 {
			layers++
		}
		if product > t.product[e.To] || product == t.product[e.To] && layers < t.layers[e.To] {
			t.last[e.To], t.product[e.To], t.layers[e.To] = i, product, layers
		}
	}
	return t
}

// layers lists those that multiply on the worst way to a service.
func (v *view) layers(t tree, service int) []Layer {
	out := make([]Layer, t.layers[service])
	for n := len(out); n > 0; service = v.edges[t.last[service]].From {
		i := t.last[service]
		if v.attempts[i] > 1 {
			n--
			out[n] = Layer{v.t.Services[v.edges[i].From].Name, v.multiplier(i), v.attempts[i]}
		}
	}
	return out
}

// multiplier is the path of the innermost policy of a call that makes attempts. It
// is asked for each service below, so it is remembered.
func (v *view) multiplier(edge int) string {
	if v.multipliers == nil {
		v.multipliers = make([]string, len(v.edges))
	}
	if v.multipliers[edge] == "" {
		v.multipliers[edge] = v.findMultiplier(edge)
	}
	return v.multipliers[edge]
}

func (v *view) findMultiplier(edge int) string {
	for i := len(v.stacks[edge]) - 1; i >= 0; i-- {
		if v.factors[edge][i] > 1 {
			return v.policyPath(edge, &v.stacks[edge][i])
		}
	}
	return v.pathOf(edge)
}

// policyPath is a policy of a call as a setting names it; nil: the call.
func (l *lab) policyPath(edge int, p *topology.Policy) string {
	if p == nil {
		return l.pathOf(edge)
	}
	return strings.Join([]string{l.pathOf(edge), p.Called()}, ".")
}
