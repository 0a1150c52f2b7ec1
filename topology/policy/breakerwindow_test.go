package policy

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestBreakerWindow: failures within a window, consecutive or not.
func TestBreakerWindow(t *testing.T) {
	three := Breaker{Failures: 3, Window: 10 * time.Second, OpenFor: time.Second}
	for _, r := range []breakerRow{
		{"successes between them change nothing", three, "0 503, 1 200, 2 503, 3 200, 4 503, 4.1 200", "503 200 503 200 503 rejected", "open 4"},
		{"the window holds its start and not its end", three, "0 503, 5 503, 10 503, 10.1 200", "503 503 503 200", ""},
		{"a nanosecond earlier is within it", three, "0 503, 5 503, 9.999999999 503, 10 200", "503 503 503 rejected", "open 9.999999999"},
		{"it slides", three, "0 503, 5 503, 10 503, 14 503, 14.1 200", "503 503 503 503 rejected", "open 14"},
		{"closed again, it has forgotten the failures", three, "0 503, 1 503, 2 503, 3 200, 4 503, 5 503, 6 503",
			"503 503 503 200 503 503 503", "open 2, half-open 3, closed 3, open 6"},
		{"failures without a number are five", Breaker{Window: time.Second}, "0 503, 0.1 503, 0.2 200, 0.3 503, 0.4 503, 0.5 503, 0.6 200",
			"503 503 200 503 503 503 rejected", "open 0.5"},
	} {
		r.run(t)
	}
}

// TestBreakerRate: percent failures of what a window holds.
func TestBreakerRate(t *testing.T) {
	half := Breaker{Rate: 50, Window: 10 * time.Second, Volume: 4}
	third := Breaker{Rate: 34, Window: 10 * time.Second, Volume: 3}
	and := half
	and.Failures = 2
	ignoring := half
	ignoring.Ignore = words("404")
	for _, r := range []breakerRow{
		{"nothing before the volume is reached", half, "0 503, 1 503, 2 503", "503 503 503", ""},
		{"the rate exactly is enough", half, "0 200, 1 503, 2 200, 3 503, 4 200", "200 503 200 503 rejected", "open 3"},
		{"a third is less than 34%", third, "0 200, 1 200, 2 503, 3 200", "200 200 503 200", ""},
		{"the success that completes the volume may open it", half, "0 503, 1 503, 2 503, 3 200, 4 200", "503 503 503 200 rejected", "open 3"},
		{"what says nothing is no part of the volume", ignoring, "0 503, 1 503, 2 503, 3 404, 4 200", "503 503 503 404 200", "open 4"},
		{"no number of failures opens it if none is set", Breaker{Rate: 100}, "0 503, 1 503, 2 503, 3 503, 4 503, 5 503, 6 200", "503 503 503 503 503 503 200", ""},
		{"with a number of consecutive failures as well, whichever comes first", and, "0 503, 9 503, 9.1 200", "503 503 rejected", "open 9"},
		{"which the window does not bound", and, "0 503, 20 503, 20.1 200", "503 503 rejected", "open 20"},
		{"closed again, it has forgotten the failures", Breaker{Rate: 50, Window: 10 * time.Second, Volume: 4, OpenFor: time.Second},
			"0 503, 0.1 503, 0.2 503, 0.3 503, 1.3 200, 1.4 503, 1.5 503, 1.6 503, 1.7 200", "503 503 503 503 200 503 503 503 200", "open 0.3, half-open 1.3, closed 1.3, open 1.7"},
		{"after the window nothing is left of a failure", half, "0 503, 0.5 503, 10 503, 11 200, 12 200, 13 200, 14 200", "503 503 503 200 200 200 200", ""},
		{"after 9/10 of it a part may be left", half, "0 503, 0.5 503, 9.9 503, 9.95 200, 9.98 200", "503 503 503 200 rejected", "open 9.95"},
	} {
		r.run(t)
	}
}

// TestLastFailuresIsExact compares it with a list of all failures.
func TestLastFailuresIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 6).Draw(t, "count")
		window := time.Duration(rapid.IntRange(1, 20).Draw(t, "window"))
		var l lastFailures
		var all []Instant
		now := Instant(0)
		for range rapid.IntRange(1, 60).Draw(t, "failures") {
			now = now.Add(time.Duration(rapid.IntRange(0, 8).Draw(t, "pause")))
			all = append(all, now)
			within := 0
			for _, f := range all {
				if f > now-Instant(window) {
					within++
				}
			}
			if got, want := l.add(now, count, window), within >= count; got != want {
				t.Fatalf("%d failures in %d after %v: got %v, want %v", count, window, all, got, want)
			}
			if cap(l.at) > 2*count {
				t.Fatalf("keeps %d instants for %d failures", cap(l.at), count)
			}
		}
	})
}

// TestFailureRateForgetsInTenths: every outcome of the last 9/10 of the window
// counts, and none from before it.
func TestFailureRateForgetsInTenths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := time.Duration(rapid.IntRange(1, 30).Draw(t, "tenth")) * buckets
		var r failureRate
		var all, failed []Instant
		now := Instant(0)
		since := func(list []Instant, share time.Duration) int64 {
			first := now - Instant(share)
			return int64(len(list) - slices.IndexFunc(append(list, first+1), func(i Instant) bool { return i > first }))
		}
		for range rapid.IntRange(1, 60).Draw(t, "outcomes") {
			now = now.Add(time.Duration(rapid.IntRange(0, int(window)).Draw(t, "pause")))
			fails := rapid.Bool().Draw(t, "fails")
			all = append(all, now)
			if fails {
				failed = append(failed, now)
			}
			calls, failures := r.add(now, fails, window)
			least, most := since(all, window*9/10), since(all, window)
			leastFailed, mostFailed := since(failed, window*9/10), since(failed, window)
			if calls < least || calls > most || failures < leastFailed || failures > mostFailed {
				t.Fatalf("at %d: %d of %d, want %d…%d of %d…%d", now, failures, calls, leastFailed, mostFailed, least, most)
			}
		}
	})
}
