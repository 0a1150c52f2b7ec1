package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"labctl/audit"
	"labctl/audit/infer"
	"labctl/faultserver/program"
)

// An ending is how the wait for the last hit ended.
type ending int

const (
	quiet    ending = iota // no hit came for a while, and none was in progress
	busy                   // one was in progress, to the end or nearly
	arriving               // they still came
)

// judge puts what arrived into words.
func (r *probeResult) judge(seen sight, end ending, f *probeFlags) {
	r.Hits, r.GapsMS = seen.count, gapsMS(seen.hits)
	r.cutShort(seen, end, f.timeout)
	if !r.AtLeast {
		r.factor(infer.FactorHits(seen.hits, probeNoise))
		r.doubtQuiet(f.quietFor)
	}
	if len(seen.targets) > 1 {
		r.doubt("hits were for several targets, %s: health checks and other requests count too", strings.Join(seen.targets, ", "))
	}
	if seen.count > len(seen.hits) {
		r.doubt("only %d of the hits were kept, so the gaps are of those", len(seen.hits))
	}
	r.find(r.Answer.Late || end == busy, f.timeout)
}

// cutShort doubts a count that something ended before the layers did: it is a lower bound,
// and no product.
func (r *probeResult) cutShort(seen sight, end ending, timeout time.Duration) {
	r.AtLeast = r.Partial
	since := "the answer"
	if r.Answer.Late {
		since = "the probe left"
	}
	switch end {
	case arriving:
		r.atLeast("hits still came %v after %s; a longer --timeout sees more", timeout, since)
	case busy:
		r.atLeast("a hit was in progress up to %v after %s, and who waits for it may try again; a longer --timeout sees more", timeout, since)
	}
	if r.Answer.Late {
		r.atLeast("no answer within %v: the probe left then, %s; a longer --timeout sees more", timeout, r.afterwards(seen))
	}
	if passed(r.Fault, seen.met) {
		r.atLeast("the fault %s passed: who would have tried again did not have to; a fault that stays, such as 503, shows all attempts", r.Fault)
	}
}

// afterwards says what came when the probe had left.
func (r *probeResult) afterwards(seen sight) string {
	left, n := millis(r.Answer.AfterMS), 0
	for _, h := range seen.hits {
		if h.At > left {
			n++
		}
	}
	if n == 0 {
		return "and no hit came later"
	}
	return "and " + plural(n, "hit") + " came later, work that nobody waited for"
}

func (r *probeResult) atLeast(format string, args ...any) {
	r.AtLeast = true
	r.doubt("the count is a lower bound: "+format, args...)
}

// passed reports whether a program had more than one thing for the hits, or none that
// fails: then it ended the retries and not those who make them.
func passed(text string, met []string) bool {
	p, err := program.Parse(text)
	if err != nil {
		return len(met) > 1 // of a newer labctl serve
	}
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].Drawn = program.Distribution{} // a delay differs, and what comes of it does not
	}
	_, constant := p.Constant()
	return !constant && (len(met) > 1 || slices.Contains(met, program.OK.String()))
}

// factor takes the count apart.
func (r *probeResult) factor(found infer.Factors) {
	r.factors = found
	for _, p := range found.Possible {
		var attempts []int
		for _, layer := range p {
			attempts = append(attempts, layer.Attempts)
		}
		r.Possible = append(r.Possible, attempts)
	}
	if found.Alone {
		for _, layer := range found.Possible[0] {
			l := probeLayer{Attempts: layer.Attempts}
			for _, rest := range layer.Rests {
				l.RestsMS = append(l.RestsMS, audit.MS(rest))
			}
			r.Layers = append(r.Layers, l)
		}
	}
	if found.Why != "" {
		r.doubt("%s", found.Why)
	}
}

// doubtQuiet doubts a wait that the next rest may outlast: that after the last one, or
// what a layer's rests grow to.
func (r *probeResult) doubtQuiet(quietFor time.Duration) {
	if len(r.GapsMS) == 0 {
		return
	}
	next := r.GapsMS[len(r.GapsMS)-1]
	for _, l := range r.Layers {
		next = max(next, grown(l.RestsMS))
	}
	if wait := millis(next); wait > quietFor/2 {
		r.doubt("rests were up to %s and the next may be %s, so retries in the background may come after --quiet-for %v: %v is safe",
			restsText([]float64{slices.Max(r.GapsMS)}), restsText([]float64{next}), quietFor, (2*wait).Truncate(time.Second)+time.Second)
	}
}

// grown is what rests grow to if they go on as the last two did, 0 where they do not grow.
func grown(ms []float64) float64 {
	if len(ms) < 2 {
		return 0
	}
	before, last := ms[len(ms)-2], ms[len(ms)-1]
	if noise := audit.MS(probeNoise); last <= before+noise || before <= noise {
		return 0
	}
	return last * last / before
}

// find says what the count means. Somebody may still have been waiting for a hit.
func (r *probeResult) find(waiting bool, timeout time.Duration) {
	n := strconv.Itoa(r.Hits)
	switch f := r.factors; {
	case r.Hits == 0: // it was interrupted
		r.Finding = audit.Finding{Code: "no-hit", Severity: audit.Note, Message: "no hit came yet"}
	case r.Hits == 1 && waiting:
		r.Finding = audit.Finding{Code: "no-retry-yet", Severity: audit.Note,
			Message: fmt.Sprintf("no retry within %v: whoever waits had not given up yet", timeout)}
	case r.AtLeast:
		r.Finding = audit.Finding{Code: "lower-bound", Severity: audit.Risk, Message: "one request becomes at least " + n}
	case r.Hits < 2:
		r.Finding = audit.Finding{Code: "no-retry", Severity: audit.Note, Message: "nothing on the way retries on this fault"}
	case f.Alone && len(f.Possible[0]) == 1:
		r.Finding = audit.Finding{Code: "one-layer-retries", Severity: audit.Note, Message: "one layer retries, with " + n + " attempts"}
	case f.Alone:
		r.Finding = audit.Finding{Code: "layers-multiply", Severity: audit.Danger,
			Message: fmt.Sprintf("%d layers retry: %s = %s: let one of them own the retries", len(f.Possible[0]), f.Possible[0], n)}
	case len(f.Possible) > 0:
		r.Finding = audit.Finding{Code: "layers-unclear", Severity: audit.Risk, Message: "one request becomes " + n + ", by " + r.products()}
	default:
		r.Finding = audit.Finding{Code: "no-product", Severity: audit.Risk, Message: "one request becomes " + n}
	}
}

// products lists what is possible, as far as one reads it.
func (r *probeResult) products() string {
	var words []string
	for i, p := range r.factors.Possible {
		if i == 8 {
			words = append(words, fmt.Sprintf("%d more", len(r.factors.Possible)-i))
			break
		}
		words = append(words, p.String())
	}
	return strings.Join(words, ", or ")
}

func gapsMS(hits []audit.Hit) []float64 {
	gaps := []float64{}
	for _, g := range (audit.Trial{Hits: hits}).Gaps() {
		gaps = append(gaps, audit.MS(g))
	}
	return gaps
}
