package report

import "slices"

// Baseline keeps of a result what Compare looks at, and the policies, which
// name the cause of a difference. Times, live bins, trees and messages go: a file
// that changes with every run teaches people to ignore it.
func Baseline(r Result) Result {
	b := Result{
		Schema: Schema, Scenario: r.Scenario, Engine: r.Engine, Net: r.Net, Seed: r.Seed,
		Labctl: r.Labctl, Command: r.Command,
		Partial: r.Partial, Variants: slices.Clone(r.Variants),
	}
	for i := range b.Variants {
		v := &b.Variants[i]
		v.ElapsedMS, v.LatencyMS, v.SpreadMS, v.DriftMS, v.Tree, v.Routes = 0, Quantiles{}, nil, nil, nil, nil
		v.Edges, v.IdealBins = nil, nil
		v.Layers = slices.Clone(v.Layers)
		for j := range v.Layers {
			v.Layers[j] = v.Layers[j].withoutSignals()
		}
		if v.Engine == "live" {
			forgetTiming(v)
		}
	}
	for _, f := range comparable(r) {
		f.Why = ""
		if r.Engine != "sim" {
			f.Measured = nil // its verdict is compared, its value may be a time
		}
		b.Figures = append(b.Figures, f)
	}
	return complete(b)
}

// withoutSignals is the layer without what it is watched by: times, and states
// that follow from the counts.
func (l Layer) withoutSignals() Layer {
	return Layer{Name: l.Name, Requests: l.Requests, Attempts: l.Attempts, Policy: l.Policy, WastedRests: l.WastedRests}
}

// forgetTiming empties what the machine shapes in a live run.
func forgetTiming(v *Variant) {
	v.Bins, v.RetryBins, v.Waves = nil, nil, nil
	v.Peak, v.RetryPeak, v.Peak100MS = 0, 0, 0
	v.HitKinds.Orphan, v.Abandoned = 0, 0
}
