package sim

import (
	"testing"
	"time"
)

// Case A19: three attempts a second apart at a handler of three seconds, with one
// key. How often the work is done depends on when the service writes the key down.
func TestCaseA19IdempotencyKeys(t *testing.T) {
	const client, a = "services.client.calls.a.", "services.a.idempotency="
	for _, tt := range []struct {
		what     string
		settings []string
		words    string
		hits     []time.Duration
		effects  int64
		end      int
	}{
		{"no key", []string{a + "reserve-first", "load.key=false"}, "timeout", ms(0, 1000, 2000), 3, 3000},
		{"a service that does not look", nil, "timeout", ms(0, 1000, 2000), 3, 3000},
		{"stored after the work", []string{a + "store-after"}, "timeout", ms(0, 1000, 2000), 3, 3000},
		{"reserved first", []string{a + "reserve-first"}, "409", ms(0, 1000, 1000), 1, 1000},
		{"a conflict is not tried again", []string{a + "reserve-first", client + "retry.on=[timeout]"}, "409", ms(0, 1000), 1, 1000},
		{"a later attempt finds the answer", []string{a + "reserve-first", client + "retry.rest=1500ms"}, "200", ms(0, 2500, 4000), 1, 4000},
		{"and waited for: the reply at 3 s wins", []string{a + "reserve-and-wait"}, "200", ms(0, 1000, 2000), 1, 3000},
		{"what was stored is sent again", []string{a + "store-after", "services.a.fault=lost+delay=3s,ok", client + "retry.on=[timeout,reset]", client + "timeout=4s"}, "200", ms(0, 3000), 1, 3000},
		{"work that failed leaves the key free", []string{a + "reserve-first", "services.a.fault=reset+delay=500ms,ok+delay=100ms", client + "retry.on=[reset]"}, "200", ms(0, 500), 1, 600},
		{"and lets one of those who wait do it", []string{a + "reserve-and-wait", "services.a.fault=reset+delay=1500ms,ok+delay=200ms"}, "200", ms(0, 1000), 1, 1700},
		{"a crash that passes on cancellation frees it too", []string{a + "reserve-first", client + "keep_working=false"}, "timeout", ms(0, 1000, 2000), 0, 3000},
	} {
		base := []string{"load.key=true", "services.a.fault=ok+delay=3s", client + "timeout=1s", client + "keep_working=true", client + "retry.on=[timeout,409]"}
		for what, c := range map[string]change{"": set(), ", by workers": workers(10, 0)} {
			o := run(t, lab([]int{3}, set(append(base, tt.settings...)...), c))
			equal(t, tt.what+what, o.words(), tt.words)
			same(t, tt.what+what+": hits", o.at(), tt.hits)
			equal(t, tt.what+what+": effects", o.Effects, tt.effects)
			same(t, tt.what+what+": end", o.ends(), ms(tt.end))
		}
	}
}

// Who waits for another's answer holds a worker: with two of them, nobody is left
// for the next client until the first is done at 3.1 s.
func TestWaitingForAnAnswerHoldsAWorker(t *testing.T) {
	const client = "services.client.calls.a."
	for mode, ends := range map[string][]time.Duration{"reserve-and-wait": ms(2000, 3200), "reserve-first": ms(1000, 1600)} {
		o := run(t, lab([]int{2}, set("load.key=true", "services.a.idempotency="+mode, "services.a.fault=ok+delay=3s,ok", client+"timeout=1s",
			client+"keep_working=true", client+"retry.on=[timeout]"), arriving(ms(0, 1500)...), workers(2, 100*time.Millisecond)))
		same(t, mode, o.ends(), ends)
	}
}

// A service in the middle stores what its call came to.
func TestKeysOfAGateway(t *testing.T) {
	o := run(t, lab([]int{3, 1}, set("load.key=true", "services.a.idempotency=store-after", "services.a.fault=lost,ok", "services.b.fault=404")))
	equal(t, "outcome", o.words(), "404")
	same(t, "hits", o.counts(), []int64{2, 1})
	o = run(t, lab([]int{3, 1}, set("load.key=true", "services.a.idempotency=reserve-first", "services.b.fault=503")))
	same(t, "a failure is not stored", o.counts(), []int64{3, 3})
}
