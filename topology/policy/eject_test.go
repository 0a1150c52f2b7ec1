package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// badHosts answers so where a host is bad, and well elsewhere.
func badHosts(o Outcome, bad ...int) func(Action, Instant) (Outcome, time.Duration) {
	return func(a Action, _ Instant) (Outcome, time.Duration) {
		for _, host := range bad {
			if int(a.Host) == host {
				return o, 0
			}
		}
		return Status(200), 0
	}
}

// everySecond makes n calls over a balancer, one a second, and returns where they went.
func everySecond(b *BalanceState, n int, by func(Action, Instant) (Outcome, time.Duration)) string {
	d := newDriver([]Policy{b}, true, nil)
	sent := d.answering(by)
	for i := range n {
		d.start(at(time.Duration(i)*time.Second), Request{Luck: RootLuck(1, uint64(i), 0)})
	}
	d.run(horizon)
	return strings.ReplaceAll(hostsOf(*sent), " ", "")
}

// TestEjectTimeline: where calls go, one a second; host 0 is bad unless said.
func TestEjectTimeline(t *testing.T) {
	two := Balance{Hosts: 2, EjectAfter: 2, EjectFor: 4 * time.Second}
	with := func(change func(b *Balance)) Balance {
		b := two
		change(&b)
		return b
	}
	for _, row := range []struct {
		sentence string
		balance  Balance
		bad      []int
		outcome  Outcome
		hosts    string
	}{
		{"none is ever ejected unless that is asked for", Balance{Hosts: 2}, []int{0}, unavailable, "010101010101"},
		{"after two failures it gets no call for 4 s, and then for 8", two, []int{0}, unavailable, "0101110101111"},
		{"a timeout and a connection that fails count, too", two, []int{0}, Failed(Reset), "0101110101111"},
		{"a 404 does not", two, []int{0}, Status(404), "0101010101010"},
		{"nor a 429", two, []int{0}, Status(429), "0101010101010"},
		{"nor what was rejected further inside", two, []int{0}, Failed(Rejected), "0101010101010"},
		{"never all", two, []int{0, 1}, unavailable, "0101110100010"},
		{"one alone never", with(func(b *Balance) { b.Hosts = 1 }), []int{0}, unavailable, "0000000000"},
		{"the least loaded does not draw all traffic by failing fast", with(func(b *Balance) { b.Law = LeastInFlight }), []int{0}, unavailable, "0011100111111"},
		{"failover does not go to one that is ejected", with(func(b *Balance) { b.Failover = true }), []int{0}, unavailable, "0101110101111"},
		{"of ten, one", Balance{Hosts: 10, EjectAfter: 1}, []int{0, 1}, unavailable, "0123456789123456789123456789123"},
		{"or as many percent as are set", Balance{Hosts: 10, EjectAfter: 1, MaxEjected: 25}, []int{0, 1, 2}, unavailable, "0123456789234567892345678923456"},
		{"the default is 30 s, and the end is not part of it", Balance{Hosts: 2, EjectAfter: 1}, []int{0}, unavailable, "0" + strings.Repeat("1", 29) + "01"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := row.balance.New()
			got := everySecond(b, len(row.hosts), badHosts(row.outcome, row.bad...))
			equal(t, "hosts", got, row.hosts)
		})
	}
}

// TestEjectedForLonger: times how often of late, at most 300 s, and less again after
// it was well for a while.
func TestEjectedForLonger(t *testing.T) {
	second := time.Second
	for _, row := range []struct {
		sentence string
		ejectFor time.Duration
		fails    []time.Duration // of the host, each while it is not ejected
		until    string
	}{
		{"each time for 30 s more", 30 * second, []time.Duration{0, 30 * second, 90 * second}, "30 90 180"},
		{"9.999 s of health are not enough", 30 * second, []time.Duration{0, 39999 * ms}, "30 99.999"},
		{"10 s take one time off", 30 * second, []time.Duration{0, 40 * second}, "30 70"},
		{"and 20 s two", 30 * second, []time.Duration{0, 30 * second, 110 * second}, "30 90 140"},
		{"never more than 300 s", 100 * second, []time.Duration{0, 100 * second, 300 * second, 600 * second}, "100 300 600 900"},
		{"also where that is no multiple", 140 * second, []time.Duration{0, 140 * second, 420 * second, 720 * second}, "140 420 720 1020"},
		{"unless one time is longer", 400 * second, []time.Duration{0, 400 * second}, "400 800"},
		{"a century is a century", hang, []time.Duration{0}, seconds(Never)},
	} {
		s := Balance{Hosts: 2, EjectAfter: 1, EjectFor: row.ejectFor}
		b := s.New()
		var until []Instant
		for _, now := range row.fails {
			b.eject.readmit(at(now))
			equal(t, row.sentence+": is back", b.eject.isOut(0), false)
			b.eject.heard(&b.Balance, 0, unavailable, at(now))
			until = append(until, b.eject.hosts[0].until)
		}
		equal(t, row.sentence, seconds(until...), row.until)
	}
}

