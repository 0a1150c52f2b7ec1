package policy

import (
	"testing"
	"time"
)

// atTens gives the nth call, which starts n·10 s after the release, the nth outcome.
func atTens(outcomes ...Outcome) tail {
	return func(_ int, now Instant) (Outcome, time.Duration) {
		return outcomes[min(int(now/at(10*time.Second)), len(outcomes)-1)], 0
	}
}

// TestFallbackTimeline: one call every 10 s, and what its caller gets.
func TestFallbackTimeline(t *testing.T) {
	const s = time.Second
	ok, bad := Status(200), unavailable
	for _, row := range []struct {
		sentence string
		fallback Fallback
		tail     tail
		answers  string // of the calls at 0, 10, 20 and 30 s
		signals  FallbackSignals
	}{
		{"a good answer passes", Fallback{}, atTens(ok), "200 at 0, 200 at 10, 200 at 20, 200 at 30", FallbackSignals{}},
		{"a failure gets the last good answer, with its age", Fallback{}, atTens(ok, bad), "200 at 0, degraded at 10, degraded at 20, degraded at 30",
			FallbackSignals{Degraded: 3, Oldest: 30 * s, Age: 60 * s}},
		{"the age counts from the last good one", Fallback{}, atTens(ok, bad, ok, bad), "200 at 0, degraded at 10, 200 at 20, degraded at 30",
			FallbackSignals{Degraded: 2, Oldest: 10 * s, Age: 20 * s}},
		{"before the first good answer there is none", Fallback{}, atTens(bad, bad, ok, bad), "503 at 0, 503 at 10, 200 at 20, degraded at 30",
			FallbackSignals{Degraded: 1, Missing: 2, Oldest: 10 * s, Age: 10 * s}},
		{"an answer that is too old is none", Fallback{MaxAge: 15 * s}, atTens(ok, bad), "200 at 0, degraded at 10, 503 at 20, 503 at 30",
			FallbackSignals{Degraded: 1, Missing: 2, Oldest: 10 * s, Age: 10 * s}},
		{"one of exactly that age is not too old", Fallback{MaxAge: 20 * s}, atTens(ok, bad), "200 at 0, degraded at 10, degraded at 20, 503 at 30",
			FallbackSignals{Degraded: 2, Missing: 1, Oldest: 20 * s, Age: 30 * s}},
		{"a static answer is there from the start, and has no age", Fallback{Static: true, MaxAge: s}, atTens(bad), "degraded at 0, degraded at 10, degraded at 20, degraded at 30",
			FallbackSignals{Degraded: 4}},
		{"a good answer is better", Fallback{Static: true}, atTens(bad, ok, bad), "degraded at 0, 200 at 10, degraded at 20, degraded at 30",
			FallbackSignals{Degraded: 3, Oldest: 20 * s, Age: 30 * s}},
		{"and when that is too old, the static one still is there", Fallback{Static: true, MaxAge: 15 * s}, atTens(ok, bad), "200 at 0, degraded at 10, degraded at 20, degraded at 30",
			FallbackSignals{Degraded: 3, Oldest: 10 * s, Age: 10 * s}},
		{"what is wrong with the request is no reason", Fallback{}, atTens(ok, Status(404), Status(400), Status(499)), "200 at 0, 404 at 10, 400 at 20, 499 at 30", FallbackSignals{}},
		{"too many requests is one", Fallback{}, atTens(ok, Status(429), Status(500), Status(504)), "200 at 0, degraded at 10, degraded at 20, degraded at 30",
			FallbackSignals{Degraded: 3, Oldest: 30 * s, Age: 60 * s}},
		{"and so is having no answer", Fallback{}, atTens(ok, Failed(Timeout), Failed(Rejected), Failed(Reset)), "200 at 0, degraded at 10, degraded at 20, degraded at 30",
			FallbackSignals{Degraded: 3, Oldest: 30 * s, Age: 60 * s}},
		{"a redirection is an answer", Fallback{}, atTens(Status(304), Failed(Malformed)), "304 at 0, degraded at 10, degraded at 20, degraded at 30",
			FallbackSignals{Degraded: 3, Oldest: 30 * s, Age: 60 * s}},
		{"a fallback further down has answered", Fallback{}, atTens(ok, Failed(Degraded)), "200 at 0, degraded at 10, degraded at 20, degraded at 30", FallbackSignals{}},
		{"a cancelled call passes", Fallback{Static: true}, atTens(ok, Failed(Cancelled)), "200 at 0, cancelled at 10, cancelled at 20, cancelled at 30", FallbackSignals{}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			f := row.fallback.New()
			d := newDriver([]Policy{f}, true, row.tail)
			var calls []*call
			for n := range 4 {
				calls = append(calls, d.start(at(time.Duration(n)*10*s), Request{}))
			}
			d.run(horizon)
			equal(t, "answers", results(calls), row.answers)
			equal(t, "signals", f.Signals(), row.signals)
		})
	}
}

