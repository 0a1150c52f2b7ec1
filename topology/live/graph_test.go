package live_test

import (
	"context"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/policy"
)

// graph is one client of the services that lines between slashes name: "a: b*3 c:30%"
// calls b with three attempts and then, for 30 % of its requests, c; "a: b | c" both
// at once. The last service, which calls nobody, is the tail; all answer ok.
func graph(t *testing.T, lines string, settings ...string) topology.Topology {
	t.Helper()
	top := topology.Topology{
		Load: topology.Load{Herd: topology.Herd{Clients: 1}},
		Run:  topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
	}
	for line := range strings.SplitSeq(lines, " / ") {
		name, to, _ := strings.Cut(line, ": ")
		s := topology.Service{Name: name, Parallel: strings.Contains(to, "|")}
		for _, word := range strings.Fields(strings.ReplaceAll(to, "|", " ")) {
			s.Calls = append(s.Calls, callTo(word))
		}
		top.Services = append(top.Services, s)
	}
	for _, s := range top.Services {
		for _, c := range s.Calls {
			if top.Service(c.To) == nil {
				top.Services = append(top.Services, topology.Service{Name: c.To})
			}
		}
	}
	return change(t, top, settings...)
}

func callTo(word string) (c topology.Call) {
	word, chance, _ := strings.Cut(word, ":")
	to, attempts, _ := strings.Cut(word, "*")
	c.To = to
	if n, err := strconv.Atoi(attempts); err == nil {
		c.Policies = []topology.Policy{{Retry: &policy.Retry{Attempts: n}}}
	}
	if chance != "" {
		c.Chance, _ = program.ParseChance(chance)
	}
	return c
}