// TestEjectCounts: a success between failures, and what is not counted at all.
func TestEjectCounts(t *testing.T) {
	for _, row := range []struct {
		outcomes  string
		ejections int64
	}{
		{"503 503 503", 1},
		{"503 503 200 503 503", 0},
		{"503 503 404 503 503", 0},
		{"503 503 429 503", 0},
		{"503 cancelled 503 rejected degraded 503", 1},
		{"500 timeout refused", 1},
		{"reset malformed 599", 1},
		{"503 503 503 503 503 503 503", 1}, // those after the ejection began before it
	} {
		b := Balance{Hosts: 3, EjectAfter: 3, MaxEjected: 100}.New()
		for _, w := range strings.Fields(row.outcomes) {
			b.eject.heard(&b.Balance, 1, parseOutcome(w), 0)
		}
		equal(t, row.outcomes, fmt.Sprint(b.Signals().Ejections), fmt.Sprint([]int64{0, row.ejections, 0}))
	}
}

// TestEjectSignals: of each replica, and what MaxEjected spared.
func TestEjectSignals(t *testing.T) {
	b := Balance{Hosts: 2, EjectAfter: 1, EjectFor: time.Second}.New()
	everySecond(b, 4, badHosts(unavailable, 0, 1))
	g := b.Signals()
	equal(t, "hosts, now, most, spared", fmt.Sprint(g.Ejections, g.Ejected, g.MostEjected, g.Spared), "[2 1] 1 1 1")
	g.Ejections[0] = 99
	equal(t, "a copy", b.Signals().Ejections[0], 2)
	b = Balance{Hosts: 2, EjectAfter: 1}.New()
	everySecond(b, 4, badHosts(unavailable, 0, 1))
	equal(t, "spared", b.Signals().Spared, 3)
	equal(t, "none", Balance{Hosts: 2}.New().Signals().Ejections == nil, true)
}

// TestRandomAmongTheOthers: each of those that are left is as likely.
func TestRandomAmongTheOthers(t *testing.T) {
	const calls = 30_000
	b := Balance{Hosts: 5, Law: Random, Failover: true, EjectAfter: 1, MaxEjected: 40}.New()
	b.eject.heard(&b.Balance, 0, unavailable, 0)
	b.eject.heard(&b.Balance, 3, unavailable, 0)
	for avoid, left := range map[int16]float64{-1: 3, 4: 2, 3: 3} {
		count := make([]float64, 5)
		for seed := range uint64(calls) {
			count[b.choose(&CallState{Tried: avoid, Next: RootLuck(7, seed, 0).Attempt(1, 1)})]++
		}
		chi := 0.0
		for host, n := range count {
			if host == 0 || host == 3 || host == int(avoid) {
				equal(t, fmt.Sprintf("avoiding %d: to %d", avoid, host), n, 0)
				continue
			}
			chi += (n - calls/left) * (n - calls/left) / (calls / left)
		}
		if chi > 27.7 { // 2 degrees of freedom, one in a million
			t.Errorf("avoiding %d: chi-square %.1f: %v", avoid, chi, count)
		}
	}
}

// TestEjectedGetNoCall: whatever fails, no call goes to a replica that is out, and
// never are more out than may be.
func TestEjectedGetNoCall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Balance{
			Hosts: rapid.IntRange(1, 6).Draw(t, "hosts"), Law: BalanceLaw(rapid.IntRange(0, 2).Draw(t, "law")),
			Failover: rapid.Bool().Draw(t, "failover"), EjectAfter: rapid.IntRange(1, 3).Draw(t, "after"),
			EjectFor: tenths(t, 1, 50, "for"), MaxEjected: rapid.IntRange(0, 120).Draw(t, "percent"),
		}
		b := s.New()
		most := min(max(1, s.Hosts*min(b.MaxEjected, 100)/100), s.Hosts-1)
		d := newDriver([]Policy{&Retry{Attempts: 3, Rest: Rest{Base: 300 * ms}}, b}, true, nil)
		answer := anyTail(rapid.Uint64().Draw(t, "seed"))
		d.answering(func(a Action, now Instant) (Outcome, time.Duration) {
			if h := b.eject.hosts[a.Host]; h.out && now < h.until {
				t.Errorf("at %s a call to %d, which is out until %s", seconds(now), a.Host, seconds(h.until))
			}
			return answer(int(a.Number), now)
		})
		for i := range 40 {
			d.start(at(time.Duration(i)*200*ms), Request{Luck: RootLuck(2, uint64(i), 0)})
		}
		d.run(horizon)
		if g := b.Signals(); g.MostEjected > most || g.Ejected < 0 {
			t.Errorf("%+v: want at most %d", g, most)
		}
	})
}

// TestEjectionAllocatesNothing.
func TestEjectionAllocatesNothing(t *testing.T) {
	b := Balance{Hosts: 3, EjectAfter: 2, EjectFor: ms}.New()
	e := NewEdge(1, append(usual(), b), true)
	list := failThrice(e, 1, nil)
	equal(t, "allocations", testing.AllocsPerRun(1000, func() { list = failThrice(e, 1, list) }), 0)
}
