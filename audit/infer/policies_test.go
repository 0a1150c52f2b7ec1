package infer_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"labctl/audit"
	"labctl/audit/infer"
	"labctl/topology/policy"
)

// randomPolicy draws what somebody may have configured.
func randomPolicy(r *rand.Rand) policy.Retry {
	p := policy.Retry{Attempts: 2 + r.IntN(6), Filter: randomFilter(r), RepeatableOnly: r.IntN(2) == 0}
	p.Rest.Base = time.Duration(50*math.Pow(40, r.Float64())*1000) * time.Microsecond
	switch r.IntN(3) {
	case 1:
		p.Rest.Backoff.Growth = policy.Linear
	case 2:
		p.Rest.Backoff = policy.Backoff{Growth: policy.Exponential, Factor: policy.Factor(1250 + 50*r.IntN(36))}
	}
	if r.IntN(3) == 0 {
		p.Rest.Cap = time.Duration(float64(p.Rest.Base) * (1.5 + 6*r.Float64()))
	}
	p.Rest.Jitter.Law = policy.Law(r.IntN(5))
	if p.Rest.Jitter.Law == policy.Proportional {
		p.Rest.Jitter.Share = []int64{100_000, 200_000, 250_000, 500_000, 750_000}[r.IntN(5)]
	}
	p.Rest.Order = policy.Order(r.IntN(2))
	p.RetryAfter = policy.RetryAfterRule(r.IntN(2))
	if r.IntN(5) == 0 {
		first, last := float64(p.Rest.Largest(1)), float64(p.Rest.Largest(p.Attempts))
		p.MaxElapsed = time.Duration(first*1.4 + last*2*r.Float64())
		p.Rule = policy.ElapsedRule(r.IntN(2))
	}
	return p
}

func randomFilter(r *rand.Rand) policy.Filter {
	words := []string{"503"}
	for _, w := range []string{"400", "401", "403", "404", "408", "409", "422", "425", "429", "500", "501", "502", "504", "timeout", "refused", "reset", "malformed"} {
		if r.IntN(2) == 0 {
			words = append(words, w)
		}
	}
	f, err := policy.ParseFilter(words...)
	if err != nil {
		panic(err)
	}
	return f
}

var seed = flag.Int("policies", 1, "seed of the random policies")

var repeats = flag.Int("repeats", 30, "trials of the gap probe")

// TestRandomPolicies: what the lab's own retry does with two hundred settings is read
// back from its arrivals.
func TestRandomPolicies(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seed), 2))
	const policies = 200
	wrong := map[string]int{}
	asked := map[string]int{}
	for i := range policies {
		retry := randomPolicy(r)
		s := &simulated{retry: retry, number: uint64(i), noise: r, timeout: time.Second}
		if retry.MaxElapsed > 0 { // or it would hide what follows a timeout
			s.timeout = min(time.Second, retry.MaxElapsed/4)
		}
		trials := s.all(*repeats)
		v := infer.Infer(trials, measured)
		for what, problem := range compare(retry, trials, v.Policy) {
			asked[what]++
			if problem != "" {
				wrong[what]++
				t.Logf("%d: %s: %s\n\t%s\n\t%s", i, what, problem, describe(retry), told(v.Policy))
			}
		}
	}
	for _, what := range []string{"attempts", "filter", "base", "factor", "law", "cap", "order", "retry-after", "methods", "elapsed", "short"} {
		t.Logf("%s: %d of %d wrong", what, wrong[what], asked[what])
		limit := asked[what] / 20
		switch what {
		case "attempts", "filter", "methods", "short":
			limit = 0
		case "cap", "order", "elapsed":
			limit = asked[what] / 5 // of the few that are named at all
		}
		if wrong[what] > limit {
			t.Errorf("%s: %d of %d wrong, at most %d may be", what, wrong[what], asked[what], limit)
		}
	}
}

func describe(p policy.Retry) string {
	return fmt.Sprintf("attempts %d, base %v %v cap %v jitter %v order %v, retry-after %d, elapsed %v rule %d",
		p.Attempts, p.Rest.Base, p.Rest.Backoff, p.Rest.Cap, p.Rest.Jitter, p.Rest.Order, p.RetryAfter, p.MaxElapsed, p.Rule)
}

