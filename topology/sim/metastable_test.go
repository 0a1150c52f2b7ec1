package sim

import (
	"math"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// database is that of case A05, after "Metastable Failures in Distributed
// Systems", HotOS 2021: 300 queries per second, callers that time out after a
// second, nobody who tells the database so, and a stall of ten seconds. A three
// hundredth of a second is no whole number of nanoseconds: it takes 3,333,333 ns.
func database(perSecond int64, attempts int, changes ...change) topology.Topology {
	return lab([]int{attempts}, append([]change{
		set("services.a.fault=ok", "services.client.calls.a.timeout=1s", "services.client.calls.a.keep_working=true"),
		rate(perSecond, 1500*time.Second),
		workers(1, time.Second/300),
		tail(func(c *topology.Capacity) {
			c.Speed = []topology.Speed{{From: 30 * time.Second, Until: 40 * time.Second}}
		}),
	}, changes...)...)
}

// history is how a database fared, by the starts of its requests. Recovered is
// that of the first after which none fails, calm that of the first after which
// each is answered at its first attempt; never is −1. What the end of the run
// finds in flight says nothing.
type history struct {
	bad, recovered, calm time.Duration
	goodput, offered     float64 // per second, from 900 to 950 s
}

func fare(t *testing.T, top topology.Topology) history {
	t.Helper()
	measured := func(at policy.Instant) float64 {
		if at >= policy.Instant(900*time.Second) && at < policy.Instant(950*time.Second) {
			return 1.0 / 50
		}
		return 0
	}
	h := history{bad: -1}
	var starts []policy.Instant
	lastBad, lastSlow := policy.Instant(0), policy.Instant(0)
	mustRun(t, top, Options{
		Arrivals: func(a topology.Arrival) { h.offered += measured(a.At) },
		Ended: func(start, end policy.Instant, o policy.Outcome) {
			starts = append(starts, start)
			switch {
			case o.OK():
				h.goodput += measured(end)
			case o.Kind == policy.Cancelled:
				return
			case h.bad < 0: // they fail in order
				h.bad = time.Duration(start)
				fallthrough
			default:
				lastBad = max(lastBad, start)
			}
			if !o.OK() || end.Sub(start) > time.Second {
				lastSlow = max(lastSlow, start)
			}
		},
	})
	h.recovered, h.calm = firstAfter(starts, lastBad), firstAfter(starts, lastSlow)
	return h
}

// firstAfter is the first start after an instant, unless that lies too near to
// the end to know.
func firstAfter(starts []policy.Instant, at policy.Instant) time.Duration {
	first := policy.Never
	for _, s := range starts {
		if s > at {
			first = min(first, s)
		}
	}
	if first > policy.Instant(1490*time.Second) {
		return -1
	}
	return time.Duration(first)
}

// The case's own numbers for two attempts, 1306 and 1028 s, are those of the
// first request that needs no second attempt. By the words of the case, "the
// first request after which none fails", the one a timeout earlier is the first:
// it fails its first attempt and is saved by the second.
func TestCaseA05Metastable(t *testing.T) {
	longUnderRace(t)
	loadCut := func(top *topology.Topology) {
		top.Load.Rate.Steps = append(top.Load.Rate.Steps, topology.RateStep{From: 300 * time.Second, Milli: 100_000})
	}
	drop := func(rule topology.Drop) change { return tail(func(c *topology.Capacity) { c.Drop = rule }) }
	told := func(mode string) change { return set("services.client.calls.a.timeout.mode=" + mode) }
	for _, tt := range []struct {
		what            string
		top             topology.Topology
		recovered, calm float64 // s, rounded; −1: never
		goodput900      float64
		offered900      float64
	}{
		{"one attempt heals 125 s after the stall", database(280, 1), 165, 165, 280, 280},
		{"two attempts are metastable", database(280, 2), -1, -1, 0, 560},
		{"safe load: below capacity ÷ attempts", database(149, 2), 1305, 1306, 0, 298},
		{"at capacity ÷ attempts", database(150, 2), -1, -1, 0, 300},
		{"above it", database(151, 2), -1, -1, 0, 302},
		{"the load is cut to 100/s at 300 s: the dead backlog drains first", database(280, 2, loadCut), 1027, 1028, 0, 200},
		{"passing over what has expired is not enough: goodput of 20/s", database(280, 2, drop(topology.DropGone)), -1, -1, 20, 560},
		{"nor is it when the database knows of the timeout", database(280, 2, drop(topology.DropGone), told("remaining")), -1, -1, 20, 560},
		{"nor is what would be late, when it does not", database(280, 2, drop(topology.DropLate)), -1, -1, 20, 560},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			h := fare(t, tt.top)
			equal(t, "first failure", h.bad, 30*time.Second)
			equal(t, "recovered", seconds(h.recovered), tt.recovered)
			equal(t, "calm", seconds(h.calm), tt.calm)
			equal(t, "goodput at 900 s", math.Round(h.goodput), tt.goodput900)
			equal(t, "offered at 900 s", math.Round(h.offered), tt.offered900)
		})
	}
}

