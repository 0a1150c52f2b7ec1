package sim

import (
	"testing"
	"time"
)

// What a client sees of a fault, what it does about it, and how often the work is
// done meanwhile, in every way in which it can be run.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		fault   string
		words   string
		hits    int64
		effects int64
		end     int
	}{
		{"ok", "200", 1, 1, 0},
		{"503+delay=5ms", "503", 3, 0, 15},
		{"reset", "reset", 3, 0, 0},
		{"close", "reset", 3, 0, 0},
		{"refuse", "refused", 3, 0, 0},
		{"lost+delay=5ms", "reset", 3, 3, 15},
		{"truncate", "reset", 3, 3, 0},
		{"halfreset", "reset", 3, 3, 0},
		{"malformed", "malformed", 1, 1, 0},
		{"badchunk", "malformed", 1, 1, 0},
		{"slow+over=70ms+delay=5ms", "200", 1, 1, 75},
		{"503+delay=uniform(5ms..5000001ns)@0s..1h", "503", 3, 0, 15},
	} {
		top := lab([]int{3}, set("services.a.fault="+tt.fault))
		for _, w := range []way{fastest, general, coupled} {
			o := outcome{}
			o.Variant, _ = mustRun(t, top, Options{way: w})
			equal(t, tt.fault+": hits", o.Hits, tt.hits)
			equal(t, tt.fault+": effects", o.Effects, tt.effects)
			equal(t, tt.fault+": end", o.ElapsedMS, float64(tt.end))
		}
		equal(t, tt.fault, run(t, top).words(), tt.words)
	}
}

// The work of a service in the middle is its call, which is made also where the
// answer gets lost afterwards.
func TestFaultsOfAGateway(t *testing.T) {
	for _, tt := range []struct {
		fault string
		words string
		tail  int64
		end   int
	}{
		{"ok+delay=5ms", "404", 1, 15},
		{"slow+over=20ms", "404", 1, 30},
		{"lost", "reset", 2, 20},
		{"malformed", "malformed", 1, 10},
		{"502", "502", 0, 0},
	} {
		top := lab([]int{2, 1}, set("services.a.fault="+tt.fault, "services.b.fault=404+delay=10ms"))
		for _, w := range []way{fastest, general} {
			v, _ := mustRun(t, top, Options{way: w})
			equal(t, tt.fault+": hits on the tail", v.Hits, tt.tail)
			equal(t, tt.fault+": end", v.ElapsedMS, float64(tt.end))
		}
		equal(t, tt.fault, run(t, top).words(), tt.words)
	}
}

// A client that leaves in the middle of a slow answer has had its effect; one that
// leaves before it has not.
func TestLeavingASlowAnswer(t *testing.T) {
	for limit, effects := range map[string]int64{"20ms": 0, "60ms": 1, "200ms": 1} {
		o := run(t, lab([]int{1}, set("services.a.fault=slow+over=100ms+delay=40ms", "services.client.calls.a.timeout="+limit)))
		equal(t, limit, o.Effects, effects)
		equal(t, limit+": abandoned", o.Abandoned, map[string]int64{"20ms": 1, "60ms": 1, "200ms": 0}[limit])
	}
	head := run(t, lab([]int{1}, set("services.a.fault=slow+over=100ms", "load.method=HEAD")))
	same(t, "an answer without a body", head.ends(), []time.Duration{0})
}

// A client that has enough of a stall has had its effect, unless it left before the
// work was done; a hang has none. The run ends with the last of them, although an
// answer never does.
func TestStall(t *testing.T) {
	for _, tt := range []struct {
		fault, limit string
		effects      int64
		end          int
	}{
		{"stall+delay=40ms", "20ms", 0, 60},
		{"stall+delay=40ms", "60ms", 3, 180},
		{"stall,ok", "60ms", 2, 60},
		{"hang", "60ms", 0, 180},
	} {
		top := lab([]int{3}, set("services.a.fault="+tt.fault, "services.client.calls.a.timeout="+tt.limit))
		for _, w := range []way{fastest, general, coupled} {
			v, _ := mustRun(t, top, Options{way: w})
			what := tt.fault + " left after " + tt.limit
			equal(t, what+": effects", v.Effects, tt.effects)
			equal(t, what+": end", v.ElapsedMS, float64(tt.end))
		}
	}
}

// A fallback's answer stays what it is, through any number of layers.
func TestDegraded(t *testing.T) {
	o := run(t, lab([]int{3, 3, 1}, set("services.c.fault=503", "services.b.calls.c.fallback.static=true")))
	equal(t, "outcome", o.words(), "degraded")
	equal(t, "degraded", o.Outcomes.Degraded, 1)
	equal(t, "hits: nobody tries again", o.Hits, 1)
	equal(t, "of b", o.Layers[2].Fallback.Degraded, 1)
}
