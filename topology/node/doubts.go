package node

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"labctl/report"
	"labctl/topology/live"
)

// doubts gathers what a reader should know about numbers that several hosts gave.
func (m *merge) doubts() []report.Warning {
	for _, p := range m.placed {
		m.doubtClock(p)
		for _, pause := range p.Result.Pauses {
			m.warn("paused", "%s stood still for %s, from %s after the release on: it was stopped, or got no processor",
				p.name(), seconds(pause.For), seconds(pause.At-p.Result.Record.Released+p.shift))
		}
		if n := p.Result.Record.Working; n > 0 {
			m.warn("in-progress", "%s still worked on %d requests or calls when it was asked: they may come to more", p.name(), n)
		}
		if h := p.Result.Record.Herd; h != nil && h.Ended != "" {
			m.partial = m.partial || !strings.HasPrefix(h.Ended, "cut")
			m.warn("cut", "%s was %s: what its clients waited for has no answer", p.name(), h.Ended)
		}
	}
	m.doubtHerds()
	return m.said
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// doubtClock says when a clock is not known well enough for bins, or jumped.
func (m *merge) doubtClock(p placed) {
	bin := m.topo.Run.Bin
	r := p.Result.Release
	switch {
	case !p.sure && m.tail != nil && p.Result.Record.Released != 0:
		m.warn("clock-unknown", "the clock of %s could not be read against the tail's: its instants are taken as if it had begun with the release", p.name())
	case p.bound > bin/4:
		m.warn("clock-unsure", "the clock of %s is known to ±%.1f ms only, which is not small against a bin of %v: choose a wider bin, or a nearer host",
			p.name(), report.Milliseconds(p.bound), bin)
	}
	if r == nil {
		return
	}
	if r.Late > bin/4 {
		m.warn("herd-late", "%s was let go %.1f ms later than agreed: give it more time with a later --at", p.name(), report.Milliseconds(r.Late))
	}
	if r.After != nil {
		if moved := (r.After.Ahead - r.Offset.Ahead).Abs(); moved > r.After.Bound+r.Offset.Bound {
			m.warn("clock-moved", "the clock of %s moved by %.1f ms against the tail's during the run", p.name(), report.Milliseconds(moved))
		}
	}
}

// doubtHerds says which clients are in no herd's result, and what several herds
// cannot share.
func (m *merge) doubtHerds() {
	var herds []*live.HerdRecord
	for _, p := range m.placed {
		if h := p.Result.Record.Herd; h != nil {
			herds = append(herds, h)
		}
	}
	if len(herds) > 1 && live.Shares(*m.topo) {
		m.warn("policies-apart", "the clients of the file share a policy, and those of each of %d herds have one of their own here: its signals are left out", len(herds))
	}
	if m.topo.Load.Open() {
		if len(herds) == 0 {
			m.lack("the load is")
		}
		return
	}
	slices.SortFunc(herds, func(a, b *live.HerdRecord) int { return a.First - b.First })
	next := 0
	for _, h := range append(herds, &live.HerdRecord{First: m.topo.Load.Clients()}) {
		if h.First > next {
			m.lack(fmt.Sprintf("clients %d–%d are", next, h.First-1))
		}
		next = h.First + h.Clients
	}
}

func (m *merge) lack(who string) {
	m.partial = true
	m.warn("herd-missing", "%s in no result of a herd: their requests are those of which some service had a hit, and their outcomes are not known", who)
}
