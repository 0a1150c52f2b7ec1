package infer_test

import (
	"testing"

	"labctl/audit"
	"labctl/audit/infer"
)

func TestChains(t *testing.T) {
	alone := audit.Chain{Fault: "close", Method: "GET", Hits: 4, Layers: []audit.Layer{{Name: "client", Requests: 1, Attempts: 4, Factor: 4}}}
	for _, c := range []struct {
		name   string
		hits   int
		layers []audit.Layer
		want   string // "": nothing to say
	}{
		{"a product", 16, []audit.Layer{
			{Name: "client", Requests: 1, Attempts: 4, Factor: 4}, {Name: "haproxy", Requests: 4, Attempts: 16, Factor: 4},
		}, "close GET: one request becomes 16: client 4 × haproxy 4"},
		{"hidden replays", 28, []audit.Layer{
			{Name: "client", Requests: 1, Attempts: 7, Factor: 4, Hidden: 3}, {Name: "haproxy", Requests: 7, Attempts: 28, Factor: 4},
		}, "close GET: one request becomes 28: client 4 × haproxy 4, and 12 more by 3 hidden replays on reused connections"},
		{"one layer owns the retries", 4, []audit.Layer{
			{Name: "client", Requests: 1, Attempts: 4, Factor: 4}, {Name: "nginx", Requests: 4, Attempts: 4, Factor: 1},
		}, ""},
	} {
		found := infer.Chains([]audit.Chain{alone, {Fault: "close", Method: "GET", Hits: c.hits, Layers: c.layers}})
		got := ""
		if len(found) > 0 {
			got = found[0].Message
		}
		if got != c.want || len(found) > 1 {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
