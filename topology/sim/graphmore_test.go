package sim

import (
	"math"
	"strings"
	"testing"
	"time"

	"labctl/report"
	"labctl/topology"
)

// settings are those of a text with spaces between them.
func settings(text string) change { return set(strings.Fields(text)...) }

// A call with a chance is made for that share of the requests, for each call by a
// luck of its own. A service that makes none of its calls answers by itself.
func TestChance(t *testing.T) {
	const n = 100_000
	within := func(what string, got int64, p float64) {
		t.Helper()
		near(t, what, float64(got), n*p, 4*math.Sqrt((1-p)/(n*p))) // standard deviations
	}
	top := graph([]string{"client: s", "s: a:30% b:0.5% c"}, herd(n))
	o, _ := mustRun(t, top, Options{})
	within("a", o.Layers[2].Requests, 0.3)
	within("b", o.Layers[3].Requests, 0.005)
	equal(t, "c has no chance", o.Hits, n)
	equal(t, "made by s", o.Layers[1].Attempts, o.Layers[2].Requests+o.Layers[3].Requests+n)

	for _, lines := range [][]string{{"client: a:30% b:30%"}, {"client: s", "s: a:30% b:30%"}, {"client: s", "s: a:30% | b:30%"}, {"client: a:30%", "a: b:30%"}} {
		top := graph(lines, herd(n), settings("services.b.time=10ms services.b.fault=503"))
		var all []report.Variant
		for _, w := range []way{fastest, coupled} {
			v, _ := mustRun(t, top, Options{way: w})
			all = append(all, v)
		}
		v := all[0]
		equal(t, lines[0]+": alone and together", v.Hits, all[1].Hits)
		chain := strings.HasSuffix(lines[len(lines)-1], "a: b:30%")
		within(lines[0]+": on a", v.Layers[len(v.Layers)-2].Requests, 0.3)
		if chain {
			within(lines[0]+": on b of those on a", v.Hits, 0.09)
		} else {
			within(lines[0]+": on b", v.Hits, 0.3)
		}
		equal(t, lines[0]+": the others answer by themselves", v.Outcomes.OK, n-v.Hits)
		equal(t, lines[0]+": no answer but b's fails", v.Outcomes.Failed, v.Hits)
	}
	never, _ := mustRun(t, graph([]string{"client: a:0.0001%"}, herd(5)), Options{})
	equal(t, "nothing asked, all answered", never.Outcomes.OK, 5)
	equal(t, "at once", never.ElapsedMS, 0)
}

// Each attempt draws anew whether it calls.
func TestChanceOfAnAttempt(t *testing.T) {
	v, _ := mustRun(t, graph([]string{"client: s*50", "s: a:50%"}, herd(1000), settings("services.a.fault=503")), Options{})
	near(t, "attempts until one does not call", float64(v.Layers[1].Requests), 2000, 0.1)
	equal(t, "and answers well", v.Outcomes.OK, 1000)
}

// A request that reaches the tail by several ways means to do the work once by each:
// only what comes on top of that is a duplicate. The first attempt by each way is a
// first one.
func TestEffectsByWay(t *testing.T) {
	const slow = "services.c.time=60ms services.b.calls.c.timeout=50ms services.b.calls.c.keep_working=true"
	for _, tt := range []struct {
		what                            string
		settings                        string
		hits, first, effects, duplicate int64
		abandoned, failed               int64
	}{
		{what: "once by each", hits: 2, first: 2, effects: 2},
		{what: "again by one of them", settings: slow, hits: 3, first: 2, effects: 3, duplicate: 1, abandoned: 2, failed: 1},
	} {
		o := run(t, graph([]string{"client: a | b", "a: c", "b: c*2"}, settings(tt.settings)))
		equal(t, tt.what+": hits", o.Hits, tt.hits)
		equal(t, tt.what+": first", o.HitKinds.First, tt.first)
		equal(t, tt.what+": effects", o.Effects, tt.effects)
		equal(t, tt.what+": duplicates", o.HitKinds.Duplicate, tt.duplicate)
		equal(t, tt.what+": abandoned", o.Abandoned, tt.abandoned)
		equal(t, tt.what+": failed", o.Outcomes.Failed, tt.failed)
	}
	key := run(t, graph([]string{"client: a | b", "a: c", "b: c"}, settings("load.key=true services.c.idempotency=reserve-and-wait services.c.time=5ms")))
	equal(t, "one key by two ways is one piece of work", key.Effects, 1)
}

