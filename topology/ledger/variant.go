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
		Hits:      l.layers[l.tail].requests,
		Effects:   l.effects,
		LoadMS:    report.Milliseconds(l.topo.Load.For),
		ElapsedMS: report.Milliseconds(time.Duration(l.last)),
		Layers:    l.reportLayers(),
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
		l.good.fill(&v, l.topo.Run.Bin)
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
	out := make([]report.Layer, 0, len(l.topo.Services))
	for i, s := range l.topo.Services {
		layer := report.Layer{Name: s.Name, Requests: l.begun}
		if i > 0 {
			layer.Requests, layer.Queue, layer.Replicas = l.layers[i-1].requests, l.queues[i-1], l.layers[i-1].replicas
		}
		if i < len(l.layers) {
			l.layers[i].into(&layer)
			layer.Policy = Describe(s.Calls[0])
			layer.Bound = bound(s.Calls[0])
			l.signals[i].into(&layer)
		}
		if l.begun > 0 {
			layer.Amplification = float64(layer.Requests) / float64(l.begun)
			layer.Time = l.timeShare(i)
		}
		out = append(out, layer)
	}
	return out
}

// timeShare says how much of the clients' time was a layer's own. The layers'
// shares add up to 1 where every attempt is waited for, one after the other.
func (l *Ledger) timeShare(layer int) *report.TimeShare {
	total, below := l.time, time.Duration(0)
	if layer > 0 {
		total = l.layers[layer-1].took
	}
	if layer < len(l.layers) {
		below = l.layers[layer].took
	}
	if l.time == 0 {
		return nil
	}
	per := func(d time.Duration) float64 { return report.Milliseconds(d) / float64(l.begun) }
	own := max(total-below, 0)
	share := &report.TimeShare{TotalMS: per(total), OwnMS: per(own), Share: float64(own) / float64(l.time)}
	if b := budget(l.topo.Services[0].Calls[0]); b > 0 {
		share.Budget = share.OwnMS / report.Milliseconds(b)
	}
	return share
}

// budget is the time that a client gives a request: the first deadline or timeout
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
		if r.last > 0 {
			line.RPS = float64(r.done) / time.Duration(r.last).Seconds()
		}
		if r.done > 0 {
			line.MeanMS = report.Milliseconds(r.time) / float64(r.done)
		}
		out = append(out, line)
	}
	return out
}

// into fills in what happened on an edge.
func (e *layer) into(l *report.Layer) {
	l.Attempts, l.WastedRests = e.attempts, e.notes[policy.WastedRest]
	l.Late, l.Expired, l.TimedOut = e.notes[policy.Late], e.notes[policy.Expired], e.notes[policy.TimedOut]
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
