package live_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// networks are the two that a lab runs over. Each call makes new ones.
func networks() map[string]live.Network {
	return map[string]live.Network{"tcp": live.TCP(), "pipe": live.Pipe()}
}

// lab is a chain with these attempts, client first, changed by settings such as
// "services.b.fault=503+delay=60ms".
func lab(t *testing.T, attempts []int, settings ...string) topology.Topology {
	t.Helper()
	top := topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
		Services: topology.Chain(attempts...),
		Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
	}
	return change(t, top, settings...)
}

func change(t *testing.T, top topology.Topology, settings ...string) topology.Topology {
	t.Helper()
	for _, s := range settings {
		path, value, _ := strings.Cut(s, "=")
		if err := top.Set(topology.Setting{Path: path, Value: value}); err != nil {
			t.Fatal(err)
		}
	}
	if err := top.Validate(); err != nil {
		t.Fatal(err)
	}
	return top
}

// chain is a chain under names of one's own; the first is the client, the last
// the tail.
func chain(names []string, attempts []int, fault string) []topology.Service {
	services := topology.Chain(attempts...)
	for i := range services {
		services[i].Name = names[i]
		if i < len(attempts) {
			services[i].Calls[0].To = names[i+1]
		}
	}
	services[len(attempts)].Fault = fault
	return services
}

// outcome is what a run gave.
type outcome struct {
	report.Variant
	warnings []report.Warning
}

func run(t *testing.T, top topology.Topology, n live.Network) outcome {
	t.Helper()
	v, warnings, err := live.Run(t.Context(), top, live.Options{Net: n, Tree: true})
	if err != nil {
		t.Fatal(err)
	}
	return outcome{v, warnings}
}

// warning returns the message of the warning with that code, empty when there is
// none.
func (o outcome) warning(code string) string {
	for _, w := range o.warnings {
		if w.Code == code {
			return w.Message
		}
	}
	return ""
}

// requests are the requests of every service, the client's own first.
func (o outcome) requests() []int64 {
	var out []int64
	for _, l := range o.Layers {
		out = append(out, l.Requests)
	}
	return out
}

// attempts are the calls of all layers together.
func (o outcome) attempts() int64 {
	var sum int64
	for _, l := range o.Layers {
		sum += l.Attempts
	}
	return sum
}

// offsets are the instants at which the traced request's attempts arrived at a
// service, in milliseconds.
func (o outcome) offsets(to string) []float64 {
	var out []float64
	for _, a := range o.Tree {
		if a.To == to {
			out = append(out, a.OffsetMS)
		}
	}
	return out
}

// words are the outcomes of the traced request's attempts on a service.
func (o outcome) words(to string) string {
	var out []string
	for _, a := range o.Tree {
		if a.To == to {
			out = append(out, a.Outcome)
		}
	}
	return strings.Join(out, " ")
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// interrupted runs until the context ends and wants that to be said.
func interrupted(t *testing.T, ctx context.Context, top topology.Topology, n live.Network) outcome {
	t.Helper()
	v, warnings, err := live.Run(ctx, top, live.Options{Net: n})
	equal(t, "error", err, live.ErrInterrupted)
	return outcome{v, warnings}
}

func text[T any](v T) string { return fmt.Sprint(v) }
