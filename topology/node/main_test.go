package node_test

import (
	"context"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/node"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// chain is client → a → b → c with these attempts, whose tail fails.
func chain(t *testing.T, clients int, attempts ...int) topology.Topology {
	t.Helper()
	top := topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: clients}},
		Services: topology.Chain(attempts...),
		Run:      topology.Run{Seed: 1, Bin: time.Minute},
	}
	if err := top.Validate(); err != nil {
		t.Fatal(err)
	}
	return top
}

const labID = "lab"

// hosts are the services of a topology, each served on a port of its own.
type hosts struct {
	t     *testing.T
	top   topology.Topology
	addrs map[string]string
	stop  map[string]func()
	nodes map[string]*node.Server
}

// serve starts all services, the tail first, so that each can be told where those it
// calls are.
func serve(t *testing.T, top topology.Topology, token string) *hosts {
	t.Helper()
	h := &hosts{t: t, top: top, addrs: map[string]string{}, stop: map[string]func(){}, nodes: map[string]*node.Server{}}
	for i := len(top.Services) - 1; i > 0; i-- {
		h.start(top.Services[i].Name, token)
	}
	return h
}

func (h *hosts) start(name, token string) {
	h.t.Helper()
	var given []string
	for _, c := range h.top.Service(name).Calls {
		given = append(given, c.To+"=http://"+h.addrs[c.To])
	}
	peers, err := node.NewPeers(&h.top, name, given)
	if err != nil {
		h.t.Fatal(err)
	}
	s, err := node.New(node.Config{Lab: labID, Topology: h.top, Service: name, Peers: peers, Token: token})
	if err != nil {
		h.t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, time.Second) }()
	stopped := false
	h.stop[name] = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			h.t.Error(err)
		}
		s.Close()
	}
	h.t.Cleanup(h.stop[name])
	h.addrs[name], h.nodes[name] = l.Addr().String(), s
}

// herd runs some of the clients.
func (h *hosts) herd(first, clients int) node.Result {
	h.t.Helper()
	r, err := node.RunHerd(h.t.Context(), h.config(first, clients))
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func (h *hosts) config(first, clients int) node.HerdConfig {
	peers := node.Peers{}
	for _, c := range h.top.Services[0].Calls {
		peers[c.To] = h.addrs[c.To]
	}
	return node.HerdConfig{
		Lab: labID, Topology: h.top, Peers: peers, Tail: h.addrs[h.top.Tail().Name], First: first, Clients: clients,
		Wait: time.Minute, GiveUp: time.Minute,
	}
}

// gather asks all services, and puts what herds left beside them.
func (h *hosts) gather(token string, herds ...node.Result) []node.Found {
	var sources []node.Source
	for _, s := range h.top.Services[1:] {
		sources = append(sources, node.Source{Service: s.Name, Host: h.addrs[s.Name]})
	}
	for i := range herds {
		sources = append(sources, node.Source{Service: topology.ClientName, Left: &herds[i]})
	}
	return node.Gather(h.t.Context(), sources, node.GatherOptions{Token: token, Wait: time.Minute, Tries: true})
}

func merge(t *testing.T, top topology.Topology, found []node.Found) (report.Variant, map[string]string, error) {
	t.Helper()
	v, warnings, err := node.Merge(top, labID, found, live.Options{Tree: true})
	said := map[string]string{}
	for _, w := range warnings {
		said[w.Code] += w.Message + "\n"
	}
	return v, said, err
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