func told(p audit.Policy) string {
	s := fmt.Sprintf("attempts %d (at least: %v)", p.Attempts, p.AtLeast)
	if p.Rest != nil {
		s += fmt.Sprintf(", %+v", *p.Rest)
	}
	if p.RetryAfter != nil {
		s += fmt.Sprintf(", %+v", *p.RetryAfter)
	}
	if p.Elapsed != nil {
		s += fmt.Sprintf(", %+v", *p.Elapsed)
	}
	return s + fmt.Sprintf(", undecided %q", p.Undecided)
}

// compare says what is wrong with each part that the trials can show.
func compare(p policy.Retry, trials []audit.Trial, got audit.Policy) map[string]string {
	problems := map[string]string{}
	check := func(what string, ok bool, format string, args ...any) {
		problems[what] = ""
		if !ok {
			problems[what] = fmt.Sprintf(format, args...)
		}
	}
	check("attempts", rightAttempts(p, trials, got), "%d", got.Attempts)
	check("filter", slices.Equal(sorted(got.On), sorted(p.Filter.Words())), "got %v, want %v", got.On, p.Filter.Words())
	check("methods", rightPost(p, got), "%+v", got.Methods)
	check("retry-after", rightRetryAfter(p, got), "%+v", got.RetryAfter)
	if got.Elapsed != nil {
		check("elapsed", rightElapsed(p, got.Elapsed), "%+v", *got.Elapsed)
	}
	if most(trials) < 2 || got.Rest == nil {
		return problems // a limit of the time ends every call before its first rest
	}
	n := rests(trials)
	if slices.ContainsFunc(got.Undecided, func(u string) bool { return strings.Contains(u, "rests of under 50 ms") }) {
		check("short", got.Rest.Jitter == "" && p.Rest.Jitter.Law != policy.NoJitter && p.Rest.Base < 100*time.Millisecond, "%+v", *got.Rest)
		return problems // its longest rests are mostly below that, so that it is right not to tell
	}
	want := float64(p.Rest.Base) / 1e6
	if p.Rest.Cap > 0 {
		want = min(want, float64(p.Rest.Cap)/1e6)
	}
	if got.Rest.CapMS > 0 {
		check("cap", p.Rest.Cap > 0 && near(got.Rest.CapMS, float64(p.Rest.Cap)/1e6), "%v, want %v", got.Rest.CapMS, p.Rest.Cap)
	}
	if got.Rest.Order != "" && p.Rest.Jitter.Law != policy.Decorrelated {
		want := []string{"cap-then-jitter", "jitter-then-cap"}[p.Rest.Order]
		check("order", got.Rest.Order == want, "%s, want %s", got.Rest.Order, want)
	}
	check("law", rightLaw(p.Rest, n, got), "%q", got.Rest.Jitter)
	if n == 1 && (p.Rest.Jitter.Law == policy.Decorrelated || p.Rest.Jitter.Share == 500_000) {
		return problems // either, and the base depends on which
	}
	check("base", near(got.Rest.BaseMS, want), "%v, want %v", got.Rest.BaseMS, want)
	if p.Rest.Jitter.Law != policy.Decorrelated {
		check("factor", rightGrowth(p.Rest, n, got.Rest), "%s %v", got.Rest.Growth, got.Rest.Factor)
	}
	return problems
}

// rightPost: a POST without a key is tried again unless only what is repeatable is.
func rightPost(p policy.Retry, got audit.Policy) bool {
	i := slices.IndexFunc(got.Methods, func(m audit.MethodRule) bool { return m.Method == "POST" })
	want := "yes"
	if p.RepeatableOnly {
		want = "no"
	}
	if p.MaxElapsed > 0 && want == "yes" {
		return got.Methods[i].Retried != "no" // not all faults leave it the time
	}
	return got.Methods[i].Retried == want
}

// rightRetryAfter accepts that nothing is said, and that a call whose time the wait
// would exceed is given up.
func rightRetryAfter(p policy.Retry, got audit.Policy) bool {
	if got.RetryAfter == nil || got.RetryAfter.Seconds == "" {
		return true
	}
	s := got.RetryAfter.Seconds
	if p.RetryAfter == policy.Ignore {
		return s == "ignored"
	}
	return s == "exact" || s == "floor" || s == "gives-up" && p.MaxElapsed > 0
}

