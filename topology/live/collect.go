package live

import (
	"errors"
	"fmt"
	"time"

	"labctl/faultserver/program"
	"labctl/report"
	"labctl/topology/policy"
)

// window is what `peak_100ms` counts in.
const window = 100 * time.Millisecond

// collect folds what the clients, edges and services saw into a variant.
func collect(l *lab, h *herd, cause error) (report.Variant, []report.Warning) {
	v := report.Variant{
		Engine:   "live",
		Requests: int64(len(h.calls)),
		Layers:   layers(l, h),
	}
	hits := l.hits(len(l.services) - 1)
	v.Hits = int64(len(hits))
	if v.Requests > 0 {
		v.Amplification = float64(v.Hits) / float64(v.Requests)
	}
	outcomes(&v, h)
	kinds(&v, l, hits)
	warnings := bins(&v, l)
	v.SpreadMS = spread(l, h)
	if l.trace {
		v.Tree = tree(l)
	}
	warnings = append(warnings, doubts(l, h, v, cause)...)
	return v, warnings
}

// hit is an arrival at a service as the lab sees it.
type hit struct {
	at, end time.Duration
	path    string
	first   bool // the first attempt of every layer above
	ok      bool // answered with success, so the work was done
	cut     bool // ended because its caller left
}

// hits lists the arrivals at one service. A service whose port is closed has
// those that its callers' dials found.
func (l *lab) hits(service int) []hit {
	s := l.services[service]
	var hits []hit
	for _, r := range l.edges[service].client.refused {
		hits = append(hits, hit{at: r.at, end: r.at, path: r.path, first: isFirst(r.path)})
	}
	for _, a := range s.tail.Arrivals() {
		hits = append(hits, hit{at: a.At, end: a.End, path: a.Path, first: isFirst(a.Path), ok: a.Kind == program.OK && !a.CutShort, cut: a.CutShort})
	}
	return hits
}

func isFirst(path string) bool {
	p, err := policy.ParsePath(path)
	return err == nil && p.IsFirst()
}

func layers(l *lab, h *herd) []report.Layer {
	out := make([]report.Layer, 0, len(l.topo.Services))
	for i, s := range l.topo.Services {
		layer := report.Layer{Name: s.Name, Requests: int64(len(h.calls))}
		if i > 0 {
			layer.Requests = int64(len(l.hits(i - 1)))
		}
		if i < len(l.edges) {
			layer.Attempts = l.edges[i].sent
			if i == 0 {
				layer.Attempts -= h.unstarted
			}
			layer.Policy = report.DescribeCall(s.Calls[0])
		}
		out = append(out, layer)
	}
	return out
}

// outcomes counts how the clients' requests ended, and when.
func outcomes(v *report.Variant, h *herd) {
	var latency report.Latencies
	var last policy.Instant
	for _, c := range h.calls {
		latency.Add(c.end.Sub(c.start))
		last = max(last, c.end)
		switch o := c.outcome; {
		case o.OK():
			v.Outcomes.OK++
		case o.Kind == policy.Timeout:
			v.Outcomes.Timeout++
		case o.Kind == policy.Rejected:
			v.Outcomes.Rejected++
		case o.Kind == policy.Cancelled:
			v.Outcomes.Cancelled++
		default:
			v.Outcomes.Failed++
		}
	}
	v.ElapsedMS = report.Milliseconds(time.Duration(last))
	v.LatencyMS = latency.Quantiles()
}

// kinds sorts the tail's hits by why they came, and counts effects.
func kinds(v *report.Variant, l *lab, hits []hit) {
	gone := l.abandonments()
	done := map[string]bool{} // requests whose work was done once
	for _, h := range hits {
		if h.first {
			v.HitKinds.First++
		} else {
			v.HitKinds.Retry++
		}
		switch at, is := leftBy(gone, h.path); {
		case is && h.at >= at:
			v.HitKinds.Orphan++
		case is && (h.cut || h.end < 0 || h.end > at):
			v.Abandoned++
		}
		if h.ok {
			v.Effects++
			if id := root(h.path); done[id] {
				v.HitKinds.Duplicate++
			} else {
				done[id] = true
			}
		}
	}
}

// bins folds the arrivals at the layer that the run looks at.
func bins(v *report.Variant, l *lab) []report.Warning {
	run := l.topo.Run
	at := len(l.services) - 1
	for i, s := range l.services {
		if s.name == run.At && i != at {
			at, v.At = i, s.name
		}
	}
	folded := report.NewBins(run.Bin, run.BinOffset)
	wide := report.NewBins(window, 0)
	for _, h := range l.hits(at) {
		folded.Add(h.at, h.first)
		wide.Add(h.at, h.first)
	}
	folded.Fill(v)
	v.Peak100MS = wide.Peak()
	return folded.Warnings("")
}

// doubts are what a reader should know about the numbers.
func doubts(l *lab, h *herd, v report.Variant, cause error) []report.Warning {
	var out []report.Warning
	warn := func(code, format string, args ...any) {
		out = append(out, report.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if l.topo.Load.Herd.NoBarrier && v.Requests > 1 {
		warn("no-barrier", "the clients started without a barrier: their start-up is part of this histogram, so do not read the policy from it")
	}
	smear := report.Milliseconds(l.topo.Load.Herd.Smear)
	if s := v.SpreadMS; v.Requests > 1 && s.FirstWave-smear > v.BinMS/2 {
		warn("spread-over-half-bin", "the first wave took %.1f ms to arrive, over half a bin of %v more than it was meant to: the release, not the policy, shaped this histogram",
			s.FirstWave, l.topo.Run.Bin)
	}
	if v.BinMS > v.ElapsedMS && v.Requests > 1 {
		warn("bin-longer-than-run", "a bin of %v is longer than the whole run of %.1f ms, so all hits are in one: choose a smaller --bin", l.topo.Run.Bin, v.ElapsedMS)
	}
	for i, e := range l.edges {
		if n := len(e.client.refused); n > 0 {
			warn("refused-not-counted", "%d hits on %s are refused connections that its callers saw: nothing behind a closed port can count", n, e.to)
		}
		if m := mismatch(e, l.hits(i)); m != "" {
			warn("hits-differ-from-attempts", "%s", m)
		}
	}
	switch {
	case errors.Is(cause, errUntil):
		warn("cut", "the run was cut at %v with %d requests in flight", l.topo.Run.Until, v.Outcomes.Cancelled)
	case cause != nil:
		warn("partial", "interrupted: these are the hits of the first %.0f ms", report.Milliseconds(l.clock.since()))
	}
	return out
}

// mismatch compares the attempts that policies made with the hits that arrived.
// Something between the two would have repeated or lost requests. An attempt
// that was stopped may have been so on its way.
func mismatch(e *edge, hits []hit) string {
	seen := map[string]bool{}
	repeated := 0
	for _, h := range hits {
		if seen[h.path] {
			repeated++
		}
		seen[h.path] = true
	}
	lost := e.sent - int64(len(seen))
	switch {
	case repeated > 0:
		return fmt.Sprintf("%s made %d attempts but %s counted %d hits: %d were sent again behind the policy's back",
			e.from, e.sent, e.to, len(hits), repeated)
	case lost > e.stopped:
		text := fmt.Sprintf("%s made %d attempts but %s counted %d hits: %d never arrived", e.from, e.sent, e.to, len(hits), lost)
		if err := e.client.failed; err != nil {
			text += " (" + err.Error() + ")"
		}
		return text
	}
	return ""
}
