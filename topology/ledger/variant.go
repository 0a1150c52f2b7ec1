package ledger

import (
	"fmt"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// Variant turns the books into the result model, with the doubts that they give
// rise to themselves.
func (l *Ledger) Variant(engine string) (report.Variant, []report.Warning) {
	v := report.Variant{
		Engine:    engine,
		Requests:  l.begun,
		Hits:      l.services[l.tail].requests,
		Effects:   l.effects,
		LoadMS:    report.Milliseconds(l.topo.Load.For),
		ElapsedMS: report.Milliseconds(time.Duration(l.last)),
		Layers:    l.reportLayers(),
		Edges:     l.reportEdges(),
		Outcomes:  l.outcomes,
		HitKinds:  l.kinds,
		Abandoned: l.abandoned,
		LatencyMS: l.latency.Quantiles(),
		Routes:    l.reportRoutes(),
	}
	if v.Requests > 0 {
		v.Amplification = float64(v.Hits) / float64(v.Requests)
	}
	if l.at != l.tail {
		v.At = l.topo.Services[l.at+1].Name
	}
	l.bins.Fill(&v)
	v.EarlyHits = l.early
	if l.good != nil {
		l.good.fill(&v, l.topo.Run)
	}
	v.Peak100MS = l.wide.Peak()
	warnings := l.bins.Warnings("")
	if v.BinMS > v.ElapsedMS && v.Requests > 1 && l.released() {
		warnings = append(warnings, report.Warning{Code: "bin-longer-than-run", Message: fmt.Sprintf(
			"a bin of %v is longer than the whole run of %.1f ms, so all hits are in one: choose a smaller --bin", l.topo.Run.Bin, v.ElapsedMS)})
	}
	return v, warnings
}

func (l *Ledger) reportLayers() []report.Layer {
	out := make([]report.Layer, len(l.topo.Services))
	spent := l.spent()
	var owned time.Duration
	for _, t := range spent {
		owned += t.own()
	}
	for i, s := range l.topo.Services {
		layer := &out[i]
		layer.Name, layer.Requests = s.Name, l.begun
		if i > 0 {
			at := &l.services[i-1]
			layer.Requests, layer.Queue, layer.Replicas = at.requests, at.queue, at.replicas
		}
		if l.begun > 0 {
			layer.Amplification = float64(layer.Requests) / float64(l.begun)
			layer.Time = l.timeShare(spent[i], owned)
		}
	}
	for i := range l.edges {
		from := l.edges[i].From
		l.edges[i].into(&out[from], l.topo.Services[from].Calls)
	}
	return out
}

// reportEdges tells calls apart where the layers alone cannot: in a chain each layer
// has one, to the next.
func (l *Ledger) reportEdges() []report.CallEdge {
	chain := true
	var out []report.CallEdge
	for i := range l.edges {
		e := &l.edges[i]
		chain = chain && e.From == i && e.To == i+1
		requests := l.begun
		if e.From > 0 {
			requests = l.services[e.From-1].requests
		}
		out = append(out, report.CallEdge{From: l.topo.Services[e.From].Name, To: e.Call.To, Requests: requests, Attempts: e.attempts})
	}
	if chain {
		return nil
	}
	return out
}

// times are how long the attempts at a layer took, all together, and those that it
// made itself.
type times struct{ total, below time.Duration }

// own is what a layer took itself: its work, queues and rests. Of a layer that makes
// its calls at once nothing may be left, as they share its time.
func (t times) own() time.Duration { return max(t.total-t.below, 0) }

// spent are the times of all layers, the client first.
func (l *Ledger) spent() []times {
	spent := make([]times, len(l.topo.Services))
	spent[0].total = l.time
	for i := range l.edges {
		e := &l.edges[i]
		spent[e.From].below += e.took
		spent[e.To].total += e.took
	}
	return spent
}

// timeShare says how much of the time of all layers was one layer's own. Where every
// attempt is waited for, one after the other, that is the clients' time; attempts
// side by side, or that nobody waits for any more, come on top.
func (l *Ledger) timeShare(of times, owned time.Duration) *report.TimeShare {
	if owned == 0 {
		return nil
	}
	per := func(d time.Duration) float64 { return report.Milliseconds(d) / float64(l.begun) }
	share := &report.TimeShare{TotalMS: per(of.total), OwnMS: per(of.own()), Share: float64(of.own()) / float64(owned)}
	if b := l.budget(); b > 0 {
		share.Budget = share.OwnMS / report.Milliseconds(b)
	}
	return share
}

// budget is the time that a client gives a request. With several calls each has its
// own, and the request none.
func (l *Ledger) budget() time.Duration {
	calls := l.topo.Services[0].Calls
	if len(calls) > 1 {
		return 0
	}
	return budget(calls[0])
}

// budget is the time that a caller gives a call: the first deadline or timeout
// outside its retries.
func budget(c topology.Call) time.Duration {
	for _, p := range c.Policies {
		switch {
		case p.Deadline != nil:
			return p.Deadline.Limit
		case p.Timeout != nil:
			return p.Timeout.Limit
		case p.Retry != nil:
			return 0
		}
	}
	return 0
}

// reportRoutes tells the routes apart, where there are several or the load has an
// end that rates are counted to.
func (l *Ledger) reportRoutes() []report.Route {
	if len(l.routes) < 2 && l.topo.Load.For == 0 {
		return nil
	}
	var out []report.Route
	for i, name := range l.topo.Routes() {
		r := &l.routes[i]
		line := report.Route{Name: name, Requests: r.begun, Hits: r.hits, Outcomes: r.outcomes, Done: r.done, LatencyMS: r.latency.Quantiles()}
		if name == "" {
			line.Name = "all"
		}
		if over := l.rateOver(r); over > 0 {
			line.RPS = float64(r.done) / over.Seconds()
		}
		if r.done > 0 {
			line.MeanMS = report.Milliseconds(r.time) / float64(r.done)
		}
		out = append(out, line)
	}
	return out
}

// rateOver is the time that a rate is counted over: that of the load where it is an
// open loop, which goes on whatever becomes of it; else until the last good answer.
func (l *Ledger) rateOver(r *route) time.Duration {
	if l.topo.Load.Open() && l.topo.Load.For > 0 {
		return l.topo.Load.For
	}
	return time.Duration(r.last)
}

// into fills in what happened on an edge. A layer's counts are those of all its
// calls, its policy and what that saw those of the first.
func (e *edge) into(l *report.Layer, calls []topology.Call) {
	l.Attempts += e.attempts
	l.WastedRests += e.notes[policy.WastedRest]
	l.Late += e.notes[policy.Late]
	l.Expired += e.notes[policy.Expired]
	l.TimedOut += e.notes[policy.TimedOut]
	if len(calls) > 1 {
		call := report.Call{To: e.Call.To, Attempts: e.attempts, Policy: Describe(*e.Call)}
		if e.Chance != 0 {
			call.Chance = e.Chance.String()
		}
		l.Calls = append(l.Calls, call)
	}
	if l.Policy == nil {
		l.Policy, l.Bound = Describe(*e.Call), bound(*e.Call)
		e.signals.into(l)
	}
}

func bound(c topology.Call) *report.Bound {
	b, ok := c.Bound()
	if !ok {
		return nil
	}
	return &report.Bound{ExactMS: report.Milliseconds(b.Exact), ArticleMS: report.Milliseconds(b.Article)}
}

// released reports whether the load is a herd that begins at once and asks once:
// only there a histogram of hits is what one looks at.
func (l *Ledger) released() bool {
	load := l.topo.Load
	return !load.Open() && load.Clients() > 1 && load.PerClient(load.Herd) == 1
}