// Graphs are the same in both engines, as chains are: see TestParity.
func TestParityOfGraphs(t *testing.T) {
	const abc = "services.a.time=10ms services.b.time=21ms services.c.time=33ms "
	const crowd = "load.herd.clients=40 load.herd.smear=7ms "
	const diamond = "client: a*2 / a: b*3 | c*2 / b: d*2 / c: d*4"
	const rests = crowd + "services.client.calls.a.retry.rest=7ms services.a.calls.b.retry.rest=3ms services.a.calls.c.retry.rest=4ms " +
		"services.client.calls.a.retry.jitter=full services.a.calls.b.retry.jitter=full services.a.calls.c.retry.jitter=full "
	const keeps = "services.client.calls.a.keep_working=true "
	for what, tt := range map[string]struct{ lines, settings string }{
		"in turn":                           {"client: s / s: a b c", abc + "services.s.time=5ms services.c.fault=ok"},
		"in turn, the first fails":          {"client: s*2 / s: a b c", abc + "services.a.fault=503"},
		"in turn, the second does":          {"client: s*2 / s: a b c", abc + "services.b.fault=reset,ok"},
		"in turn, attempts are of a call":   {"client: s / s: a*3 b*2 c", abc + "services.a.fault=503x2,ok services.b.fault=404"},
		"in turn, an old answer is one":     {"client: s*2 / s: a b c", abc + "services.a.fault=503 services.s.calls.a.fallback.static=true"},
		"in turn, and then a failure":       {"client: s / s: a b c", abc + "services.a.fault=503 services.s.calls.a.fallback.static=true services.c.fault=500"},
		"in turn, a call of its own times":  {"client: s*2 / s: a b c", abc + "services.s.calls.b.timeout=15ms"},
		"in turn, of many with few workers": {"client: s / s: a b", crowd + "services.a.time=exponential:5ms services.a.workers=3 services.b.time=exponential:7ms services.b.workers=5 services.s.workers=9"},
		"in turn, a lost answer":            {"client: s*2 / s: a b c", abc + "services.s.fault=lost,slow+over=9ms"},

		"at once":                            {"client: s / s: a | b | c", abc + "services.s.time=5ms"},
		"at once, the first to fail is last": {"client: s*2 / s: c | b | a", abc + "services.c.fault=500 services.a.fault=503"},
		"at once, a failure is waited with":  {"client: s*2 / s: c | b | a", abc + "services.a.fault=503"},
		"at once, the last in order":         {"client: a | b | c", abc + "services.a.fault=201 services.c.fault=202"},
		"at once, an old answer":             {"client: s / s: a | b | c", abc + "services.b.fault=503 services.s.calls.b.fallback.static=true"},
		"at once, each tries again":          {"client: s / s: a*2 | b | c*4", abc + "services.a.fault=503,ok services.c.fault=503"},
		"at once, a closed port":             {"client: s*3 / s: a | b | c", abc + "services.b.fault=refuse services.client.calls.s.retry.rest=5ms"},
		"at once, of many with few workers":  {"client: s / s: a | b", crowd + "services.a.time=exponential:5ms services.a.workers=3 services.b.time=exponential:7ms services.b.workers=5 services.s.workers=9"},

		"chance in turn":             {"client: s / s: a:30% b:60% c:20%", crowd + abc},
		"chance at once":             {"client: s / s: a:30% | b:60% | c:20%", crowd + abc},
		"chance of a client":         {"client: a:50% b:50% c:20%", crowd + abc},
		"chance of a client at once": {"client: a:50% | b:50% | c:20%", crowd + abc},
		"chance of an only call":     {"client: s*4 / s: a:40%", crowd + "services.a.fault=503+delay=5ms services.client.calls.s.retry.rest=2ms services.s.fault=ok+delay=3ms"},
		"chance of a client's only":  {"client: a:40%", crowd + "load.herd.requests=3 load.herd.think=exponential:5ms services.a.time=5ms"},
		"chance, and a late answer":  {"client: s*2 / s: a:30% b:30%", "load.herd.clients=40 load.herd.smear=7ms services.s.fault=slow+over=11ms,lost services.client.calls.s.retry.rest=2ms"},
		"chance of late herds":       {"client: a:50% | b:50%", "services.a.time=10ms services.b.time=21ms load.herd.clients=9 load.others.x.clients=9 load.others.x.start=15ms load.others.x.smear=6ms load.others.y.clients=3 load.others.y.start=1s load.for=60ms load.herd.requests=2 load.herd.think=9ms"},

		"a diamond with retries":       {diamond, rests + "services.b.time=5ms services.c.time=exponential:7ms services.d.time=exponential:2ms services.d.fault=503:50%"},
		"a diamond that always fails":  {diamond, "services.d.fault=503 services.b.time=5ms services.c.time=7ms services.d.time=1ms"},
		"a diamond and its workers":    {diamond, rests + "services.b.time=exponential:5ms services.c.time=exponential:7ms services.d.time=exponential:2ms services.d.workers=6 services.d.fault=503:50%"},
		"a diamond in turn":            {"client: a*2 / a: b*3 c*2 / b: d*2 / c: d*4", rests + "services.b.time=5ms services.c.time=7ms services.d.fault=503:30% services.d.time=1ms"},
		"a diamond does it twice":      {"client: a | b / a: c / b: c*2", "services.c.time=60ms services.b.time=3ms services.b.calls.c.timeout=50ms services.b.calls.c.keep_working=true"},
		"a diamond with one key":       {"client: a | b / a: c / b: c", "load.key=true services.c.idempotency=reserve-and-wait services.c.time=5ms services.b.time=1ms"},
		"the client is a corner":       {"client: a*3 | d*5 / a: b*2 | d / b: d*2", "services.d.fault=503+delay=7ms services.a.time=1ms services.b.time=2ms"},
		"each comes too soon by a way": {"client: a | d*2 / a: d*3", "services.d.fault=503+retry-after=1 services.a.time=9ms services.a.calls.d.retry.retry_after=ignore services.a.calls.d.retry.rest=100ms"},
		"each way has its own pool":    {"client: a | b / a: d / b: d", crowd + "services.a.time=exponential:2ms services.b.time=exponential:2ms services.d.time=9ms services.a.calls.d.pool.limit=4 services.b.calls.d.pool.limit=7"},
		"replicas of a corner":         {"client: a | b / a: d*2 / b: d*2", crowd + "services.a.time=exponential:2ms services.b.time=exponential:2ms services.d.fault=503:40% services.d.time=1ms services.d.replicas=3"},
		"routes of a graph": {"client: s / s: a | b", crowd + "load.others.slow.clients=9 load.others.slow.smear=5ms services.a.time=3ms services.a.routes.slow.time=9ms " +
			"services.b.time=4ms services.b.routes.slow.fault=503+delay=1ms"},

		"leaving a fan-out":              {"client: a*2 / a: b | c | d", "services.b.time=20ms services.c.time=20ms services.d.time=50ms services.client.calls.a.timeout=30ms"},
		"leaving, and one goes on":       {"client: a*2 / a: b | c | d", "services.b.time=20ms services.c.time=40ms services.d.time=50ms services.d.workers=1 services.client.calls.a.timeout=30ms services.a.calls.d.keep_working=true"},
		"leaving, and a worker is free":  {"client: a*2 / a: b | c | d", "services.client.calls.a.retry.rest=2ms services.a.workers=1 services.c.time=40ms services.d.time=50ms services.client.calls.a.timeout=30ms services.a.calls.d.keep_working=true"},
		"leaving, and nobody is told":    {"client: a*2 / a: b | c | d", keeps + "services.b.time=20ms services.c.time=40ms services.d.time=50ms services.client.calls.a.timeout=30ms"},
		"leaving calls in turn":          {"client: a*2 / a: b c d", "services.b.time=20ms services.c.time=20ms services.d.time=50ms services.client.calls.a.timeout=30ms"},
		"leaving one that goes on":       {"client: a*2 / a: b c d", "services.b.time=20ms services.c.time=21ms services.d.time=50ms services.client.calls.a.timeout=30ms services.a.calls.c.keep_working=true"},
		"leaving one with an old answer": {"client: a*2 / a: b c", "services.b.time=50ms services.a.calls.b.fallback.static=true services.client.calls.a.timeout=30ms"},
		"leaving who is not told":        {"client: a*2 / a: b c d", keeps + "services.b.time=20ms services.c.time=21ms services.d.time=50ms services.client.calls.a.timeout=30ms"},
		"leaving with a key":             {"client: a*3 / a: b | c", "load.key=true services.a.idempotency=reserve-first services.b.time=20ms services.c.fault=ok+delay=50ms,ok+delay=1ms services.client.calls.a.timeout=30ms services.client.calls.a.retry.rest=2ms"},
		"the end cuts a fan-out":         {"client: s / s: a | b | c", abc + crowd + "services.a.fault=503 run.until=19ms"},
		"the end cuts a client's":        {"client: a | b | c", abc + crowd + "services.a.fault=503 run.until=19ms"},
		"the end cuts calls in turn":     {"client: a b c", abc + crowd + "run.until=19ms"},
		"the end comes before the start": {"client: a | b", crowd + "services.a.time=5ms run.until=3ms"},

		"a client with two calls": {"client: a*2 b*3", crowd + "services.a.fault=503:30% services.a.time=5ms services.b.fault=503:30% services.b.time=7ms services.client.calls.a.retry.rest=3ms services.client.calls.b.retry.rest=3ms services.client.calls.b.latency=2ms"},
		"a client with two calls at once": {"client: a*2 | b*3", crowd + "services.a.fault=503:30% services.a.time=5ms services.b.fault=503:30% services.b.time=7ms services.client.calls.a.retry.rest=3ms services.client.calls.b.latency=uniform:1ms..2ms " +
			"load.herd.requests=2 load.herd.think=exponential:5ms"},
		"a client whose first is refused": {"client: a b", crowd + "services.a.fault=refuse services.client.calls.a.fallback.static=true services.b.time=3ms"},
		"a client at a closed port":       {"client: a | b", "load.herd.clients=9 services.a.fault=refuse services.b.time=3ms"},
		"a herd whose last are too late":  {"client: a | b", "load.herd.clients=40 load.herd.smear=30ms load.for=15ms load.herd.requests=1 services.a.time=3ms services.b.time=4ms"},
		"a sharp herd":                    {"client: a | b", "load.herd.clients=300 services.a.time=3ms services.b.time=4ms"},
		"a sharp herd, in turn":           {"client: a b", "load.herd.clients=300 services.a.time=3ms services.b.time=4ms"},
		"an open loop of two calls":       {"client: a | b*2", "services.a.time=exponential:4ms services.b.time=exponential:9ms services.b.workers=3 services.b.queue=2 services.client.calls.b.retry.rest=3ms load.rate=300/s load.rate.poisson=true load.for=200ms"},
		"a bulkhead of one of two": {"client: a b", crowd + "services.client.calls.a.bulkhead.limit=3 services.client.calls.a.bulkhead.queue=9 services.client.calls.a.bulkhead.wait=25ms services.client.calls.a.fallback.static=true " +
			"services.a.time=exponential:9ms services.b.time=exponential:5ms"},

		"an instant for two":          {"client: a / a: b c", deadline("absolute")},
		"what is left, for two":       {"client: a / a: b c", deadline("remaining")},
		"as much for each of two":     {"client: a / a: b c", deadline("per-hop")},
		"what is left, for two later": {"client: a / a: b*2 c d", "services.d.time=25ms services.b.fault=503+delay=5ms,ok+delay=9ms services.a.time=7ms services.a.calls.d.deadline.enforce=true " + deadline("remaining")},
	} {
		t.Run(what, func(t *testing.T) { parity(t, graph(t, tt.lines, strings.Fields(tt.settings)...)) })
	}
}