// A caller that leaves takes all running calls along, but those that keep working;
// whichever it is, no call is made any more.
func TestLeavingSeveralCalls(t *testing.T) {
	const times = "services.b.time=20ms services.c.time=20ms services.d.time=50ms services.b.workers=1 services.c.workers=1 services.d.workers=1 "
	const timeout = "services.client.calls.a.timeout=30ms services.client.calls.a.retry.attempts=2 "
	for _, tt := range []struct {
		what      string
		a         string
		settings  string
		d         []int         // hits
		waited    int64         // for d's worker
		orphan    int64         // hits on d
		abandoned int64         // likewise
		spent     time.Duration // at d
	}{
		{"at once, taken along", "a: b | c | d", "", []int{0, 30}, 0, 0, 2, 60},
		{"at once, d goes on", "a: b | c | d", "services.a.calls.d.keep_working=true", []int{0, 30}, 1, 0, 2, 50 + 70},
		{"at once, d goes on, and a's worker does not wait for it", "a: b | c | d", "services.a.workers=1 services.a.calls.d.keep_working=true", []int{0, 30}, 1, 0, 2, 50 + 70},
		{"at once, nobody is told", "a: b | c | d", "services.client.calls.a.keep_working=true", []int{0, 30}, 1, 0, 2, 50 + 70},
		{"in turn, taken along before d", "a: b c d", "", nil, 0, 0, 0, 0},
		{"in turn, c goes on, and a is no more", "a: b c d", "services.a.calls.c.keep_working=true", nil, 0, 0, 0, 0},
		{"in turn, a is not told, and goes on", "a: b c d", "services.client.calls.a.keep_working=true", []int{40, 70}, 1, 2, 0, 50 + 70},
	} {
		top := graph([]string{"client: a", tt.a}, settings(times+timeout+tt.settings))
		o := run(t, top)
		same(t, tt.what+": hits", o.hitsOn("d"), tt.d)
		equal(t, tt.what+": waited", o.Layers[4].Queue.Queued, tt.waited)
		equal(t, tt.what+": orphans", o.HitKinds.Orphan, tt.orphan)
		equal(t, tt.what+": abandoned", o.Abandoned, tt.abandoned)
		equal(t, tt.what+": ms at d", o.Layers[4].Time.TotalMS, float64(tt.spent))
		equal(t, tt.what+": outcome", o.words(), "timeout")
		simulate(t, top)
	}
}

// The end of a call may be that of the job that made it, whose worker and whose place
// in memory go to the next: what of the calls was still to be ended is not the next
// one's.
func TestLeavingMakesRoom(t *testing.T) {
	for _, a := range []string{"a: b*2 | e*2 | f*2", "a: e*2 | b*2 | f*2", "a: e*2 | f*2 | b*2"} {
		top := graph([]string{"client: a", a, "b: c | d"}, arriving(ms(0, 10)...), settings(
			"services.a.workers=1 services.client.calls.a.timeout=30ms services.a.calls.b.retry.rest=1s services.c.fault=503@0s..20ms,ok+delay=5ms"))
		o := run(t, top)
		equal(t, a+": outcomes", o.words(), "timeout 200")
		same(t, a+": ends", o.ends(), ms(30, 35))
		same(t, a+": hits on c", o.hitsOn("c"), []int{0, 30})
		simulate(t, top)
	}
}

// What a call keeps to itself is that of one edge, what a service has is for all who
// call it.
func TestSharedByWhom(t *testing.T) {
	for _, tt := range []struct {
		what     string
		settings string
		end      int
		queued   int64 // at d
	}{
		{"nothing is short", "", 10, 0},
		{"a place of one edge", "services.a.calls.d.pool.limit=1", 40, 0},
		{"a place of each", "services.a.calls.d.pool.limit=1 services.b.calls.d.pool.limit=1", 40, 0},
		{"a worker for both", "services.d.workers=1", 80, 7},
	} {
		top := graph([]string{"client: a | b", "a: d", "b: d"}, herd(4), settings("services.d.time=10ms "+tt.settings))
		o := run(t, top)
		equal(t, tt.what+": end", o.ElapsedMS, float64(tt.end))
		equal(t, tt.what+": hits", o.Hits, 8)
		if q := o.Layers[3].Queue; q != nil {
			equal(t, tt.what+": queued", q.Queued, tt.queued)
		}
		simulate(t, top)
	}
}

// The books of a graph: what a layer calls is the sum over its calls, and its own
// time what they do not take. In turn, the shares add up to the whole.
func TestBooksOfAGraph(t *testing.T) {
	times := settings("services.a.time=5ms services.b.time=10ms services.c.time=20ms services.d.time=40ms services.client.calls.a.retry.rest=15ms")
	o := run(t, graph([]string{"client: a*2", "a: b c*2", "b: c", "c: d*2"}, times, settings("services.d.fault=ok,503x4,ok")))
	var share float64
	for i, want := range []struct {
		requests, attempts int64
		total, own         float64
	}{{1, 2, 425, 15}, {2, 5, 410, 10}, {2, 2, 140, 20}, {5, 7, 380, 100}, {7, 0, 280, 280}} {
		l := o.Layers[i]
		equal(t, l.Name+": requests", l.Requests, want.requests)
		equal(t, l.Name+": attempts", l.Attempts, want.attempts)
		equal(t, l.Name+": total", l.Time.TotalMS, want.total)
		equal(t, l.Name+": own", l.Time.OwnMS, want.own)
		share += l.Time.Share
	}
	near(t, "shares", share, 1, 1e-9)
	at := run(t, graph([]string{"client: a | b"}, settings("services.a.time=10ms services.b.time=20ms")))
	equal(t, "at once, the client has nothing of its own", at.Layers[0].Time.OwnMS, 0)
	equal(t, "a", at.Layers[1].Time.OwnMS, 10)
	equal(t, "b", at.Layers[2].Time.OwnMS, 20)
}

