package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// hostsOf is the replicas that attempts went to.
func hostsOf(sent []Action) string {
	words := make([]string, len(sent))
	for i, a := range sent {
		words[i] = fmt.Sprint(a.Host)
	}
	return strings.Join(words, " ")
}

// idleNow fails the test unless every call was taken back once.
func (s *BalanceState) idleNow(t *testing.T, d *driver) {
	t.Helper()
	equal(t, "in flight", fmt.Sprint(s.flight), fmt.Sprint(make([]int32, len(s.flight))))
	equal(t, "calls", d.edge.Calls(), 0)
	equal(t, "faults", strings.Join(d.faults, "; "), "")
}

func failing(Action, Instant) (Outcome, time.Duration) { return unavailable, 0 }

// TestBalanceTimeline: where the attempts of one call go, and those of the next.
func TestBalanceTimeline(t *testing.T) {
	retry := &Retry{Attempts: 4, Rest: Rest{Base: time.Second}}
	for _, row := range []struct {
		sentence      string
		balance       Balance
		outside       bool // of the retry
		first, second string
	}{
		{"round robin takes turns over attempts and calls", Balance{Hosts: 3}, false, "0 1 2 0", "1 2 0 1"},
		{"with two it alternates", Balance{Hosts: 2}, false, "0 1 0 1", "0 1 0 1"},
		{"outside the retry it chooses once for each call", Balance{Hosts: 3}, true, "0 0 0 0", "1 1 1 1"},
		{"failover changes nothing about a turn that moves on anyway", Balance{Hosts: 3, Failover: true}, false, "0 1 2 0", "1 2 0 1"},
		{"with one there is no choice", Balance{Hosts: 1}, false, "0 0 0 0", "0 0 0 0"},
		{"nor with failover", Balance{Hosts: 1, Failover: true}, false, "0 0 0 0", "0 0 0 0"},
		{"nor at random", Balance{Hosts: 1, Law: Random, Failover: true}, false, "0 0 0 0", "0 0 0 0"},
		{"nor among the least", Balance{Hosts: 1, Law: LeastInFlight, Failover: true}, false, "0 0 0 0", "0 0 0 0"},
		{"none is one", Balance{Failover: true}, false, "0 0 0 0", "0 0 0 0"},
		{"the least loaded is the first of several, also after it failed", Balance{Hosts: 3, Law: LeastInFlight}, false, "0 0 0 0", "0 0 0 0"},
		{"with failover it is another one", Balance{Hosts: 3, Law: LeastInFlight, Failover: true}, false, "0 1 0 1", "0 1 0 1"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := row.balance.New()
			stack := []Policy{retry, b}
			if row.outside {
				stack = []Policy{b, retry}
			}
			d := newDriver(stack, true, nil)
			sent := d.answering(failing)
			d.start(0, Request{})
			d.start(at(time.Minute), Request{})
			d.run(horizon)
			equal(t, "first call", hostsOf((*sent)[:4]), row.first)
			equal(t, "second call", hostsOf((*sent)[4:]), row.second)
			b.idleNow(t, d)
		})
	}
}

// TestRoundRobinOfCalls: calls at one time take turns, too.
func TestRoundRobinOfCalls(t *testing.T) {
	b := Balance{Hosts: 3}.New()
	d := newDriver([]Policy{b}, true, nil)
	sent := d.answering(func(Action, Instant) (Outcome, time.Duration) { return Status(200), time.Second })
	d.line(7, 0)
	d.run(horizon)
	equal(t, "hosts", hostsOf(*sent), "0 1 2 0 1 2 0")
	b.idleNow(t, d)
}

// TestFailoverAvoids: whatever the law, and however the attempt failed: also when
// a timeout around the balancer gave it up, which a replica that hangs makes of it.
func TestFailoverAvoids(t *testing.T) {
	retry := &Retry{Attempts: 8, Rest: Rest{Base: time.Second}}
	limit := &TimeoutAfter{Limit: 2 * time.Second}
	for _, law := range []BalanceLaw{RoundRobin, Random, LeastInFlight} {
		for name, takes := range map[string]time.Duration{"fails": 0, "is late": 2500 * ms, "hangs": hang} {
			for order := range 3 {
				for _, passes := range []bool{true, false} {
					what := fmt.Sprintf("law %d, order %d, passes %v, the server %s", law, order, passes, name)
					b := Balance{Hosts: 3, Law: law, Failover: true}.New()
					stack := [][]Policy{{retry, b}, {retry, limit, b}, {retry, b, limit}}[order]
					if order == 0 && takes == hang {
						continue
					}
					d := newDriver(stack, passes, nil)
					sent := d.answering(func(Action, Instant) (Outcome, time.Duration) { return unavailable, takes })
					for n := range uint64(20) {
						d.start(at(time.Duration(n)*time.Minute), Request{Luck: RootLuck(1, n, 0)})
					}
					d.run(time.Hour)
					equal(t, what+": attempts", len(*sent), 20*8)
					for i, a := range *sent {
						if a.Number > 1 && a.Host == (*sent)[i-1].Host {
							t.Errorf("%s: attempt %d went to %d again", what, a.Number, a.Host)
						}
					}
					if passes || takes != hang {
						b.idleNow(t, d)
					}
				}
			}
		}
	}
}

