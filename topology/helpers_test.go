package topology_test

import (
	"testing"
	"time"

	"labctl/topology"
)

// lab is the smallest valid topology of three services: client → a → b.
func lab() topology.Topology {
	return topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
		Services: topology.Chain(3, 3),
		Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
	}
}

// message is the text of an error, empty for none.
func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}
