package bound

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// lab is a topology with what is asked of it again and again.
type lab struct {
	t          *topology.Topology
	edges      []topology.Edge
	into       [][]int // by service: the edges that lead to it
	repeatable bool    // requests are safe to repeat
	rests      restSums
	views      []view
}

// view is the lab as the requests of one route see it. Policies and service times
// may differ by route, so nothing of two routes may be multiplied.
type view struct {
	*lab
	route    string
	stacks   [][]topology.Policy // by edge: the policies that are for the route
	inbound  []deadline          // by service: what comes in with a request at most
	factors  [][]int64           // by edge and policy: the attempts that it makes of one
	attempts []int64             // by edge
	hits     []int64             // by service, of one request of the client
	total    []Time              // by edge: the whole call
	served   []Time              // by service: one request

	multipliers []string // see multiplier
}

func newLab(t *topology.Topology) *lab {
	l := &lab{t: t, edges: t.Edges(), into: make([][]int, len(t.Services)), rests: restSums{}}
	for i, e := range l.edges {
		l.into[e.To] = append(l.into[e.To], i)
	}
	l.repeatable = t.Load.Key || !slices.Contains([]string{http.MethodPost, http.MethodPatch}, t.Load.Method)
	for _, route := range l.routes() {
		l.views = append(l.views, newView(l, route))
	}
	return l
}

// routes lists those that anything tells apart.
func (l *lab) routes() []string {
	routes := l.t.Routes()
	for i := range l.t.Services {
		s := &l.t.Services[i]
		if len(s.Routes) > 0 {
			return routes
		}
		for j := range s.Calls {
			if slices.ContainsFunc(s.Calls[j].Policies, func(p topology.Policy) bool { return p.Route != "" }) {
				return routes
			}
		}
	}
	return routes[:1]
}

func newView(l *lab, route string) view {
	v := view{lab: l, route: route, stacks: make([][]topology.Policy, len(l.edges))}
	for i, e := range l.edges {
		v.stacks[i] = stackFor(e.Policies, route)
	}
	v.receive()
	v.count()
	v.time()
	return v
}

// stackFor leaves out what is for other routes.
func stackFor(all []topology.Policy, route string) []topology.Policy {
	isFor := func(p topology.Policy) bool {
		name, except := strings.CutPrefix(p.Route, "!")
		return p.Route == "" || (name == route) != except
	}
	if !slices.ContainsFunc(all, func(p topology.Policy) bool { return !isFor(p) }) {
		return all
	}
	var out []topology.Policy
	for _, p := range all {
		if isFor(p) {
			out = append(out, p)
		}
	}
	return out
}

// pathOf is an edge as a setting names it.
func (l *lab) pathOf(e int) string {
	return fmt.Sprintf("services.%s.calls.%s", l.t.Services[l.edges[e].From].Name, l.edges[e].Call.To)
}

// herd is how many clients ask for the route of a view in a closed loop, and for
// how many requests all together: 0 and Unlimited in an open loop.
func (v *view) herd() (clients, requests int64) {
	load := &v.t.Load
	if load.Open() {
		if n := len(load.Rate.At); n > 0 {
			return 0, int64(n)
		}
		return 0, Unlimited
	}
	for _, h := range load.Herds() {
		if len(v.views) > 1 && h.Route != v.route {
			continue
		}
		clients += int64(h.Clients)
		if h.Requests == 0 && load.For > 0 {
			requests = Unlimited
		} else {
			requests = add(requests, topology.SatMul(int64(h.Clients), int64(load.PerClient(h))))
		}
	}
	return clients, requests
}

// perSecond is the highest rate of an open loop; 0 where there is none.
func (v *view) perSecond() float64 {
	most := int64(0)
	for _, s := range v.t.Load.Rate.Steps {
		most = max(most, s.Milli)
	}
	return float64(most) / 1000
}

func add[T int64 | time.Duration](a, b T) T {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func mul(d time.Duration, n int64) time.Duration { return time.Duration(topology.SatMul(int64(d), n)) }

// positiveOr is a setting whose 0 is a default.
func positiveOr(v, otherwise int) int64 {
	if v > 0 {
		return int64(v)
	}
	return int64(otherwise)
}

// hedged is how many attempts a hedge makes at most.
func hedged(h *policy.Hedge) int64 { return positiveOr(h.Max, 2) }