// TestFailoverSkipsATurn: other calls move the turn, perhaps back to the replica
// that just failed; then it goes to the next.
func TestFailoverSkipsATurn(t *testing.T) {
	b := Balance{Hosts: 2, Failover: true}.New()
	d := newDriver([]Policy{&Retry{Attempts: 2, Rest: Rest{Base: time.Second}}, b}, true, nil)
	sent := d.answering(func(a Action, now Instant) (Outcome, time.Duration) {
		if now == 0 {
			return unavailable, 0
		}
		return Status(200), 0
	})
	d.start(0, Request{})
	d.start(at(500*ms), Request{})
	d.run(horizon)
	d.start(at(time.Minute), Request{})
	d.run(horizon)
	equal(t, "the first, another call, the first again, the next", hostsOf(*sent), "0 1 1 0")
}

// TestFailoverIsForOneCall: what failed for one call is not avoided by the next.
func TestFailoverIsForOneCall(t *testing.T) {
	b := Balance{Hosts: 2, Law: LeastInFlight, Failover: true}.New()
	d := newDriver([]Policy{b}, true, nil)
	sent := d.answering(failing)
	d.start(0, Request{})
	d.start(1, Request{})
	d.run(horizon)
	equal(t, "hosts", hostsOf(*sent), "0 0")
}

// TestRandomIsHashed: the same luck goes to the same replica, whatever else runs.
func TestRandomIsHashed(t *testing.T) {
	stack := func() []Policy { return []Policy{&Retry{Attempts: 5}, Balance{Hosts: 5, Law: Random}.New()} }
	seen := map[string]bool{}
	for seed := range uint64(20) {
		r := Request{Luck: RootLuck(seed, 1, 1)}
		_, alone := witnessed(stack(), always(unavailable), r, 0)
		_, later := witnessed(stack(), always(unavailable), r, at(time.Minute))
		d := newDriver(stack(), true, nil)
		among := d.answering(failing)
		d.start(0, Request{Luck: RootLuck(99, 1, 1)})
		d.start(1, r)
		d.run(horizon)
		for _, a := range alone {
			equal(t, "by a draw for this purpose alone", int64(a.Host), int64(Uniform(a.Luck.Draw(ForPick), 5)))
		}
		equal(t, "at another time", hostsOf(later), hostsOf(alone))
		equal(t, "among others", hostsOf((*among)[5:]), hostsOf(alone))
		seen[hostsOf(alone)] = true
	}
	equal(t, "seeds differ", len(seen) > 15, true)
}

// TestRandomIsUniform: over 30 000 calls each replica gets its share, and so does
// each of those that are left when one is avoided. The bounds are those of
// chi-square with 2, 9 and 1 degrees of freedom at one in a million.
func TestRandomIsUniform(t *testing.T) {
	const calls = 30_000
	for _, row := range []struct {
		hosts    int
		failover bool
		most     float64
	}{{3, false, 27.7}, {10, false, 45.1}, {3, true, 24}} {
		b := Balance{Hosts: row.hosts, Law: Random, Failover: row.failover}.New()
		count, left := make([]float64, row.hosts), float64(row.hosts)
		c := CallState{Tried: -1}
		if row.failover {
			c.Tried, left = 1, left-1
		}
		for seed := range uint64(calls) {
			c.Next = RootLuck(7, seed, 0).Attempt(1, 1)
			count[b.choose(&c)]++
		}
		chi := 0.0
		for host, n := range count {
			if host == int(c.Tried) {
				equal(t, "to the one avoided", n, 0)
				continue
			}
			want := calls / left
			chi += (n - want) * (n - want) / want
		}
		if chi > row.most {
			t.Errorf("%d hosts, failover %v: chi-square %.1f, want at most %.1f: %v", row.hosts, row.failover, chi, row.most, count)
		}
	}
}