func deadline(mode string) string {
	const client, b, c = "services.client.calls.a.deadline.", "services.a.calls.b.deadline.", "services.a.calls.c.deadline."
	return "services.b.time=60ms services.c.time=61ms " + client + "limit=100ms " + client + "mode=" + mode + " " + b + "enforce=true " + c + "enforce=true"
}

// The tree of a graph: below each attempt its calls, in the caller's own order.
func TestTreeOfAGraph(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := run(t, graph(t, "client: a*2 | d / a: c | b*2 / b: d / c: d", "services.b.fault=503,ok", "services.d.time=5ms", "services.b.time=2ms", "services.c.time=1ms", "services.d.fault=ok,503,ok"), live.Pipe())
		var got []string
		for _, a := range o.Tree {
			got = append(got, strings.Repeat(" ", a.Depth)+a.Layer+">"+a.To+"#"+text(a.Number)+" "+a.Outcome)
		}
		same(t, "attempts", got, []string{
			"client>a#1 503", " a>c#1 503", "  c>d#1 503", " a>b#1 503", " a>b#2 200", "  b>d#1 200",
			"client>a#2 200", " a>c#1 200", "  c>d#1 200", " a>b#1 200", "  b>d#1 200",
			"client>d#1 200",
		})
	})
}

// The first wave is what clients begin with, and not what they, or others, call later.
func TestTheFirstWaveOfAGraph(t *testing.T) {
	for lines, want := range map[string]float64{
		"client: a b / a: b":          0,
		"client: a | b / a: b":        0,
		"client: a:50% b / a: b":      0,
		"client: a:50% | b / a: b":    0,
		"client: a | c / a: b / c: b": 2, // by the latency of one of them
	} {
		synctest.Test(t, func(t *testing.T) {
			settings := []string{"load.herd.clients=20", "services.a.time=30ms", "services.b.time=5ms"}
			if want > 0 {
				settings = append(settings, "services.client.calls.c.latency=2ms", "run.bin=1ms")
			}
			o := run(t, graph(t, lines, settings...), live.Pipe())
			equal(t, lines+": spread", o.SpreadMS.FirstWave, want)
			equal(t, lines+": warning", o.warning("spread-over-half-bin"), "")
		})
	}
}

