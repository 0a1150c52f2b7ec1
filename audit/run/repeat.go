package run

import (
	"cmp"
	"context"
	"slices"
	"time"

	"labctl/audit"
)

// Repetition is how often the probe is repeated that shows the rests best.
type Repetition struct {
	// Jittered tells, of the trials of one probe, whether their gaps differ by more than
	// the machine's doing, so that the law of the jitter is worth more trials.
	Jittered func([]audit.Trial) bool

	Trials int // of a probe that is jittered, in all; 0: DefaultTrials
}

const (
	// DefaultTrials tell the laws of jitter apart: of 200 policies drawn at random 20 name
	// the law of 98 %, 10 that of 82 %.
	DefaultTrials = 24

	// firstLook is how many trials show whether there is a jitter at all.
	firstLook = 3

	// brief is a trial that is mostly work and little rest. Many of them at once would wait
	// for one another, and their gaps would be the machine's.
	brief         = 2 * time.Second
	briefParallel = 2
)

// Repeat repeats the probes of those trials that show the rests best, one of each kind of
// failure: three times to see whether there is a jitter, and as often as its law needs if
// there is.
func (p Plan) Repeat(ctx context.Context, trials []audit.Trial, r Repetition) ([]audit.Trial, error) {
	first := telltales(trials)
	more, err := p.again(ctx, first, slices.Repeat([]int{firstLook - 1}, len(first)))
	if err != nil || len(first) == 0 {
		return more, err
	}
	missing := make([]int, len(first))
	for i, t := range first {
		same := []audit.Trial{t}
		for _, m := range more {
			if m.Probe == t.Probe {
				same = append(same, m)
			}
		}
		if r.Jittered(same) {
			missing[i] = cmp.Or(r.Trials, DefaultTrials) - firstLook
		}
	}
	rest, err := p.again(ctx, first, missing)
	return append(more, rest...), err
}

// again makes as many more trials of each.
func (p Plan) again(ctx context.Context, trials []audit.Trial, times []int) ([]audit.Trial, error) {
	p.Probes = nil
	for i, t := range trials {
		if t.Elapsed < brief && times[i] > 0 {
			p.Parallel = briefParallel
		}
		p.Probes = append(p.Probes, slices.Repeat([]audit.Probe{t.Probe}, max(times[i], 0))...)
	}
	return p.Perform(ctx)
}

// telltales finds, for each kind of failure, the trial with the most gaps of those whose
// rests are the subject's own: no Retry-After asked for them, nothing cut them short, and
// all hits were seen. The kinds are those that clients have rests of their own for: to be
// told that there were too many requests, any other answer, and none.
func telltales(trials []audit.Trial) []audit.Trial {
	best := map[string]audit.Trial{}
	for _, t := range trials {
		f := t.Probe.Fault
		own := f.Group == audit.Status || f.Group == audit.Transport
		if !own || t.Unasked != "" || t.Uncounted != "" || f.Redirects() || t.Probe.Connection != audit.Fresh {
			continue
		}
		if kind := kindOf(f); rank(t) > rank(best[kind]) {
			best[kind] = t
		}
	}
	var found []audit.Trial
	for _, kind := range []string{answered, throttled, unanswered} {
		if len(best[kind].Gaps()) > 0 {
			found = append(found, best[kind])
		}
	}
	return found
}

// The kinds of failure.
const (
	answered   = "answered"
	throttled  = "throttled"
	unanswered = "unanswered"
)

func kindOf(f audit.Fault) string {
	switch {
	case f.Name == "429":
		return throttled
	case f.Group == audit.Status:
		return answered
	}
	return unanswered
}

func rank(t audit.Trial) int {
	points := 4 * len(t.Gaps())
	if !t.Exit.TimedOut {
		points += 2
	}
	if t.Probe.Fault.Name == "503" { // what most people ask about
		points++
	}
	return points
}