// What is left of a duration counts from when a service turns to its calls, and so
// does an instant; a duration that starts anew at every hop does so at every call.
func TestDeadlineOfSeveralCalls(t *testing.T) {
	for _, tt := range []struct {
		mode    string
		outcome string
		end     int
	}{
		{"absolute", "504", 100}, {"remaining", "504", 100}, {"per-hop", "200", 120},
	} {
		const client, b, c = "services.client.calls.a.deadline.", "services.a.calls.b.deadline.", "services.a.calls.c.deadline."
		top := graph([]string{"client: a", "a: b c"}, settings("services.b.time=60ms services.c.time=60ms "+
			client+"limit=100ms "+client+"mode="+tt.mode+" "+b+"enforce=true "+c+"enforce=true"))
		o := run(t, top)
		equal(t, tt.mode+": outcome", o.words(), tt.outcome)
		same(t, tt.mode+": end", o.ends(), ms(tt.end))
	}
}

// A hit on the tail is early by what its own caller was told, and no other.
func TestEarlyByWay(t *testing.T) {
	const deaf = ".retry_after=ignore "
	for _, tt := range []struct {
		what     string
		lines    []string
		settings string
		early    int64
	}{
		{"each comes once", []string{"client: a | d", "a: d"}, "", 0},
		{"the client comes again too soon", []string{"client: a | d*2", "a: d"}, "services.client.calls.d.retry" + deaf, 1},
		{"a does", []string{"client: a | d*2", "a: d*3"}, "services.a.calls.d.retry" + deaf, 2},
		{"all wait", []string{"client: a | d*2", "a: d*3"}, "", 0},
	} {
		o := run(t, graph(tt.lines, settings("services.d.fault=503+retry-after=1 "+tt.settings)))
		equal(t, tt.what, o.EarlyHits, tt.early)
	}
}

// meshed are n services that the client calls at once, and n that each of them does.
func meshed(n int) []topology.Service {
	services := make([]topology.Service, 1+2*n)
	for i := range services {
		services[i] = topology.Service{Name: topology.LayerName(i), Parallel: true}
	}
	call := func(from, to int) {
		services[from].Calls = append(services[from].Calls, topology.Call{To: services[to].Name})
	}
	for i := range n {
		call(0, 1+i)
		for k := range n {
			call(1+i, 1+n+k)
		}
	}
	return services
}

// Of many calls each finds its service; more than a job can name are refused, and
// not mixed up.
func TestManyCalls(t *testing.T) {
	many := lab([]int{1}, func(top *topology.Topology) { top.Services = meshed(200) })
	v, _ := mustRun(t, many, Options{})
	for i, l := range v.Layers[1:] {
		want := 1
		if i >= 200 {
			want = 200
		}
		equal(t, l.Name, l.Requests, int64(want))
	}
	many.Services = meshed(260)
	if err := Check(many, 0); err == nil || !strings.Contains(err.Error(), "67860 calls in all are over the limit of 65536") {
		t.Errorf("got %v", err)
	}
}

// Calls at once are in flight together, and take memory together.
func TestMemoryOfCallsAtOnce(t *testing.T) {
	for line, n := range map[string]int64{"client: a b c": 1, "client: a | b | c": 3, "client: a": 1} {
		top := graph([]string{line}, herd(1000), settings("services.a.workers=1"))
		if Check(top, 1000*n*perClient-1) == nil || Check(top, 1000*n*perClient) != nil {
			t.Errorf("%s: not %d times the memory of one call", line, n)
		}
	}
}

// As many services as a topology may have.
func TestManyServices(t *testing.T) {
	wide := lab([]int{1}, func(top *topology.Topology) {
		top.Services = make([]topology.Service, topology.MaxServices)
		for i := range top.Services {
			name := topology.LayerName(i)
			top.Services[i].Name = name
			if i > 0 {
				top.Services[0].Calls = append(top.Services[0].Calls, topology.Call{To: name})
			}
		}
	})
	v, _ := mustRun(t, wide, Options{way: coupled})
	equal(t, "attempts", v.Layers[0].Attempts, topology.MaxServices-1)
	for _, l := range v.Layers {
		equal(t, l.Name, l.Requests, 1)
	}
}
