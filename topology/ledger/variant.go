package ledger

import (
	"fmt"
	"time"

	"labctl/report"
)

// Variant turns the books into the result model, with the doubts that they give
// rise to themselves.
func (l *Ledger) Variant(engine string) (report.Variant, []report.Warning) {
	v := report.Variant{
		Engine:    engine,
		Requests:  l.begun,
		Hits:      l.layers[l.tail].requests,
		Effects:   l.effects,
		ElapsedMS: report.Milliseconds(time.Duration(l.last)),
		Layers:    l.reportLayers(),
		Outcomes:  l.outcomes,
		HitKinds:  l.kinds,
		Abandoned: l.abandoned,
		LatencyMS: l.latency.Quantiles(),
	}
	if v.Requests > 0 {
		v.Amplification = float64(v.Hits) / float64(v.Requests)
	}
	if l.at != l.tail {
		v.At = l.topo.Services[l.at+1].Name
	}
	l.bins.Fill(&v)
	v.Peak100MS = l.wide.Peak()
	warnings := l.bins.Warnings("")
	if v.BinMS > v.ElapsedMS && v.Requests > 1 {
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
			layer.Requests = l.layers[i-1].requests
		}
		if i < len(l.layers) {
			layer.Attempts, layer.WastedRests = l.layers[i].attempts, l.layers[i].wasted
			layer.Policy = Describe(s.Calls[0])
		}
		out = append(out, layer)
	}
	return out
}
