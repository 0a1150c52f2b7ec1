package node

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"labctl/topology"
	"labctl/topology/live"
)

// Peers are where the services that a process calls listen, as host:port by name.
type Peers map[string]string

// DefaultPort is that of a service which nobody gave another.
const DefaultPort = "8080"

// NewPeers finds the peers of a service: those that are given as NAME=URL, the others
// under their names, as Compose and Kubernetes give them to hosts.
func NewPeers(t *topology.Topology, service string, given []string) (Peers, error) {
	p := Peers{}
	calls := t.Service(service).Calls
	for _, c := range calls {
		p[c.To] = net.JoinHostPort(c.To, DefaultPort)
	}
	for _, text := range given {
		name, address, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("%q: write it as name=url, such as c=http://10.0.0.3:8080", text)
		}
		if !slices.ContainsFunc(calls, func(c topology.Call) bool { return c.To == name }) {
			return nil, fmt.Errorf("%q: %s does not call %s: name one of its calls, or leave it out", text, service, name)
		}
		host, err := HostOf(address)
		if err != nil {
			return nil, err
		}
		p[name] = host
	}
	return p, nil
}

// HostOf is the host and port of a URL such as http://10.0.0.3:8080.
func HostOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
		return "", fmt.Errorf("%q: write it as http://host:port, without a path", address)
	}
	if u.Port() == "" {
		return net.JoinHostPort(u.Hostname(), "80"), nil
	}
	return u.Host, nil
}

// pollEvery is how often a peer is asked whether it is there.
const pollEvery = 200 * time.Millisecond

// becomeReady waits until each peer has answered once. Later it does not ask: a
// service that takes itself out because another fails would hide what its callers do.
func (s *Server) becomeReady(ctx context.Context) {
	client := newClient("")
	defer client.close()
	for name, host := range s.config.Peers {
		if live.Refuses(s.config.Topology.Service(name)) {
			continue // it is a closed port, which its callers are to meet
		}
		if client.await(ctx, host) != nil {
			return
		}
	}
	s.ready.Store(true)
}

// await waits until a peer is ready. One that is no node is, when it answers at all.
func (c *client) await(ctx context.Context, host string) error {
	t := time.NewTicker(pollEvery)
	defer t.Stop()
	for {
		status, err := c.status(ctx, http.MethodGet, host, "/-/ready")
		if err == nil && status != http.StatusServiceUnavailable {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("it is not ready: it waits for a service that it calls")
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("http://%s: %w", host, err)
		case <-t.C:
		}
	}
}
