package run

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"labctl/audit"
	"labctl/audit/tap"
)

// chainFaults are those that tell layers apart: an answer that is repeated, and the two
// ways to fail below HTTP, where stacks repeat by themselves.
var chainFaults = []string{"503", "close", "reset", "refused"}

// Prefixes are the plans of the subject alone, with the outermost proxy, with the first
// two, and so on, each counted in front of every layer.
func (p Plan) Prefixes() []Plan {
	var plans []Plan
	for n := range len(p.Path.Proxies) + 1 {
		plan := p
		plan.Path.Proxies, plan.Path.taps = p.Path.Proxies[:n], true
		plans = append(plans, plan)
	}
	return plans
}

// Chains makes one trial of each fault that tells layers apart, and counts in front of
// each layer. The noise tells a hidden replay, which comes at once, from an attempt.
func (p Plan) Chains(ctx context.Context, noise audit.Noise) ([]audit.Chain, error) {
	probes := p.chainProbes()
	chains := make([]audit.Chain, len(probes))
	told := p.tally(len(probes))
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(p.parallel())
	for i, probe := range probes {
		group.Go(func() (err error) {
			chains[i], err = p.chain(limited, probe, noise)
			told()
			return err
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return slices.DeleteFunc(chains, func(c audit.Chain) bool { return len(c.Layers) == 0 }), err
}

// chainProbes are those that tell layers apart, or all where none of them was asked for.
// Connections are as they come: a warm-up would be counted too.
func (p Plan) chainProbes() []audit.Probe {
	var all, telling []audit.Probe
	for _, probe := range p.Probes {
		if probe.Connection == audit.Fresh && !probe.Fault.NeverConnects() {
			continue
		}
		all = append(all, probe)
		if slices.Contains(chainFaults, probe.Fault.Name) {
			telling = append(telling, probe)
		}
	}
	if len(telling) == 0 {
		return all
	}
	return telling
}

func (p Plan) chain(ctx context.Context, probe audit.Probe, noise audit.Noise) (audit.Chain, error) {
	warm, text := cold, probe.Fault.Program
	if p.Caller.Warms() == Always {
		warm = byCommand
		if !probe.Fault.NeverConnects() {
			text = "ok," + text
		}
	}
	way, err := p.Path.open(ctx, probe.Fault, text)
	if err != nil {
		return audit.Chain{}, err
	}
	defer way.close()
	if _, err := p.call(ctx, probe, way, warm); err != nil {
		return audit.Chain{}, err
	}
	way.settle(ctx, p.Path)
	if err := way.close(); err != nil {
		return audit.Chain{}, err
	}
	c := audit.Chain{
		Fault: probe.Fault.Name, Method: cmp.Or(probe.MethodText(), http.MethodGet), Connection: string(probe.Connection),
		Layers: p.layers(way, warm == byCommand && !probe.Fault.NeverConnects(), noise),
	}
	c.Hits = c.Layers[len(c.Layers)-1].Attempts
	return c, ctx.Err()
}

// layers are the subject and the proxies. What each sent is what passed the tap behind it;
// in front of a port that refuses there is none, and the attempts are the tail's.
func (p Plan) layers(way *passage, warmed bool, noise audit.Noise) []audit.Layer {
	var layers []audit.Layer
	reached := 1
	var before []passing
	for i := range len(p.Path.Proxies) + 1 {
		l := audit.Layer{Name: "client", Requests: reached, Attempts: len(way.tail.Hits())}
		if i > 0 {
			l.Name = p.Path.Proxies[i-1].Recipe.Name
		}
		if i < len(way.taps) {
			sent := way.taps[i].Requests()
			if warmed && len(sent) > 0 {
				sent = sent[1:]
			}
			l.Attempts, l.Hidden = len(sent), len(tap.Hidden(sent, noise.AtOnce()))
			now := passings(sent, way.taps[i].Began())
			l.Each = each(before, now)
			before = now
		}
		if reached > 0 {
			l.Factor = float64(l.Attempts-l.Hidden) / float64(reached)
		}
		layers = append(layers, l)
		reached = l.Attempts
	}
	return layers
}

// A passing is when a request went by, and when its answer was back.
type passing struct{ at, end time.Time }

func passings(requests []tap.Request, began time.Time) (all []passing) {
	for _, r := range requests {
		all = append(all, passing{began.Add(r.At), began.Add(r.End)})
	}
	return all
}

// each counts, for requests that follow one another, what a layer made of each. It is nil
// where they overlap, since nobody knows then whose the attempts are, and where all are
// alike.
func each(reached, sent []passing) []int {
	counts := make([]int, len(reached))
	for i, r := range reached {
		if i > 0 && r.at.Before(reached[i-1].end) {
			return nil
		}
		for _, s := range sent {
			if !s.at.Before(r.at) && (i+1 == len(reached) || s.at.Before(reached[i+1].at)) {
				counts[i]++
			}
		}
	}
	if len(slices.Compact(slices.Clone(counts))) < 2 {
		return nil
	}
	return counts
}
