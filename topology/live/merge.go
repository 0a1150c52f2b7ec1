package live

import (
	"context"
	"errors"
	"slices"
	"strings"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// Merge puts the records of all processes of a run together as if it had been one,
// by the same sums and the same doubts. Their instants are on one clock: see
// [Record.Shift]. Of a service without a record it says what its neighbours saw.
func Merge(t topology.Topology, records []Record, o Options) (report.Variant, []report.Warning) {
	l := newLab(context.Background(), t, Options{Net: elsewhere{}, Tree: o.Tree})
	defer l.cancel()
	l.part = &part{}
	for i := range l.topo.Services[1:] {
		svc, err := newService(l, &l.topo.Services[i+1])
		if err != nil { // a valid topology has none
			panic(err)
		}
		svc.absent, svc.all = true, []hit{}
		l.services = append(l.services, svc)
	}
	l.connect()
	h := &herd{lab: l, load: &l.topo.Load, gate: newGate(l.clock, 0)}
	for _, r := range records {
		l.recall(h, r)
	}
	slices.Sort(h.gate.issued)
	m := merged{lab: l, records: records}
	m.guess()
	v, warnings := collect(l, h, nil)
	m.fill(&v)
	if o.Arrivals != nil {
		l.tell(o.Arrivals)
	}
	if o.Spans != nil {
		for _, s := range l.spans(h) {
			o.Spans(s)
		}
	}
	return v, warnings
}

// recall puts a record into the lab in which it would have come about.
func (l *lab) recall(h *herd, r Record) {
	for _, c := range r.Calls {
		for _, e := range l.edges {
			if e.from == r.Service && e.to == c.To {
				e.recall(c)
			}
		}
	}
	for _, t := range r.Tries {
		l.recallTry(t)
	}
	for _, s := range l.services {
		if s.Name != r.Service {
			continue
		}
		s.absent, s.unkept = false, r.Dropped
		for _, q := range r.Hits {
			s.all = append(s.all, s.hit(q.hit()))
		}
	}
	if r.Herd == nil {
		return
	}
	for _, q := range r.Herd.Requests {
		h.calls.add(q.ended())
	}
	h.gate.issued = append(h.gate.issued, r.Herd.Issued...)
}

// recallTry puts an attempt to the call that made it.
func (l *lab) recallTry(t Try) {
	p, err := policy.ParsePath(t.Path)
	if err != nil || len(p.Hops) == 0 {
		return
	}
	last := p.Hops[len(p.Hops)-1]
	for _, e := range l.edges {
		if e.from == last.From && e.to == last.To {
			above, _ := follow(t.Path[:strings.LastIndexByte(t.Path, '/')], l.topo.Run.Seed)
			e.tried = append(e.tried, tried{
				path: t.Path, parent: above.luck, luck: above.luck.Attempt(e.id, last.Attempt), number: int32(last.Attempt),
				start: t.Start, end: t.End, outcome: t.Outcome,
			})
		}
	}
}

func (q Request) ended() ended {
	return ended{outcome: q.Outcome, start: q.Start, sent: q.Sent, end: q.End, route: q.Route, wave: q.Wave, client: q.Client, number: q.Number}
}

func (h Hit) hit() hit {
	return hit{at: h.At, end: h.End, path: h.Path, route: h.Route, worked: h.Worked, cut: h.Cut}
}

// recall adds what happened on a call; that of the client may come from several herds.
func (e *edge) recall(c CallRecord) {
	e.sent += c.Sent
	e.stopped += c.Stopped
	e.took += c.Took
	for i := range min(len(c.Notes), len(e.notes)) {
		e.notes[i] += c.Notes[i]
	}
	for _, d := range c.Left {
		e.abandoned = append(e.abandoned, abandonment{d.Path, policy.Instant(d.At)})
	}
	for path, at := range c.Asked {
		e.asked[path] = at
	}
	for path, o := range c.Outcomes {
		e.outcomes[path] = o
	}
	for _, q := range c.Refused {
		e.callee.all = append(e.callee.all, e.callee.hit(q.hit()))
		e.client.refused = append(e.client.refused, refusal{q.Path, q.Route, 0, q.At})
	}
	if c.Failed != "" && e.client.failed == nil {
		e.client.failed = errors.New(c.Failed)
	}
}

// merged is a lab of records, some of which may be missing.
type merged struct {
	*lab
	records []Record
}

func (m merged) has(service string) bool {
	return slices.ContainsFunc(m.records, func(r Record) bool { return r.Service == service })
}

// guess takes the attempts of a service without a record from the hits that they came
// to.
func (m merged) guess() {
	for _, e := range m.edges {
		if m.has(e.from) || e.callee.absent {
			continue
		}
		for _, h := range e.callee.all {
			if h.over == e {
				e.sent++
			}
		}
	}
}

// fill puts in what the books do not have: signals of policies, and what is known of
// a service without a record.
func (m merged) fill(v *report.Variant) {
	m.requests(v)
	for i := range v.Layers {
		layer := &v.Layers[i]
		if i > 0 && m.services[i-1].absent {
			layer.Requests = 0
			for _, e := range m.services[i-1].callers {
				layer.Requests += e.sent
			}
			if i == len(v.Layers)-1 {
				v.Hits = layer.Requests
			}
		}
		if v.Requests > 0 {
			layer.Amplification = float64(layer.Requests) / float64(v.Requests)
		}
		m.signals(layer)
	}
	if v.Requests > 0 {
		v.Amplification = float64(v.Hits) / float64(v.Requests)
	}
}

// signals are those of the one process that has the layer. Several herds have
// policies of their own each, of which there is no sum.
func (m merged) signals(to *report.Layer) {
	var of []report.Layer
	for _, r := range m.records {
		if r.Service == to.Name {
			of = append(of, r.Layer)
		}
	}
	if len(of) != 1 {
		return
	}
	s := of[0]
	to.Breaker, to.Bulkhead, to.Pool, to.Adaptive, to.Fallback = s.Breaker, s.Bulkhead, s.Pool, s.Adaptive, s.Fallback
	to.Budget, to.Hedge, to.Balance, to.Queue = s.Budget, s.Hedge, s.Balance, s.Queue
}

// requests adds those of clients whose herd has no record, as far as some hit knows
// of them.
func (m merged) requests(v *report.Variant) {
	seen := map[string]bool{}
	for _, s := range m.services {
		for _, h := range s.all {
			client, _ := clientOf(h.path)
			if h.known && !m.recorded(client) {
				seen[root(h.path)] = true
			}
		}
	}
	v.Requests += int64(len(seen))
	v.Layers[clientPlace].Requests = v.Requests
}

func (m merged) recorded(client int) bool {
	return slices.ContainsFunc(m.records, func(r Record) bool {
		return r.Herd != nil && r.Herd.First <= client && client < r.Herd.First+r.Herd.Clients
	})
}

// Shares reports whether clients meet in policies of their calls, which clients of
// several processes do not.
func Shares(t topology.Topology) bool {
	return slices.ContainsFunc(t.Services[clientPlace].Calls, func(c topology.Call) bool { return c.Shares(&t) })
}