// TestFallbackIsTheLastResort: it takes the outcome of all attempts, at the time
// at which the last of them failed.
func TestFallbackIsTheLastResort(t *testing.T) {
	f := Fallback{Static: true}.New()
	c := alone([]Policy{f, &Retry{Attempts: 3, Rest: Rest{Base: time.Second}}, &TimeoutAfter{Limit: time.Second}}, always(Status(200)).taking(hang), horizon)
	equal(t, "hits", c.hits(), "0 2 4")
	equal(t, "answer", c.result(), "degraded at 5")
	equal(t, "signals", f.Signals(), FallbackSignals{Degraded: 1})
}

// TestDegradedIsNotRetried: whatever a retry around a fallback retries.
func TestDegradedIsNotRetried(t *testing.T) {
	all := mustFilter("4xx", "5xx", "timeout", "refused", "reset", "malformed")
	for _, filter := range []Filter{{}, all} {
		c := alone([]Policy{&Retry{Attempts: 5, Filter: filter}, Fallback{Static: true}.New()}, always(unavailable), horizon)
		equal(t, "hits", c.hits(), "0")
		equal(t, "answer", c.result(), "degraded at 0")
		equal(t, "is a success", c.answers[0].OK(), false)
	}
	if _, err := ParseFilter("degraded"); err == nil {
		t.Error("a filter can be told to retry what a fallback answered")
	}
}

// TestFallbackOfACallerThatLeft: it is not counted as answered, however the work
// ends, but a good answer that comes after all is one for the next.
func TestFallbackOfACallerThatLeft(t *testing.T) {
	for _, row := range []struct {
		sentence string
		ends     Outcome
		next     string
		signals  FallbackSignals
	}{
		{"stopped", Failed(Cancelled), "503 at 0.000000009", FallbackSignals{Missing: 1}},
		{"the answer was on its way: a bad one", unavailable, "503 at 0.000000009", FallbackSignals{Missing: 1}},
		{"a good one", Status(200), "degraded at 0.000000009", FallbackSignals{Degraded: 1, Oldest: 6, Age: 6}},
	} {
		f := Fallback{}.New()
		e := NewEdge(1, []Policy{f}, true)
		root, list := e.Start(Request{}, 0, nil)
		equal(t, row.sentence, script(e.Cancel(root, 2, nil)), "stop, answer cancelled")
		equal(t, row.sentence, script(e.Done(list[0].Ref, row.ends, 3, nil)), "end")
		equal(t, row.sentence, f.Signals(), FallbackSignals{})
		_, list = e.Start(Request{}, 9, nil)
		list = e.Done(list[0].Ref, unavailable, 9, nil)
		equal(t, row.sentence, list[0].Outcome.String()+" at "+seconds(9), row.next)
		equal(t, row.sentence, f.Signals(), row.signals)
	}
}

// TestFallbackOfAnOrphan: nor where a timeout around it gave it up.
func TestFallbackOfAnOrphan(t *testing.T) {
	f := Fallback{Static: true}.New()
	c := alone([]Policy{&TimeoutAfter{Limit: time.Second}, f}, always(unavailable).taking(3*time.Second), horizon)
	equal(t, "answer", c.result(), "timeout at 1")
	equal(t, "signals", f.Signals(), FallbackSignals{})
	d := newDriver([]Policy{&TimeoutAfter{Limit: time.Second}, f}, false, always(unavailable).taking(3*time.Second))
	d.start(0, Request{})
	d.run(horizon)
	equal(t, "signals", f.Signals(), FallbackSignals{})
}

// TestFallbackPerEdge: each edge has its own last good answer.
func TestFallbackPerEdge(t *testing.T) {
	settings := Fallback{MaxAge: time.Minute}
	a, b := settings.New(), settings.New()
	alone([]Policy{a}, always(Status(200)), horizon)
	c := alone([]Policy{b}, always(unavailable), horizon)
	equal(t, "the other edge", c.result(), "503 at 0")
}
