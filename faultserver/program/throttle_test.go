package program_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/faultserver/program"
)

// The table is the specification of a throttle; ra is retry-after.
func TestThrottle(t *testing.T) {
	for _, tt := range []struct{ why, program, requests, want string }{
		{"a second's worth at once, then one per tenth", "throttle=10/s+burst=2", "@0s @0s @0s @99ms @100ms @100ms", "ok ok ra=1 ra=1 ok ra=1"},
		{"the burst is a second's worth", "throttle=2/s", "@0s @0s @0s @500ms @500ms", "ok ok ra=1 ok ra=1"},
		{"and at least 1", "throttle=1/m", "@0s @1s @59s @60s @60s", "ok ra=59 ra=1 ok ra=60"},
		{"a wait is rounded up", "throttle=1/m", "@0s @1ns @59999999999ns", "ok ra=60 ra=1"},
		{"who is turned away takes no token", "throttle=1/s", "@0s @999ms @999ms @1s", "ok ra=1 ra=1 ok"},
		{"a pause fills the bucket and no more", "throttle=1/s+burst=2", "@0s @0s @1h @1h @1h", "ok ok ok ok ra=1"},
		{"thirds of a second are exact", "throttle=3/s+burst=2", "@0s @0s @333333333ns @333333334ns @666666667ns @1s @1s", "ok ok ra=1 ok ok ok ra=1"},
		{"an instant before the last counts as that", "throttle=1/s", "@2s @1s @3s", "ok ra=1 ok"},
		{"a clock that is behind starts full as well", "throttle=1/s", "@-5s @-5s @-4s", "ok ra=1 ok"},
		{"ids share the bucket", "each:throttle=1/s", "a@0s b@0s", "ok ra=1"},
		{"it takes turns", "throttle=1/sx2,503", "@0s @0s @9s", "ok ra=1 503"},
		{"a window has a bucket, which rests outside", "throttle=1/s@0s..2s,503", "@0s @0s @2s @1s", "ok ra=1 503 ok"},
		{"options are those of the admitted", "throttle=1/s+delay=60ms+body=1KiB+close", "@0s @0s", "ok+delay=60ms+body=1KiB+close ra=1"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			got := strings.ReplaceAll(sequence(t, tt.program, tt.requests), "429+retry-after", "ra")
			if got != tt.want {
				t.Errorf("%s on %s:\n got %s\nwant %s", tt.program, tt.requests, got, tt.want)
			}
		})
	}
}

// Whatever comes, a throttle admits no more than its burst and what the rate adds, and
// who waits as long as it says is admitted.
func TestThrottleKeepsItsRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, burst := rapid.IntRange(1, program.MaxRate).Draw(t, "n"), rapid.IntRange(1, 50).Draw(t, "burst")
		per := rapid.SampledFrom([]time.Duration{time.Second, time.Minute}).Draw(t, "per")
		step := program.Step{Action: program.Action{Kind: program.Throttle}, Rate: program.Rate{N: n, Per: per, Burst: burst}}
		s := program.NewState(program.Program{Steps: []program.Step{step}})
		var at time.Duration
		admitted := 0
		for _, pause := range rapid.SliceOfN(rapid.Int64Range(0, int64(3*per)/int64(n)), 1, 100).Draw(t, "pauses") {
			at += time.Duration(pause)
			a := s.Next("", at, 0)
			if a.Kind == program.OK {
				admitted++
				continue
			}
			at += a.RetryAfter
			if a = s.Next("", at, 0); a.Kind != program.OK {
				t.Fatalf("turned away %v later than it was told to wait", a)
			}
			admitted++
		}
		if most := float64(burst) + float64(at)*float64(n)/float64(per) + 1e-6; float64(admitted) > most {
			t.Fatalf("%d admitted in %v, want at most %.1f", admitted, at, most)
		}
	})
}
