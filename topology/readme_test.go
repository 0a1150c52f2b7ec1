package topology_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"labctl/topology"
)

// The README prints the limits; what it says is what is refused.
func TestReadmeSaysTheLimits(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "\n## Limits\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	for _, row := range []struct {
		starts string
		limit  int
	}{
		{"| services; layers", topology.MaxServices},
		{"| services; layers", topology.MaxLayers},
		{"| attempts of one retry", topology.MaxAttempts},
		{"| hits of a live run", topology.MaxHits},
		{"| clients of a herd", topology.MaxClients},
		{"| requests of one client", topology.MaxRequests},
		{"| a rest, cap, timeout", int(topology.MaxDuration.Hours() / 24)},
		{"| a name |", topology.MaxNameBytes},
		{"| a name |", topology.MaxPathBytes},
		{"| workers of a replica", topology.MaxWorkers},
		{"| workers of a replica", topology.MaxReplicas},
		{"| requests of an open loop", topology.MaxRate},
	} {
		_, line, found := strings.Cut(section, row.starts)
		line, _, _ = strings.Cut(line, "\n")
		if !found || !strings.Contains(line, spaced(row.limit)) {
			t.Errorf("the row %q… does not say %s", row.starts, spaced(row.limit))
		}
	}
}

// spaced is a number as the README writes it: 1 000 000.
func spaced(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
