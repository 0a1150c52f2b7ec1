package node

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// serveMetrics writes the text format of Prometheus. Names of services need no escape:
// a topology allows none that would.
func (s *Server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	c, service := s.current().Counts(), s.config.Service
	var out bytes.Buffer
	family := func(name, kind, help string) {
		fmt.Fprintf(&out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	one := func(name, kind, help string, value int) {
		family(name, kind, help)
		fmt.Fprintf(&out, "%s{service=%q} %d\n", name, service, value)
	}
	one("labctl_node_requests_total", "counter", "Requests that arrived.", c.Hits)
	one("labctl_node_effects_total", "counter", "Requests that performed the side effect.", c.Effects)
	one("labctl_node_cut_short_total", "counter", "Requests whose caller left before they were done.", c.CutShort)
	one("labctl_node_in_progress", "gauge", "Requests and calls in progress.", int(c.Working))
	if len(c.Attempts) > 0 {
		family("labctl_node_attempts_total", "counter", "Attempts made, by the service that was called.")
	}
	for _, to := range slices.Sorted(maps.Keys(c.Attempts)) {
		fmt.Fprintf(&out, "labctl_node_attempts_total{service=%q,to=%q} %d\n", service, to, c.Attempts[to])
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(out.Bytes())
}
