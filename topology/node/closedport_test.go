package node_test

import (
	"net"
	"testing"
	"time"

	"labctl/topology/node"
)

// A service that refuses connections is never there, and who calls it is ready all the
// same: its callers are to meet the closed port.
func TestReadyBesideAClosedPort(t *testing.T) {
	top := chain(t, 2, 1, 1)
	top.Service("b").Fault = "refuse"
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	h := &hosts{t: t, top: top, addrs: map[string]string{"b": l.Addr().String()}, stop: map[string]func(){}, nodes: map[string]*node.Server{}}
	h.start("a", "")
	c := h.config(0, 2)
	c.Tail, c.Wait = h.addrs["a"], 20*time.Second
	r, err := node.RunHerd(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "requests", len(r.Record.Herd.Requests), 2)
}
