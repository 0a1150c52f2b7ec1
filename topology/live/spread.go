package live

import (
	"slices"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// spread measures how sharp the release was: at the gate, and where the first
// requests landed. What a client asks for after its first request was not released
// and does not count, and neither does a client that starts later. An open loop
// releases nobody.
func spread(l *lab, h *herd) *report.Spread {
	if l.topo.Load.Open() {
		return &report.Spread{}
	}
	var first []time.Duration
	for i, s := range l.services {
		if s.named[topology.ClientName] == nil {
			continue
		}
		for _, hit := range l.hits(i) {
			if l.isReleased(&hit) {
				first = append(first, hit.at)
			}
		}
	}
	issued := h.issued()
	slices.Sort(first)
	return &report.Spread{
		Issue:          fromTo(issued, 0),
		FirstWave:      fromTo(first, 0),
		FirstWaveP1P99: fromTo(first, 100),
	}
}

// isReleased reports whether a hit is one that a client of the first wave begins with.
func (l *lab) isReleased(h *hit) bool {
	if !h.known || !h.trail.first || h.trail.from != topology.ClientName {
		return false
	}
	client, is := clientOf(h.path)
	return is && l.topo.Load.HerdOf(client).Start == 0 &&
		l.clients.opens(h.over, policy.RootLuck(l.topo.Run.Seed, uint64(client), 0))
}

// issued are the sorted instants at which the requests of the first wave were let
// go: at the gate, or where there is none by the clients themselves.
func (h *herd) issued() []time.Duration {
	if h.gate != nil {
		return h.gate.issued
	}
	var out []time.Duration
	h.calls.each(func(c *ended) {
		if c.wave {
			out = append(out, time.Duration(c.start))
		}
	})
	slices.Sort(out)
	return out
}

// meant is how far apart the first wave is meant to arrive: by the widest smear.
// Where a policy keeps clients back, or the network takes a time of its own for
// each, there is no telling.
func (l *lab) meant() (wide time.Duration, known bool) {
	for _, h := range l.topo.Load.Herds() {
		if h.Start == 0 {
			wide = max(wide, h.Smear)
		}
	}
	first := l.clients.first()
	for _, e := range first {
		for _, p := range e.settings.Policies {
			if p.Bulkhead != nil || p.Pool != nil || p.Adaptive != nil {
				return 0, false
			}
		}
		if e.client.latency.Shape != topology.Constant || e.client.latency.A != first[0].client.latency.A {
			return 0, false
		}
	}
	return wide, true
}

// fromTo is the time from the first to the last of sorted instants, in
// milliseconds, without the outermost 1/part on either side (0: with all).
func fromTo(sorted []time.Duration, part int) float64 {
	if len(sorted) == 0 {
		return 0
	}
	cut := 0
	if part > 0 {
		cut = len(sorted) / part
	}
	return report.Milliseconds(sorted[len(sorted)-1-cut] - sorted[cut])
}
