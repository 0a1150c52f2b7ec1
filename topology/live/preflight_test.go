package live_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/live"
)

// What a run needs is known before it starts, and a machine that cannot carry it
// says so, with the numbers and the cure.
func TestCheck(t *testing.T) {
	const giga = 1 << 30
	roomy := live.Machine{Descriptors: 1 << 20, Memory: 64 * giga, Ports: 28_232}
	for _, tt := range []struct {
		what     string
		attempts []int
		settings []string
		net      live.Network
		machine  live.Machine
		want     string // the start of the refusal
	}{
		{"a small herd", []int{3}, []string{"load.herd.clients=200"}, live.TCP(), roomy, ""},
		{"what is not known of a machine refuses nothing", []int{3}, []string{"load.herd.clients=20000"}, live.TCP(), live.Machine{}, ""},
		{"both ends of every connection are descriptors", []int{1, 1}, []string{"load.herd.clients=1000"}, live.TCP(),
			live.Machine{Descriptors: 4534}, "2000 connections need 4535 descriptors (and about 94 MiB of memory), and 4534 are allowed: use --engine sim, which opens none, or --net pipe, raise the limit (ulimit -n 4535), or use fewer clients"},
		{"just enough of them", []int{1, 1}, []string{"load.herd.clients=1000"}, live.TCP(), live.Machine{Descriptors: 4535}, ""},
		{"pipes need none", []int{1, 1}, []string{"load.herd.clients=1000"}, live.Pipe(), live.Machine{Descriptors: 32}, ""},
		{"each connection to one service takes a port", []int{1}, []string{"load.herd.clients=28233"}, live.TCP(),
			roomy, "28233 connections to one service need more than the 28232 local ports of this machine: use --engine sim, which opens none, or --net pipe, or use fewer clients"},
		{"connections take memory over pipes as well", []int{1}, []string{"load.herd.clients=1000000"}, live.Pipe(),
			live.Machine{Memory: giga}, "1000000 connections and their hits need about 46.0 GiB of memory, and 1.0 GiB is free: use --engine sim, which opens none, or fewer clients"},
		{"a herd that no machine carries gets the estimate, and not the number of its hits", []int{3}, []string{"load.herd.clients=1000000000"}, live.TCP(), roomy,
			"1000000000 connections and their hits need about 45 TiB of memory and 2250000034 descriptors, and 64.0 GiB is free: use --engine sim, which opens none, or fewer clients"},
		{"hits take memory", []int{100, 1000, 100}, nil, live.Pipe(), live.Machine{Memory: giga},
			"3 connections and their hits need about 2.4 GiB of memory, and 1.0 GiB is free: use fewer attempts, end the run sooner, or use --engine sim"},
		{"more than are recorded are refused for their number", []int{1000, 1000, 1000}, nil, live.Pipe(), roomy, ""},
		{"work that nobody waits for keeps its connection", []int{5}, []string{"load.herd.clients=1000", "services.client.calls.a.keep_working=true", "services.client.calls.a.timeout=1s"},
			live.TCP(), live.Machine{Descriptors: 10_000}, "5000 connections need "},
		{"a run that ends by its clock makes as many as it can", []int{1000, 1000, 1000}, []string{"run.until=1s"}, live.Pipe(), roomy, ""},
		{"without a limit, too", []int{1}, []string{"run.until=1s", "services.client.calls.a.retry.attempts=unlimited", "services.client.calls.a.retry.rest=1ms"}, live.Pipe(), roomy, ""},
		{"herds add up", []int{1}, []string{"load.herd.clients=500", "load.others.x.clients=500"}, live.TCP(),
			live.Machine{Descriptors: 100}, "1000 connections need "},
		{"a connection to each replica stays open", []int{1}, []string{"load.herd.clients=1000", "services.a.replicas=3"}, live.TCP(),
			live.Machine{Descriptors: 100}, "3000 connections need 6786 descriptors"},
		{"but each replica is an address of its own", []int{1}, []string{"load.herd.clients=20000", "services.a.replicas=3"}, live.TCP(),
			live.Machine{Ports: 28_232}, ""},
		{"a closed loop ends with its load", []int{3}, []string{"load.for=2s", "load.herd.clients=50"}, live.TCP(), roomy, ""},
		{"an open loop of workers", []int{1}, []string{"load.rate=1000000/s", "load.for=1s", "load.rate.workers=700"}, live.TCP(),
			live.Machine{Descriptors: 100}, "700 connections need "},
		{"one without is taken to have a second's requests in flight", []int{1}, []string{"load.rate=2000/s", "load.for=30s"}, live.TCP(),
			live.Machine{Descriptors: 100}, "2000 connections need "},
		{"or all there are", []int{1}, []string{"load.rate=2000/s", "load.for=100ms"}, live.TCP(),
			live.Machine{Descriptors: 100}, "200 connections need "},
	} {
		needs := live.Estimate(lab(t, tt.attempts, tt.settings...), tt.net)
		got := ""
		if err := needs.Check(tt.machine); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", tt.what, got, tt.want)
		}
		if needs.Memory < 0 || needs.Hits < 0 || needs.Hits == math.MaxInt64 {
			t.Errorf("%s: needs %+v", tt.what, needs)
		}
	}
}