// The database passes over what cannot be done before its deadline: goodput is back
// when the stall ends, at the whole capacity. The backlog of a second that is left
// then is only of work in time; 541 of the first second are offered, each second 20
// fewer, and at 53 s the last one comes twice.
func TestCaseA05DropsWhatIsLate(t *testing.T) {
	for _, mode := range []string{"remaining", "absolute"} {
		var offered, good, failed [60]int
		second := func(at policy.Instant) int { return int(time.Duration(at) / time.Second) }
		top := database(280, 2, tail(func(c *topology.Capacity) { c.Drop = topology.DropLate }), set("services.client.calls.a.timeout.mode="+mode))
		top.Run.Until = 60*time.Second - 1
		mustRun(t, top, Options{
			Arrivals: func(a topology.Arrival) { offered[second(a.At)]++ },
			Ended: func(start, end policy.Instant, o policy.Outcome) {
				if o.OK() {
					good[second(end)]++
				} else if o.Kind != policy.Cancelled {
					failed[second(start)]++
				}
			},
		})
		equal(t, mode+": goodput in the stall", good[39], 0)
		same(t, mode+": goodput from 40 s on", good[40:44], []int{299, 300, 300, 300})
		same(t, mode+": failures from 38 s on", failed[38:42], []int{2, 0, 0, 0})
		same(t, mode+": offered", offered[39:55], []int{560, 541, 521, 501, 481, 461, 441, 421, 401, 381, 361, 341, 321, 301, 281, 280})
	}
}

// Which of the requests that come to one worker a service passes over that looks
// at their deadlines. It needs 20 ms for each.
func TestDropLate(t *testing.T) {
	const c, a = "services.client.calls.a.", "services.a."
	for _, tt := range []struct {
		what     string
		settings []string
		ends     []time.Duration
		words    string
		effects  int64
	}{
		{"what is done just in time is served", []string{c + "timeout=60ms"}, ms(20, 40, 60, 60), "200 200 200 timeout", 3},
		{"a nanosecond less is not enough, and that is known when its turn comes", []string{c + "timeout=59999999ns"}, ms(20, 40, 40, 40), "200 200 timeout timeout", 2},
		{"at a free worker, too", []string{c + "timeout=19ms"}, ms(0, 0, 0, 0), "timeout timeout timeout timeout", 0},
		{"as an instant", []string{c + "timeout=59999999ns", c + "timeout.mode=absolute"}, ms(20, 40, 40, 40), "200 200 timeout timeout", 2},
		{"by a clock that is ahead", []string{c + "timeout=60ms", c + "timeout.mode=absolute", a + "skew=1ms"}, ms(20, 40, 40, 40), "200 200 timeout timeout", 2},
		{"what remains counts from the arrival", []string{c + "timeout=60ms", c + "latency=1ms"}, ms(22, 42, 60, 60), "200 200 timeout timeout", 3},
		{"it does not know of a timeout that is not sent", []string{c + "timeout=59999999ns", c + "timeout.mode=none"}, nil, "200 200 timeout timeout", 3},
	} {
		o := run(t, lab([]int{1}, arriving(0, 0, 0, 0), set(a+"fault=ok", a+"time=20ms", a+"workers=1", a+"drop=late", c+"timeout.mode=remaining", c+"keep_working=true"), set(tt.settings...)))
		equal(t, tt.what+": outcomes", o.words(), tt.words)
		if tt.ends != nil {
			same(t, tt.what+": ends", o.ends(), tt.ends)
		}
		equal(t, tt.what+": effects", o.Effects, tt.effects)
	}
}

// seconds rounds to whole ones; −1 stays.
func seconds(d time.Duration) float64 {
	if d < 0 {
		return -1
	}
	return d.Round(time.Second).Seconds()
}

// With every time scaled by 3/10 the service takes exactly a millisecond, and the
// numbers of the case come out exact.
func TestCaseA05Exactly(t *testing.T) {
	longUnderRace(t)
	top := database(149, 2, takes(time.Millisecond), set("services.client.calls.a.timeout=300ms"))
	top.Load.Rate.Steps = nil
	for k := range 149 * 1500 {
		top.Load.Rate.At = append(top.Load.Rate.At, time.Duration(k)*300*time.Millisecond/149)
	}
	top.Run.Until = 450 * time.Second
	top.Tail().Speed[0] = topology.Speed{From: 9 * time.Second, Until: 12 * time.Second}
	var bad policy.Instant
	for _, r := range run(t, top).requests {
		if r.outcome.Kind == policy.Timeout {
			bad = max(bad, r.start)
		}
	}
	equal(t, "last failure, of 149 per scaled second", int64(bad), int64(1305*149-1)*300_000_000/149)
}