func rightElapsed(p policy.Retry, got *audit.Elapsed) bool {
	limit := float64(p.MaxElapsed) / 1e6
	within := got.FromMS <= limit+25 && limit <= got.ToMS+25
	rule := []string{"after-rest", "before-rest"}[p.Rule]
	return p.MaxElapsed > 0 && within && (got.Rule == "" || got.Rule == rule)
}

// near is within 5 % or the noise.
func near(got, want float64) bool { return math.Abs(got-want) <= max(0.05*want, 4) }

func sorted(words []string) []string { return slices.Sorted(slices.Values(words)) }

// rightAttempts: the number, or where time ended all calls sooner the most that was
// seen, and no claim that it is all.
func rightAttempts(p policy.Retry, trials []audit.Trial, got audit.Policy) bool {
	return got.Attempts == most(trials) && (got.Attempts == p.Attempts || p.MaxElapsed > 0 && (got.AtLeast || got.Elapsed == nil))
}

func most(trials []audit.Trial) int {
	n := 0
	for _, t := range trials {
		if t.Probe.Method == "GET" && (t.Probe.Fault.Group == audit.Status || t.Probe.Fault.Group == audit.RetryAfter) {
			n = max(n, len(t.Attempts()))
		}
	}
	return n
}

// rests is how many rests nearly all trials of the gap probe have.
func rests(trials []audit.Trial) int {
	n := math.MaxInt
	for _, t := range trials {
		if t.Probe.Fault.Name == "503" && t.Probe.Method == "GET" && t.Probe.Connection == audit.Fresh && len(t.Attempts()) > 1 {
			n = min(n, len(t.Attempts())-1)
		}
	}
	return n
}

// rightLaw accepts another name for the same law: ±100 % is full, ±33 % is equal, and
// of one rest ±50 % is decorrelated, which may also stay undecided.
func rightLaw(r policy.Rest, rests int, got audit.Policy) bool {
	want := r.Jitter.String()
	if rests == 1 && (want == "50%" || want == "decorrelated") {
		return got.Rest.Jitter == "" || got.Rest.Jitter == "decorrelated" || nearShare(got.Rest.Jitter, 47)
	}
	return got.Rest.Jitter == want || r.Jitter.Law == policy.Proportional && nearShare(got.Rest.Jitter, float64(r.Jitter.Share)/1e4)
}

func nearShare(text string, want float64) bool {
	j, err := policy.ParseJitter(text)
	return err == nil && j.Law == policy.Proportional && math.Abs(float64(j.Share)/1e4-want) <= max(2, 0.1*want)
}

// rightGrowth compares the rests that follow from growth, factor and cap: of two rests
// any growth is the same.
func rightGrowth(r policy.Rest, rests int, got *audit.Rest) bool {
	if rests == 1 {
		return true
	}
	b := policy.Backoff{}
	switch got.Growth {
	case "linear":
		b.Growth = policy.Linear
	case "exponential":
		b = policy.Backoff{Growth: policy.Exponential, Factor: policy.Factor(math.Round(got.Factor * 1000))}
	case "": // of two rests the growth is not told, but how much longer the second is
		if rests != 2 || got.Factor == 0 {
			return false
		}
		b = policy.Backoff{Growth: policy.Exponential, Factor: policy.Factor(math.Round(got.Factor * 1000))}
	}
	if r.Backoff.Growth == policy.Exponential && b.Growth == policy.Exponential && math.Abs(got.Factor*1000/float64(r.Backoff.Factor)-1) < 0.05 {
		return true
	}
	none := policy.Rest{Base: time.Duration(got.BaseMS * 1e6), Backoff: b, Cap: time.Duration(got.CapMS * 1e6)}
	r.Jitter = policy.Jitter{}
	for n := 1; n <= rests; n++ {
		want, is := float64(r.After(n, 0, 0)), float64(none.After(n, 0, 0))
		if math.Abs(is-want) > max(0.08*want, 4e6) {
			return false
		}
	}
	return true
}
