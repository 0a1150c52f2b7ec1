package sim

import (
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// herdPlan is one herd of the load, worked out.
type herdPlan struct {
	topology.Herd
	end      int // behind its last client; clients of all herds are numbered through
	requests int // of one client
	route    uint8
}

func newHerds(t *topology.Topology) []herdPlan {
	var herds []herdPlan
	end := 0
	for _, h := range t.Load.Herds() {
		end += h.Clients
		herds = append(herds, herdPlan{Herd: h, end: end, requests: t.Load.PerClient(h), route: t.Route(h.Route)})
	}
	return herds
}

// herdOf is the herd of a client. An open loop has one for all of its requests.
func herdOf(herds []herdPlan, client int) *herdPlan {
	for len(herds) > 1 && client >= herds[0].end {
		herds = herds[1:]
	}
	return &herds[0]
}

// begins is when a client makes its first request.
func (h *herdPlan) begins(l policy.Luck) policy.Instant {
	at := policy.Instant(h.Start)
	if h.Smear > 0 {
		at = at.Add(policy.Uniform(l.Draw(policy.ForArrival), h.Smear))
	}
	return at
}

// pause is the time between an outcome and the client's next request, whose luck
// it is.
func (h *herdPlan) pause(o policy.Outcome, next policy.Luck) time.Duration {
	if !o.OK() && !h.Pause.IsZero() {
		return drawTime(&h.Pause, next, policy.ForThink)
	}
	return drawTime(&h.Think, next, policy.ForThink)
}

// lastBegin is the instant from which on no request begins.
func lastBegin(l topology.Load) policy.Instant {
	if l.For > 0 {
		return policy.Instant(l.For)
	}
	return policy.Never
}
