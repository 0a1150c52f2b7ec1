package live_test

import (
	"math"
	"strings"
	"testing"

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
			live.Machine{Descriptors: 4033}, "2000 connections need 4034 descriptors"},
		{"just enough of them", []int{1, 1}, []string{"load.herd.clients=1000"}, live.TCP(), live.Machine{Descriptors: 4034}, ""},
		{"pipes need none", []int{1, 1}, []string{"load.herd.clients=1000"}, live.Pipe(), live.Machine{Descriptors: 32}, ""},
		{"each connection to one service takes a port", []int{1}, []string{"load.herd.clients=28233"}, live.TCP(),
			roomy, "28233 connections to one service need more than the 28232 local ports of this machine: use fewer clients, or use --net pipe"},
		{"connections take memory over pipes as well", []int{1}, []string{"load.herd.clients=1000000"}, live.Pipe(),
			live.Machine{Memory: giga}, "1000000 connections need about "},
		{"attempts multiply", []int{1000, 1000, 1000}, nil, live.Pipe(), roomy,
			"up to 1000000000 hits on the tail are over the limit of 50000000 of a live run: use fewer attempts, layers, clients or requests, or give the run an end"},
		{"a run that ends by its clock makes as many as it can", []int{1000, 1000, 1000}, []string{"run.until=1s"}, live.Pipe(), roomy, ""},
		{"without a limit, too", []int{1}, []string{"run.until=1s", "services.client.calls.a.retry.attempts=unlimited"}, live.Pipe(), roomy, ""},
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

// The machine that runs the tests is one.
func TestThisMachine(t *testing.T) {
	if m := live.ThisMachine(); m.Cores < 1 || m.Descriptors < 0 || m.Memory < 0 || m.Ports < 0 {
		t.Errorf("%+v", m)
	}
}
