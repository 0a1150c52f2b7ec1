package run

import (
	"cmp"
	"context"
	"slices"

	"labctl/audit"
)

// Repetition is how often the probe is repeated that shows the rests best.
type Repetition struct {
	// Jittered tells, of the trials of one probe, whether their gaps differ by more than
	// the machine's doing, so that the law of the jitter is worth more trials.
	Jittered func([]audit.Trial) bool

	Samples int // gaps that a law is to rest on; 0: DefaultSamples
}

const (
	// DefaultSamples tell the laws of jitter apart.
	DefaultSamples = 30

	// firstLook is how many trials show whether there is a jitter at all.
	firstLook = 3

	// maxRepeats bounds the trials of a subject that makes few attempts in each.
	maxRepeats = 40
)

// Repeat repeats the probe of those trials that shows the rests best: three times to see
// whether there is a jitter, and as often as its law needs if there is.
func (p Plan) Repeat(ctx context.Context, trials []audit.Trial, r Repetition) ([]audit.Trial, error) {
	first, found := telltale(trials)
	if !found {
		return nil, nil
	}
	more, err := p.again(ctx, first.Probe, firstLook-1)
	if err != nil || !r.Jittered(append([]audit.Trial{first}, more...)) {
		return more, err
	}
	samples := cmp.Or(r.Samples, DefaultSamples)
	gaps := len(first.Gaps())
	repeats := min((samples+gaps-1)/gaps, maxRepeats) - firstLook
	rest, err := p.again(ctx, first.Probe, repeats)
	return append(more, rest...), err
}

func (p Plan) again(ctx context.Context, probe audit.Probe, times int) ([]audit.Trial, error) {
	p.Probes = slices.Repeat([]audit.Probe{probe}, max(times, 0))
	return p.Perform(ctx)
}

// telltale finds the trial with the most gaps of those whose rests are the subject's own:
// no Retry-After asked for them, nothing cut them short, and all hits were seen. An
// answer is better than a connection that died, which a stack may repeat by itself.
func telltale(trials []audit.Trial) (audit.Trial, bool) {
	var best audit.Trial
	for _, t := range trials {
		own := t.Probe.Fault.Group == audit.Status || t.Probe.Fault.Group == audit.Transport
		if !own || t.Unasked != "" || t.Uncounted != "" || t.Probe.Fault.Name == "redirect loop" || t.Probe.Connection != audit.Fresh {
			continue
		}
		if rank(t) > rank(best) {
			best = t
		}
	}
	return best, len(best.Gaps()) > 0
}

func rank(t audit.Trial) int {
	points := 4 * len(t.Gaps())
	if !t.Exit.TimedOut {
		points += 2
	}
	if t.Probe.Fault.Group == audit.Status {
		points++
	}
	return points
}
