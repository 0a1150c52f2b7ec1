package node

import (
	"bytes"
	"fmt"
	"net/http"
)

// serveMetrics writes the text format of Prometheus. Names of services need no escape:
// a topology allows none that would.
func (s *Server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	r := s.current().Record()
	var out bytes.Buffer
	family := func(name, kind, help string) {
		fmt.Fprintf(&out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	var worked, cut int
	for _, h := range r.Hits {
		if h.Worked {
			worked++
		}
		if h.Cut {
			cut++
		}
	}
	one := func(name, kind, help string, value int64) {
		family(name, kind, help)
		fmt.Fprintf(&out, "%s{service=%q} %d\n", name, r.Service, value)
	}
	one("labctl_node_requests_total", "counter", "Requests that arrived.", int64(len(r.Hits)+r.Dropped))
	one("labctl_node_effects_total", "counter", "Requests that performed the side effect.", int64(worked))
	one("labctl_node_cut_short_total", "counter", "Requests whose caller left before they were done.", int64(cut))
	one("labctl_node_in_progress", "gauge", "Requests and calls in progress.", r.Working)
	if len(r.Calls) > 0 {
		family("labctl_node_attempts_total", "counter", "Attempts made, by the service that was called.")
	}
	for _, c := range r.Calls {
		fmt.Fprintf(&out, "labctl_node_attempts_total{service=%q,to=%q} %d\n", r.Service, c.To, c.Sent)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(out.Bytes())
}