// All calls that a client begins with are held until the release, over any network.
func TestTheHerdIsHeldWithAllItsCalls(t *testing.T) {
	for net, n := range networks() {
		const clients = 300 // more than are opened at once
		var l wireCounter
		o := run(t, graph(t, "client: a | b:50% | c / a: c", "load.herd.clients=300"), l.on(n))
		b := o.Layers[2].Requests
		equal(t, net+": on a", o.Layers[1].Requests, clients)
		equal(t, net+": on c", o.Hits, 2*clients)
		if b == 0 || b == clients {
			t.Errorf("%s: %d on b", net, b)
		}
		equal(t, net+": connections before the release", int64(l.count().openedAtFirst), 2*clients+b)
		equal(t, net+": answered", o.Outcomes.OK, clients)
		equal(t, net+": mismatch", o.warning("hits-differ-from-attempts"), "")
	}
}

// A call that follows one which was answered before the release waits for that.
func TestNoCallGoesBeforeTheRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := wire{Network: live.Pipe(), dialled: func(_ context.Context, c net.Conn, err error) (net.Conn, error) {
			time.Sleep(time.Second)
			return c, err
		}}
		o := run(t, graph(t, "client: a b", "load.herd.clients=20", "run.bin=500ms",
			"services.client.calls.a.bulkhead.limit=3", "services.client.calls.a.bulkhead.queue=none", "services.client.calls.a.fallback.static=true"), slow)
		same(t, "hits on b", o.Bins, []int64{0, 0, 20})
		equal(t, "elapsed", o.ElapsedMS, 1000)
		equal(t, "degraded", o.Outcomes.Degraded, 17)
	})
}

// Of a fan-out that is interrupted when all of it has arrived nothing is left.
func TestAnInterruptedFanOut(t *testing.T) {
	for net, n := range networks() {
		ctx, cancel := context.WithCancel(t.Context())
		var arrived atomic.Int64
		all := func(time.Duration, bool) {
			if arrived.Add(1) == 9 {
				cancel()
			}
		}
		v, warnings, err := live.Run(ctx, graph(t, "client: s | a / s: a | b c", "load.herd.clients=9", "services.a.fault=hang", "services.b.fault=503", "services.s.calls.c.keep_working=true",
			"services.client.calls.s.timeout=1h", "services.client.calls.a.timeout=1h", "services.s.calls.a.timeout=1h"), live.Options{Net: n, Hit: all})
		cancel()
		equal(t, net+": error", err, live.ErrInterrupted)
		o := outcome{v, warnings}
		equal(t, net+": cancelled", o.Outcomes.Cancelled, 9)
		equal(t, net+": on c", o.Layers[4].Requests, 9)
	}
}
