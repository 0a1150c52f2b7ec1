package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// namespaces are hosts of a test's own, on a switch of its own: nothing that they say
// leaves them.
type namespaces struct {
	t     *testing.T
	hosts []string
}

// fiveHosts are those of two herds and three services.
var fiveHosts = []string{"h1", "h2", "a", "b", "c"}

// newNamespaces makes the hosts, or skips the test with what is missing.
func newNamespaces(t *testing.T) *namespaces {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("network namespaces need root")
	}
	s := &namespaces{t: t, hosts: fiveHosts}
	t.Cleanup(s.remove)
	if err := s.build(); err != nil {
		t.Skipf("network namespaces cannot be had here: %v", err)
	}
	return s
}

// name is that of a host's namespace: of this process, so that tests side by side do
// not meet.
func (s *namespaces) name(host string) string { return fmt.Sprintf("labctl-%d-%s", os.Getpid(), host) }

const theSwitch = "switch"

// addr is the address of a host.
func (s *namespaces) addr(host string) string {
	return fmt.Sprintf("10.77.0.%d", 1+slices.Index(s.hosts, host))
}

func (s *namespaces) build() error {
	steps := [][]string{
		{"netns", "add", s.name(theSwitch)},
		{"-n", s.name(theSwitch), "link", "add", "br0", "type", "bridge"},
		{"-n", s.name(theSwitch), "link", "set", "br0", "up"},
	}
	for _, host := range s.hosts {
		ns := s.name(host)
		steps = append(steps, [][]string{
			{"netns", "add", ns},
			{"-n", ns, "link", "set", "lo", "up"},
			{"-n", s.name(theSwitch), "link", "add", "to-" + host, "type", "veth", "peer", "name", "eth0", "netns", ns},
			{"-n", s.name(theSwitch), "link", "set", "to-" + host, "master", "br0"},
			{"-n", s.name(theSwitch), "link", "set", "to-" + host, "up"},
			{"-n", ns, "addr", "add", s.addr(host) + "/24", "dev", "eth0"},
			{"-n", ns, "link", "set", "eth0", "up"},
		}...)
	}
	for _, step := range steps {
		if err := tool("ip", step...); err != nil {
			return err
		}
	}
	return nil
}

// remove removes what there is of them, and with a namespace all links in it.
func (s *namespaces) remove() {
	for _, host := range append([]string{theSwitch}, s.hosts...) {
		if _, err := os.Stat("/run/netns/" + s.name(host)); errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err := tool("ip", "netns", "delete", s.name(host)); err != nil {
			s.t.Error(err)
		}
	}
}

// slow delays what each host sends by 5 ms. Where the kernel has no netem the calls of
// the file do so.
func (s *namespaces) slow() (latency string) {
	for _, host := range s.hosts {
		if err := tool("ip", "netns", "exec", s.name(host), "tc", "qdisc", "add", "dev", "eth0", "root", "netem", "delay", "5ms"); err != nil {
			s.t.Logf("no netem here, so that the calls of the file take 5 ms instead: %v", err)
			return ", latency: 5ms"
		}
	}
	return ""
}

// cut takes a host off the switch.
func (s *namespaces) cut(host string) {
	s.t.Helper()
	if err := tool("ip", "-n", s.name(theSwitch), "link", "set", "to-"+host, "down"); err != nil {
		s.t.Fatal(err)
	}
}

// network lets the processes of a run live there.
func (s *namespaces) network(lab string) *network {
	n := loopback(s.t, lab)
	n.in = func(host string) []string { return []string{"ip", "netns", "exec", s.name(host)} }
	n.addr = func(host string) string { return s.addr(host) + ":8080" }
	return n
}

// stop ends the nodes.
func (n *network) stop() {
	for _, p := range n.node {
		p.Process.Kill()
		p.ends()
	}
}

