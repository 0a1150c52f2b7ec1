package bound_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/bound"
)

// chain is one client of a chain with these attempts, client first, with fields
// changed as a file would, by lines such as "services.a.fault=ok".
func chain(t testing.TB, attempts []int, settings ...string) topology.Topology {
	t.Helper()
	top := topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
		Services: topology.Chain(attempts...),
		Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
	}
	change(t, &top, settings...)
	return top
}

// graph is one client of services given as "client: a b", in calling order. Calls
// to a name with a number make so many attempts: "a: b*3".
func graph(t testing.TB, lines ...string) topology.Topology {
	t.Helper()
	top := topology.Topology{Load: topology.Load{Herd: topology.Herd{Clients: 1}}, Run: topology.Run{Seed: 1, Bin: 50 * time.Millisecond}}
	var attempts []string
	for _, line := range lines {
		name, calls, _ := strings.Cut(line, ":")
		s := topology.Service{Name: name}
		for _, to := range strings.Fields(calls) {
			to, n, ok := strings.Cut(to, "*")
			s.Calls = append(s.Calls, topology.Call{To: to})
			if ok {
				attempts = append(attempts, "services."+name+".calls."+to+".retry.attempts="+n)
			}
		}
		top.Services = append(top.Services, s)
	}
	change(t, &top, attempts...)
	return top
}

func change(t testing.TB, top *topology.Topology, settings ...string) {
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
}

// at is a service of a report.
func at(t testing.TB, r bound.Report, name string) bound.Service {
	t.Helper()
	i := slices.IndexFunc(r.Services, func(s bound.Service) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no service %s", name)
	}
	return r.Services[i]
}

// tester is a test, or one draw of a property.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
}

func equal[T comparable](t tester, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}
