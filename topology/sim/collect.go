package sim

import (
	"fmt"
	"time"

	"labctl/report"
	"labctl/topology"
)

// collect turns the sums into a variant.
func collect(p *plan, t *tally, interrupted bool) (report.Variant, []report.Warning) {
	tail := t.layers[len(t.layers)-1]
	v := report.Variant{
		Engine:    "sim",
		Requests:  t.begun,
		Hits:      tail.requests,
		Effects:   t.effects,
		ElapsedMS: report.Milliseconds(time.Duration(t.last)),
		Layers:    layers(p.topo, t),
		Outcomes:  t.outcomes,
		HitKinds:  t.kinds,
		Abandoned: t.abandoned,
		LatencyMS: t.latency.Quantiles(),
	}
	if v.Requests > 0 {
		v.Amplification = float64(v.Hits) / float64(v.Requests)
	}
	if t.at != t.tail {
		v.At = p.topo.Services[t.at+1].Name
	}
	t.bins.Fill(&v)
	v.Peak100MS = t.wide.Peak()
	return v, append(t.bins.Warnings(""), doubts(p, t, v, interrupted)...)
}

func layers(topo topology.Topology, t *tally) []report.Layer {
	out := make([]report.Layer, 0, len(topo.Services))
	for i, s := range topo.Services {
		layer := report.Layer{Name: s.Name, Requests: t.begun}
		if i > 0 {
			layer.Requests = t.layers[i-1].requests
		}
		if i < len(t.layers) {
			layer.Attempts = t.layers[i].attempts
			layer.Policy = report.DescribeCall(s.Calls[0])
		}
		out = append(out, layer)
	}
	return out
}

// doubts are what a reader should know about the numbers.
func doubts(p *plan, t *tally, v report.Variant, interrupted bool) []report.Warning {
	var out []report.Warning
	warn := func(code, format string, args ...any) {
		out = append(out, report.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	switch {
	case interrupted:
		warn("partial", "interrupted: these are the hits of %d requests, %d of them still in flight", t.begun, t.unfinished)
	case t.unfinished > 0:
		warn("cut", "the run was cut at %v with %d requests in flight", p.topo.Run.Until, t.unfinished)
	}
	if t.hung > 0 {
		warn("never-answered", "%d requests never got an answer and nothing would ever wake them", t.hung)
	}
	if p.topo.Load.Rate.FromSend {
		warn("timed-from-send", "requests are timed from when they were sent: the wait behind a stalled service is left out")
	}
	if v.BinMS > v.ElapsedMS && v.Requests > 1 {
		warn("bin-longer-than-run", "a bin of %v is longer than the whole run of %.1f ms, so all hits are in one: choose a smaller --bin", p.topo.Run.Bin, v.ElapsedMS)
	}
	return out
}