// TestLeastInFlight: a call counts until it has ended, whoever still waits for it,
// and is taken back exactly once.
func TestLeastInFlight(t *testing.T) {
	slow0 := func(a Action, _ Instant) (Outcome, time.Duration) {
		if a.Host == 0 {
			return Status(200), 10 * time.Second
		}
		return Status(200), time.Second
	}
	limit := &TimeoutAfter{Limit: 2 * time.Second}
	for _, row := range []struct {
		sentence string
		outside  []Policy
		passes   bool
		leaves   bool // the first caller, at 2 s
		hosts    string
	}{
		{"the slow one is avoided as long as it works", nil, true, false, "0 1 1 0"},
		{"also for a caller that has gone", []Policy{limit}, false, false, "0 1 1 0"},
		{"unless that stops it", []Policy{limit}, true, false, "0 1 0 0"},
		{"and a call that is cancelled is over", nil, true, true, "0 1 0 0"},
		{"also where a timeout does not pass it down", nil, false, true, "0 1 0 0"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := Balance{Hosts: 2, Law: LeastInFlight}.New()
			d := newDriver(append(row.outside, b), row.passes, nil)
			sent := d.answering(slow0)
			first := d.start(0, Request{})
			for _, s := range []time.Duration{1, 5, 30} {
				d.start(at(s*time.Second), Request{})
			}
			if row.leaves {
				d.cancel(at(2*time.Second), first)
			}
			d.run(horizon)
			equal(t, "hosts", hostsOf(*sent), row.hosts)
			b.idleNow(t, d)
		})
	}
}

// TestLeastSpreads: calls at one time fill the replicas evenly.
func TestLeastSpreads(t *testing.T) {
	b := Balance{Hosts: 3, Law: LeastInFlight}.New()
	d := newDriver([]Policy{b}, true, nil)
	sent := d.answering(func(Action, Instant) (Outcome, time.Duration) { return Status(200), time.Second })
	d.line(7, 0)
	d.run(0)
	equal(t, "hosts", hostsOf(*sent), "0 1 2 0 1 2 0")
	equal(t, "in flight", fmt.Sprint(b.flight), "[3 2 2]")
	d.run(horizon)
	b.idleNow(t, d)
}

// TestInFlightComesBackOnce: through retries, timeouts and callers that leave at
// any time.
func TestInFlightComesBackOnce(t *testing.T) {
	for _, passes := range []bool{true, false} {
		for leaves := range 60 {
			b := Balance{Hosts: 3, Law: LeastInFlight, Failover: true}.New()
			inner := Balance{Hosts: 2}.New()
			stack := []Policy{&TimeoutAfter{Limit: 4 * time.Second}, b, &Retry{Attempts: 3, Rest: Rest{Base: 300 * ms}}, &TimeoutAfter{Limit: time.Second}, inner}
			d := newDriver(stack, passes, always(unavailable).taking(1500*ms, 200*ms, 2*time.Second))
			for n, c := range d.line(4, 0) {
				d.cancel(at(time.Duration(leaves*100*(n+1))*ms), c)
			}
			d.run(horizon)
			b.idleNow(t, d)
			inner.idleNow(t, d)
		}
	}
}

// TestHostIsCopiedDown: the frames below a balancer know the replica, those above
// do not, and the attempt is sent there.
func TestHostIsCopiedDown(t *testing.T) {
	above, below, lowest := &hostSpy{}, &hostSpy{}, &hostSpy{}
	stack := []Policy{above, &Retry{Attempts: 3}, Balance{Hosts: 3}.New(), below, &TimeoutAfter{Limit: time.Second}, lowest}
	_, sent := witnessed(stack, always(unavailable), Request{}, 0)
	equal(t, "sent to", hostsOf(sent), "0 1 2")
	equal(t, "above", fmt.Sprint(above.hosts), "[0 0]")
	equal(t, "below", fmt.Sprint(below.hosts), "[0 0 1 1 2 2]")
	equal(t, "lowest", fmt.Sprint(lowest.hosts), "[0 0 1 1 2 2]")
}

// hostSpy keeps the replica of its frame at each event.
type hostSpy struct{ hosts []int16 }

func (h *hostSpy) On(f *Frame, ev Event, _ Instant) Step {
	h.hosts = append(h.hosts, f.host)
	if ev.Kind == Start {
		return Step{Do: Call, Child: 1}
	}
	return returned(ev.Outcome)
}