func TestCheckHits(t *testing.T) {
	err := live.CheckHits(lab(t, []int{1000, 1000, 1000}))
	want := "up to 1000000000 hits on the tail are over the limit of 50000000 of a live run: use fewer attempts, layers, clients or requests, give the run an end, or use --engine sim"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	equal(t, "an open loop", text(live.CheckHits(lab(t, []int{100}, "load.rate=1000000/s", "load.for=1s"))),
		"up to 100000000 hits on the tail are over the limit of 50000000 of a live run: use fewer attempts, layers, clients or requests, give the run an end, or use --engine sim")
	for _, top := range []topology.Topology{lab(t, []int{3, 3, 3}), lab(t, []int{3}, "load.for=2s", "load.herd.clients=50"), lab(t, []int{3}, "load.rate=1000/s", "load.for=2s"), lab(t, []int{1000, 1000, 1000}, "run.until=1s")} {
		if err := live.CheckHits(top); err != nil {
			t.Error(err)
		}
	}
}

// On every edge of a graph there can be a connection for each request at its caller,
// and a request can be there by each way.
func TestCheckOfGraphs(t *testing.T) {
	for _, tt := range []struct {
		what, lines string
		settings    []string
		connections int64
		perService  int64
		hits        int64
	}{
		{"two calls", "client: a b", nil, 2000, 1000, 1000},
		{"at once", "client: a | b", nil, 2000, 1000, 1000},
		{"a diamond, and what lies behind", "client: a / a: b | c / b: d*2 / c: d*3 / d: e", nil, 1000 + 2000 + 2000 + 2000, 2000, 5000},
		{"replicas", "client: a / a: b | c / b: d / c: d", []string{"services.d.replicas=3"}, 3000 + 6000, 2000, 2000},
		{"work that goes on on one of two ways", "client: a | b / a: d*5 / b: d", []string{"services.a.calls.d.keep_working=true", "services.a.calls.d.timeout=1s"}, 2000 + 6000, 6000, 6000},
	} {
		top := graph(t, tt.lines, append(tt.settings, "load.herd.clients=1000")...)
		needs := live.Estimate(top, live.TCP())
		equal(t, tt.what+": connections", needs.Connections, tt.connections)
		equal(t, tt.what+": to one service", needs.PerService, tt.perService)
		equal(t, tt.what+": hits", needs.Hits, tt.hits)
	}
}

// The machine that runs the tests is one.
func TestThisMachine(t *testing.T) {
	if m := live.ThisMachine(); m.Cores < 1 || m.Descriptors < 0 || m.Memory < 0 || m.Ports < 0 {
		t.Errorf("%+v", m)
	}
}

// A live run sits out no Retry-After of years, unless it has an end.
func TestSupportsNoEndlessWait(t *testing.T) {
	top := lab(t, []int{3}, "services.a.fault=429+retry-after=1000000000")
	want := "services.a.fault: it asks callers to wait for 277777h46m40s, and those that obey would: give the run an end (--until), or use --engine sim"
	if err := live.Supports(top); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	top.Run.Until = time.Second
	if err := live.Supports(top); err != nil {
		t.Errorf("with an end: %v", err)
	}
}