// A file over five hosts counts as it does on one.
func TestNodesInNamespaces(t *testing.T) {
	t.Parallel()
	s := newNamespaces(t)
	latency := s.slow()
	for _, tt := range counts {
		n := s.network(retrying(tt.client, tt.a, tt.b, latency))
		n.serve()
		p, file := n.herd("h1", "--in", "0s")
		p.ends()
		p.exits(exitOK)
		v := n.collect("h2", exitOK, file).Variants[0]
		if got := layers(v); got != tt.layers {
			t.Errorf("requests %s, want %s", got, tt.layers)
		}
		t.Logf("%s: %.1f ms; clocks %s", tt.layers, v.ElapsedMS, clocks(t, v.Hosts))
		n.stop()
	}
	wave(t, s, latency)
	cutLink(t, s)
}

func clocks(t *testing.T, hosts any) string {
	t.Helper()
	text, err := json.Marshal(hosts)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wave lets 200 clients of two hosts go at one instant: their first attempts, and their
// second ones, are each in one bin.
func wave(t *testing.T, s *namespaces, latency string) {
	t.Helper()
	lab := strings.Replace(retrying(1, 1, 2, latency), "clients: 1", "clients: 200", 1)
	lab = strings.Replace(lab, "{retry: {attempts: 2}}", "{retry: {attempts: 2, rest: 2500ms}}", 1)
	n := s.network(lab)
	n.serve()
	at := time.Now().Add(4 * time.Second).Format(time.RFC3339Nano)
	one, first := n.herd("h1", "--at", at, "--clients", "100")
	two, second := n.herd("h2", "--at", at, "--first", "100")
	for _, p := range []*process{one, two} {
		p.ends()
		p.exits(exitOK)
	}
	r := n.collect("h1", exitOK, first, second)
	v := r.Variants[0]
	if v.Requests != 200 || v.FirstWave != 200 || fmt.Sprint(v.Bins) != "[200 0 200]" || said(r, "releases-differ") != "" {
		t.Errorf("%d requests, %d in the first wave, bins %v, %+v", v.Requests, v.FirstWave, v.Bins, r.Warnings)
	}
	herds := 0
	for _, h := range v.Hosts {
		if h.LateMS != nil {
			herds++
		}
	}
	if len(v.Hosts) != 5 || herds != 2 {
		t.Errorf("clocks %s", clocks(t, v.Hosts))
	}
	t.Logf("first wave within %.1f ms; clocks %s; %+v", v.SpreadMS.FirstWave, clocks(t, v.Hosts), r.Warnings)
	n.stop()
}

// cutLink cuts the link of b in the middle: it is missing, its callers time out, and
// what the tail counted is all there.
func cutLink(t *testing.T, s *namespaces) {
	t.Helper()
	n := s.network(fmt.Sprintf(asking, 15))
	n.serve()
	metrics := func() string {
		out := filepath.Join(n.dir, "metrics") // from where c is
		if err := tool("ip", "netns", "exec", s.name("c"), "curl", "-s", "-m", "10", "-o", out, n.urls["c"]+"/-/metrics"); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Log("no curl here, so that no link is cut")
		return
	}
	p, file := n.herd("h1", "--in", "0s")
	n.until("hits", func() bool { return n.hits(metrics()) >= 5 })
	s.cut("b")
	p.ends()
	p.exits(exitOK)
	r := n.collect("h1", exitFailed, file)
	v := r.Variants[0]
	if !strings.HasPrefix(said(r, "node-missing"), "b did not say what it saw (") || v.Layers[1].TimedOut < 1 {
		t.Errorf("%+v; %d timed out", r.Warnings, v.Layers[1].TimedOut)
	}
	if want := n.hits(metrics()); v.Hits != want || v.Outcomes.Failed < 1 || v.Outcomes.OK+v.Outcomes.Failed != 15 {
		t.Errorf("%d hits of %d, %+v", v.Hits, want, v.Outcomes)
	}
	n.stop()
}

// tool runs a tool of the system.
func tool(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}
