package sim

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/topology"
	"labctl/topology/policy"
)

func speeds(s ...topology.Speed) *service {
	return &service{Capacity: topology.Capacity{Speed: s}}
}

func at(msec int) policy.Instant { return policy.Instant(msec) * policy.Instant(time.Millisecond) }

// When work of some milliseconds that begins at an instant is done.
func TestFinish(t *testing.T) {
	window := func(from, until, percent, to int) topology.Speed {
		return topology.Speed{From: ms(from)[0], Until: ms(until)[0], Percent: percent, To: to}
	}
	stall, half := window(100, 200, 0, 0), window(100, 200, 50, 0)
	for _, tt := range []struct {
		what             string
		s                *service
		now, work, until int
	}{
		{"no windows", speeds(), 50, 30, 80},
		{"done before the stall", speeds(stall), 50, 30, 80},
		{"done at its very start", speeds(stall), 50, 50, 100},
		{"a stall in the middle loses nothing", speeds(stall), 50, 60, 210},
		{"begun at its start", speeds(stall), 100, 10, 210},
		{"begun in it", speeds(stall), 150, 10, 210},
		{"begun at its end", speeds(stall), 200, 10, 210},
		{"even no work is done in a stall", speeds(stall), 150, 0, 200},
		{"no work outside", speeds(stall), 250, 0, 250},
		{"half the speed", speeds(half), 100, 20, 140},
		{"to its very end", speeds(half), 100, 50, 200},
		{"and beyond", speeds(half), 100, 60, 210},
		{"before, in and after it", speeds(half), 90, 70, 210},
		{"twice the speed", speeds(window(100, 200, 200, 0)), 100, 100, 150},
		{"a ramp has the speed of the instant of entry: at its start", speeds(window(100, 200, 100, 50)), 100, 30, 130},
		{"and 75 % in its middle", speeds(window(100, 200, 100, 50)), 150, 30, 190},
		{"work that enters it from before", speeds(window(100, 200, 50, 100)), 90, 20, 120},
		{"a stall behind a stall", speeds(stall, window(200, 300, 0, 0)), 150, 10, 310},
		{"a gap of full speed between", speeds(stall, window(210, 300, 0, 0)), 150, 20, 310},
	} {
		equal(t, tt.what, tt.s.Finish(at(tt.now), ms(tt.work)[0]), at(tt.until))
	}
	equal(t, "the end of time", speeds(stall).Finish(at(150), time.Duration(policy.Never)), policy.Never)
	equal(t, "work of 1 ns at 1 %", speeds(topology.Speed{Until: time.Second, Percent: 1}).Finish(0, 1), 100)
}

// Whatever the windows, work takes its time: it never ends before it begins, more
// of it never ends sooner, and it gets done what the windows let through.
func TestFinishProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []topology.Speed
		end := time.Duration(0)
		for range rapid.IntRange(0, 4).Draw(t, "windows") {
			from := end + time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "gap"))
			end = from + time.Duration(rapid.Int64Range(1, 1e9).Draw(t, "length"))
			list = append(list, topology.Speed{From: from, Until: end, Percent: rapid.IntRange(0, 400).Draw(t, "percent")})
		}
		s := speeds(list...)
		now := policy.Instant(rapid.Int64Range(0, 5e9).Draw(t, "now"))
		work := time.Duration(rapid.Int64Range(0, 3e9).Draw(t, "work"))
		done := s.Finish(now, work)
		if done < now || s.Finish(now, work+1) < done {
			t.Fatalf("%v of work from %v end at %v, a nanosecond more at %v", work, now, done, s.Finish(now, work+1))
		}
		if later := s.Finish(now+1, work); later < done {
			t.Fatalf("begun at %v it ends at %v, a nanosecond later at %v", now, done, later)
		}
		// What is done in [now, done), in hundredths of nanoseconds; rounding
		// costs less than a nanosecond, in which a window may do four times that,
		// for each window and end.
		through, loss := int64(0), int64(500)
		for at := now; at < done; {
			percent, until := int64(100), done
			for _, w := range list {
				switch from, end := policy.Instant(w.From), policy.Instant(w.Until); {
				case from <= at && at < end:
					percent, until = int64(w.Percent), min(until, end)
				case from > at:
					until = min(until, from)
				}
			}
			through += int64(until-at) * percent
			loss += 100 + percent
			at = until
		}
		if d := through - int64(work)*100; d < -loss || d > loss {
			t.Fatalf("%v of work from %v end at %v, in which %v can be done", work, now, done, time.Duration(through/100))
		}
	})
}
