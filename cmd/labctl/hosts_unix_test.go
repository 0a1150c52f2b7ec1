//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Four processes on one host are one run.
func TestNodesOnLoopback(t *testing.T) {
	t.Parallel()
	for _, tt := range counts {
		n := loopback(t, retrying(tt.client, tt.a, tt.b, ""))
		n.serve()
		p, file := n.herd("client", "--in", "0s")
		p.ends()
		p.exits(exitOK)
		v := n.collect("client", exitOK, file).Variants[0]
		if got := layers(v); got != tt.layers || len(v.Hosts) != 4 {
			t.Errorf("requests %s, want %s; clocks %+v", got, tt.layers, v.Hosts)
		}
		if got := layersOf(t, n.traced()); got != tt.layers {
			t.Errorf("the trace has requests %s, want %s", got, tt.layers)
		}
		for _, name := range []string{"a", "b", "c"} { // a signal ends a node well
			n.node[name].interrupt(syscall.SIGTERM)
			n.node[name].ends()
			n.node[name].exits(exitOK)
		}
	}
}

// asking is one client that asks again and again, and gives up on an attempt after a
// while.
const asking = `version: 1
load: {herd: {clients: 1, requests: %d, think: 20ms}}
services:
  client: {calls: [{to: a, policies: [{retry: {attempts: 1}}]}]}
  a: {calls: [{to: b, policies: [{retry: {attempts: 2}}, {timeout: 200ms}]}]}
  b: {calls: [{to: c, policies: [{retry: {attempts: 1}}]}]}
  c: {}
run: {bin: 1s, seed: 1}
`

// begun starts a herd, and waits until its requests come to the tail.
func (n *network) begun(metrics func() string) (p *process, file string) {
	n.t.Helper()
	p, file = n.herd("client", "--in", "0s")
	n.until("hits", func() bool { return n.hits(metrics()) >= 5 })
	return p, file
}

// A service that is killed in the middle is missing, and all else is there.
func TestKilledNode(t *testing.T) {
	t.Parallel()
	n := loopback(t, fmt.Sprintf(asking, 40))
	n.serve()
	metrics := func() string { return n.ask("c", "/-/metrics") }
	p, file := n.begun(metrics)
	n.node["b"].interrupt(syscall.SIGKILL)
	p.ends()
	p.exits(exitOK)
	r := n.collect("client", exitFailed, file)
	v := r.Variants[0]
	if !r.Partial || !strings.HasPrefix(said(r, "node-missing"), "b did not say what it saw (") {
		t.Errorf("partial %v, %+v", r.Partial, r.Warnings)
	}
	if want := n.hits(metrics()); v.Hits != want || v.Requests != 40 || v.Outcomes.OK < 4 || v.Outcomes.Failed < 1 || v.Outcomes.OK+v.Outcomes.Failed != 40 {
		t.Errorf("%d hits of %d, %d requests, %+v", v.Hits, want, v.Requests, v.Outcomes)
	}
	if b := v.Layers[2]; b.Requests != v.Layers[1].Attempts || b.Attempts != v.Hits {
		t.Errorf("of b its neighbours say %+v, a has %+v", b, v.Layers[1])
	}
}

// A service that stands still does not answer, and says so itself when it goes on.
func TestStoppedNode(t *testing.T) {
	t.Parallel()
	n := loopback(t, fmt.Sprintf(asking, 15))
	n.serve()
	metrics := func() string { return n.ask("c", "/-/metrics") }
	p, file := n.begun(metrics)
	n.node["b"].interrupt(syscall.SIGSTOP)
	p.ends()
	p.exits(exitOK)

	r := n.collect("client", exitFailed, file)
	if want := "b did not say what it saw (it takes connections and gives no answer)"; !strings.HasPrefix(said(r, "node-missing"), want) {
		t.Errorf("%+v", r.Warnings)
	}
	if v := r.Variants[0]; v.Layers[1].TimedOut < 1 || v.Outcomes.Failed < 1 || v.Outcomes.OK+v.Outcomes.Failed != 15 || v.Hits != n.hits(metrics()) {
		t.Errorf("%+v, %d hits, %d timed out", v.Outcomes, v.Hits, v.Layers[1].TimedOut)
	}

	n.node["b"].interrupt(syscall.SIGCONT)
	n.until("pause", func() bool { return strings.Contains(n.ask("b", "/-/node/result"), `"pauses"`) })
	r = n.collect("client", exitOK, file)
	if !strings.HasPrefix(said(r, "paused"), "b stood still for ") || said(r, "node-missing") != "" {
		t.Errorf("%+v", r.Warnings)
	}
	if v := r.Variants[0]; v.Hits != n.hits(metrics()) {
		t.Errorf("%d hits, and the tail counted %d", v.Hits, n.hits(metrics()))
	}
}

// Clients that are interrupted leave what they saw.
func TestInterruptedHerd(t *testing.T) {
	t.Parallel()
	n := loopback(t, fmt.Sprintf(asking, 1000))
	n.serve()
	metrics := func() string { return n.ask("c", "/-/metrics") }
	p, file := n.begun(metrics)
	p.interrupt(syscall.SIGTERM)
	p.said130(p.ends(), "labctl: interrupted: "+file+" holds what was measured so far, marked partial")
	r := n.collect("client", exitFailed, file)
	if v := r.Variants[0]; v.Hits != n.hits(metrics()) || v.Hits < 5 || said(r, "cut") == "" {
		t.Errorf("%d hits of %d, %+v", v.Hits, n.hits(metrics()), r.Warnings)
	}
}

// Clients that cannot reach what they call say so, and do not wait for ever.
func TestHerdWithoutNodes(t *testing.T) {
	t.Parallel()
	n := loopback(t, retrying(1, 1, 1, ""))
	n.urls["a"], n.urls["c"] = "http://127.0.0.1:1", "http://127.0.0.1:1"
	p, file := n.herd("client", "--wait", "300ms")
	last := p.ends()
	p.exits(exitEnvironment)
	if want := "labctl: a is not ready after 300ms: http://127.0.0.1:1: "; !strings.HasPrefix(last, want) {
		t.Errorf("%q, want %q", last, want)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file of a herd that never began")
	}
}
