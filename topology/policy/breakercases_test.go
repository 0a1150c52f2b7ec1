package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// a07 is the breaker of case A07.
var a07 = Breaker{Failures: 5, OpenFor: time.Second, Permits: 2, Successes: 2, Ignore: mustFilter("404")}

// everyTenth is 50 calls, one each 100 ms; the service gives hit n the nth answer
// and the last to all others.
func everyTenth(b *BreakerState, answers ...visit) *driver {
	hits := 0
	d := newDriver([]Policy{b}, true, func(int, Instant) (Outcome, time.Duration) {
		hits++
		a := answers[min(hits, len(answers))-1]
		return a.outcome, a.takes
	})
	for i := range 50 {
		d.start(at(time.Duration(i)*100*time.Millisecond), Request{})
	}
	return d
}

// downThen is five answers of 503, and then these.
func downThen(more ...visit) []visit {
	down := visit{outcome: unavailable}
	return append([]visit{down, down, down, down, down}, more...)
}

// TestIgnoredProbeGivesItsPermitBack is case A07.
func TestIgnoredProbeGivesItsPermitBack(t *testing.T) {
	b := a07.New()
	d := everyTenth(b, downThen(visit{outcome: Status(404)}, visit{outcome: Status(200)})...)
	d.run(5 * time.Second)
	g := b.Signals()
	equal(t, "changes", changesOf(g), "open 0.4, half-open 1.4, closed 1.6")
	equal(t, "status", g.Status, Closed)
	equal(t, "hits", d.allHits(), 41)
	equal(t, "counters", countersOf(g), "41 admitted, 35 good, 5 failed, 1 ignored, 9 rejected, 3 probes")
	equal(t, "answers", d.outcomes(), strings.Join([]string{strings.Repeat("503 ", 5) + strings.TrimSpace(strings.Repeat("rejected ", 9)),
		"404", strings.TrimSpace(strings.Repeat("200 ", 35))}, " "))
}

// TestHangingProbeIsStuck is case A07, second run: a breaker gives a permit back
// when the probe ends, so without a timeout one that never does holds it for ever.
func TestHangingProbeIsStuck(t *testing.T) {
	one := a07
	one.Permits, one.Successes = 1, 1
	hangs, fine := visit{outcome: Status(200), takes: hang}, visit{outcome: Status(200)}
	for _, row := range []struct {
		sentence string
		breaker  Breaker
		answers  []visit
		changes  string
		hits     int
		report   string
	}{
		{"the only permit is taken", one, downThen(hangs, fine), "open 0.4, half-open 1.4", 6, "half-open, 1 in flight for 3.6s"},
		{"both permits are taken", a07, downThen(hangs, hangs, fine), "open 0.4, half-open 1.4", 7, "half-open, 2 in flight for 3.6s"},
		{"one of two is taken, the other is enough", a07, downThen(hangs, fine), "open 0.4, half-open 1.4, closed 1.6", 41, "closed, 0 in flight"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := row.breaker.New()
			d := everyTenth(b, row.answers...)
			d.run(5 * time.Second)
			g := b.Signals()
			equal(t, "changes", changesOf(g), row.changes)
			equal(t, "hits", d.allHits(), row.hits)
			equal(t, "rejected", g.Rejected, int64(50-row.hits))
			report := fmt.Sprintf("%v, %d in flight", g.Status, g.ProbesInFlight)
			if g.ProbesInFlight > 0 {
				report += fmt.Sprint(" for ", at(5*time.Second).Sub(g.OldestProbe))
			}
			equal(t, "report", report, row.report)
		})
	}
}

// TestTimeoutInsideFreesTheProbe: the cure of case A07's second run.
func TestTimeoutInsideFreesTheProbe(t *testing.T) {
	b := two.New()
	d := visiting(true, parseVisits("0 503, 0.1 503, 1.1 200 hang, 1.3 200, 2.3 200"), b, &TimeoutAfter{Limit: 200 * time.Millisecond})
	d.run(horizon)
	equal(t, "answers", d.outcomes(), "503 503 timeout rejected 200")
	equal(t, "changes", changesOf(b.Signals()), "open 0.1, half-open 1.1, open 1.3, half-open 2.3, closed 2.3")
}

// a13 is case A13: a healthy service that takes 500 ms, nine calls at 0 of route 1
// that do not wait for it, then 80 calls at 10/s.
func a13(leaves time.Duration, stack ...Policy) *driver {
	slow := visit{outcome: Status(200), takes: 500 * time.Millisecond}
	var visits []visit
	for range 9 {
		v := slow
		v.route, v.leaves = 1, leaves
		visits = append(visits, v)
	}
	for i := range 80 {
		v := slow
		v.at = time.Duration(i+1) * 100 * time.Millisecond
		visits = append(visits, v)
	}
	d := visiting(true, visits, stack...)
	d.run(horizon)
	return d
}

var fiveInTen = Breaker{Failures: 5, Window: 10 * time.Second}

// TestCancelledIsNoFailure is case A13: callers that leave say nothing about the
// service, and one's own timeout does.
func TestCancelledIsNoFailure(t *testing.T) {
	b := fiveInTen.New()
	d := a13(50*time.Millisecond, b)
	equal(t, "answers", d.outcomes(), strings.Repeat("cancelled ", 9)+strings.TrimSpace(strings.Repeat("200 ", 80)))
	equal(t, "counters", countersOf(b.Signals()), "89 admitted, 80 good, 9 cancelled")
	equal(t, "status", b.Signals().Status, Closed)

	b = fiveInTen.New()
	d = a13(0, b, &Only{Policy: &TimeoutAfter{Limit: 50 * time.Millisecond}, Route: 1})
	equal(t, "answers", d.outcomes(), strings.Repeat("timeout ", 9)+strings.TrimSpace(strings.Repeat("rejected ", 80)))
	equal(t, "counters", countersOf(b.Signals()), "9 admitted, 5 failed, 5 timeouts, 4 stale, 80 rejected")
	equal(t, "changes", changesOf(b.Signals()), "open 0.05")
}

// TestCancelledProbeGivesItsPermitBack is case A13's variant: whether an attempt
// or another policy is directly inside.
func TestCancelledProbeGivesItsPermitBack(t *testing.T) {
	for name, inside := range map[string][]Policy{
		"attempt":  nil,
		"timeout":  {&TimeoutAfter{Limit: time.Minute}},
		"two more": {&Retry{Attempts: 1}, &TimeoutAfter{Limit: time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			b := two.New()
			visits := parseVisits("0 503, 0.1 503, 1.1 200 +0.5 leaves:1.15, 1.2 200, 1.3 200")
			d := visiting(true, visits, append([]Policy{b}, inside...)...)
			d.run(horizon)
			equal(t, "answers", d.outcomes(), "503 503 cancelled 200 200")
			equal(t, "changes", changesOf(b.Signals()), "open 0.1, half-open 1.1, closed 1.2")
			equal(t, "counters", countersOf(b.Signals()), "5 admitted, 2 good, 2 failed, 1 cancelled, 2 probes")
		})
	}
}
