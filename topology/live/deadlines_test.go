package live_test

import (
	"testing"
	"testing/synctest"

	"labctl/topology/live"
)

// Three layers of three on a tail of 60 ms, with a deadline of 310 ms that is
// checked, or enforced, by everybody. None of the ways in which it travels is free
// of error.
func TestDeadlines(t *testing.T) {
	const tail = "services.c.fault=503+delay=60ms"
	edges := []string{"services.client.calls.a.", "services.a.calls.b.", "services.b.calls.c."}
	all := func(settings ...string) []string {
		out := []string{tail, edges[0] + "deadline.limit=310ms"}
		for _, e := range edges {
			for _, s := range settings {
				out = append(out, e+"deadline."+s)
			}
		}
		return out
	}
	// lastOnly has the layer above the tail check, and nobody else.
	lastOnly := func(mode string) []string {
		return []string{tail, edges[0] + "deadline.limit=310ms", edges[0] + "deadline.mode=" + mode, edges[1] + "deadline.mode=" + mode, edges[2] + "deadline.check=true"}
	}
	for _, tt := range []struct {
		what     string
		settings []string
		hits     int64
		elapsed  float64
		outcome  string
	}{
		{"none", []string{tail}, 9, 540, "failed"},
		{"checked at the client only, which tries once", []string{tail, edges[0] + "deadline.limit=310ms", edges[0] + "deadline.check=true"}, 9, 540, "failed"},
		{"an instant, checked: the sixth begins at 300 ms and is the last", all("check=true", "mode=absolute"), 6, 360, "failed"},
		{"a remaining time, likewise where nothing takes time on the way", all("check=true", "mode=remaining"), 6, 360, "failed"},
		{"a fresh time at every hop: b's calls of 180 ms all fit", all("check=true", "mode=per-hop"), 6, 360, "failed"},
		{"an instant that only b looks at", lastOnly("absolute"), 6, 360, "failed"},
		{"a remaining time that only b looks at", lastOnly("remaining"), 6, 360, "failed"},
		{"a fresh time at every hop is no deadline there", lastOnly("per-hop"), 9, 540, "failed"},
		{"an instant, enforced by the client", append(all("mode=absolute"), edges[0]+"deadline.enforce=true"), 6, 310, "timeout"},
		{"a slow network eats of a remaining time unseen", append(all("check=true", "mode=remaining"), edges[0]+"latency=55ms"), 6, 470, "failed"},
		{"an instant holds there", append(all("check=true", "mode=absolute"), edges[0]+"latency=55ms"), 5, 410, "failed"},
		{"a tail that is ahead does not matter: it calls nobody", append(all("check=true", "mode=absolute"), "services.c.skew=1h"), 6, 360, "failed"},
		{"b is 100 ms ahead and gives up early", append(all("check=true", "mode=absolute"), "services.b.skew=100ms"), 4, 240, "failed"},
		{"b is 100 ms behind and does not see the end: a stops it", append(all("check=true", "mode=absolute"), "services.b.skew=-100ms"), 6, 360, "failed"},
		{"with a skew that both share, nothing moves", append(all("check=true", "mode=absolute"), "services.client.skew=1h", "services.a.skew=1h", "services.b.skew=1h"), 6, 360, "failed"},
		{"clocks do not matter to a remaining time", append(all("check=true", "mode=remaining"), "services.b.skew=1h"), 6, 360, "failed"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := run(t, lab(t, []int{1, 3, 3}, tt.settings...), live.Pipe())
				equal(t, "hits", o.Hits, tt.hits)
				equal(t, "elapsed", o.ElapsedMS, tt.elapsed)
				got := "failed"
				if o.Outcomes.Timeout > 0 {
					got = "timeout"
				}
				equal(t, "outcome", got, tt.outcome)
				equal(t, "mismatch", o.warning("hits-differ-from-attempts"), "")
			})
		})
	}
}

// A Retry-After, as seconds or as a date, is the least rest; what cannot be read,
// and what a service gets from the one behind it, is none.
func TestRetryAfter(t *testing.T) {
	const rest = "services.client.calls.a.retry."
	for _, tt := range []struct {
		what     string
		attempts []int
		settings []string
		instants []float64
		early    int64
	}{
		{"seconds", []int{3}, []string{"services.a.fault=503+retry-after=2"}, []float64{0, 2000, 4000}, 0},
		{"a date", []int{3}, []string{"services.a.fault=503+date-retry-after=2"}, []float64{0, 2000, 4000}, 0},
		{"a date is a whole second, rounded up", []int{3}, []string{"services.a.fault=503+date-retry-after=2+delay=300ms"}, []float64{0, 3000, 6000}, 0},
		{"a caller that is behind waits too long for a date", []int{2}, []string{"services.a.fault=503+date-retry-after=2", "services.client.skew=-400ms"}, []float64{0, 2400}, 0},
		{"a longer rest is not shortened", []int{3}, []string{"services.a.fault=503+retry-after=2", rest + "rest=5s"}, []float64{0, 5000, 10000}, 0},
		{"nor does a cap", []int{3}, []string{"services.a.fault=503+retry-after=2", rest + "rest=10ms", rest + "cap=1s"}, []float64{0, 2000, 4000}, 0},
		{"what cannot be read is none", []int{3}, []string{"services.a.fault=503+raw-retry-after=soon", rest + "rest=70ms"}, []float64{0, 70, 140}, 0},
		{"a client that does not obey comes early", []int{3}, []string{"services.a.fault=503+retry-after=2", rest + "rest=70ms", rest + "retry_after=ignore"}, []float64{0, 70, 140}, 2},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := run(t, lab(t, tt.attempts, tt.settings...), live.Pipe())
				same(t, "instants", o.offsets("a"), tt.instants)
				equal(t, "early hits", o.EarlyHits, tt.early)
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		o := run(t, lab(t, []int{2, 1}, "services.b.fault=503+retry-after=2", rest+"rest=70ms"), live.Pipe())
		same(t, "a does not pass it on", o.offsets("b"), []float64{0, 70})
	})
}

// An answer of a fallback stays one on its way up, and is no reason to try again.
func TestDegraded(t *testing.T) {
	for net, n := range networks() {
		o := run(t, lab(t, []int{3, 2}, "services.b.fault=503", "services.a.calls.b.fallback.static=true"), n)
		equal(t, net+": degraded", o.Outcomes.Degraded, 1)
		equal(t, net+": hits", o.Hits, 2)
		equal(t, net+": what the client saw", o.words("a"), "degraded")
		equal(t, net+": fallback", o.Layers[1].Fallback.Degraded, 1)
	}
}
