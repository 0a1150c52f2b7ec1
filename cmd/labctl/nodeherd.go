package main

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"labctl/topology/live"
	"labctl/topology/node"
)

// runHerd runs the clients of this host, and keeps what they saw also when they were
// interrupted.
func (f *nodeFlags) runHerd(ctx context.Context, s streams, lab chosen) error {
	config, err := f.herdConfig(lab)
	if err != nil {
		return err
	}
	out := output{file: f.file}
	sink, err := out.open(s)
	if err != nil {
		return err
	}
	defer sink.discard()
	r, ended := node.RunHerd(ctx, config)
	if r.Record.Herd == nil {
		if isInterrupt(ended) {
			return ended
		}
		return environment(ended)
	}
	if err := node.WriteResult(sink.w, r); err != nil {
		return written(err)
	}
	if err := sink.commit(); err != nil {
		return err
	}
	if !f.quiet {
		fmt.Fprintf(s.err, "labctl: %s, released %.1f ms late; the tail's clock is known to ±%.1f ms\n",
			plural(len(r.Record.Herd.Requests), "request"), ms(r.Release.Late), ms(r.Release.Offset.Bound))
	}
	return saved(ended, sink)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (f *nodeFlags) herdConfig(lab chosen) (node.HerdConfig, error) {
	t := lab.topology
	c := node.HerdConfig{
		Lab: lab.identity, Topology: t, First: f.first, Clients: f.number,
		In: f.in, Wait: f.wait, GiveUp: f.giveUp, Tail: net.JoinHostPort(t.Tail().Name, node.DefaultPort),
	}
	var err error
	if c.Peers, err = node.NewPeers(&t, t.Services[0].Name, f.peers); err != nil {
		return c, fmt.Errorf("--peer %w", err)
	}
	if f.tail != "" {
		if c.Tail, err = node.HostOf(f.tail); err != nil {
			return c, fmt.Errorf("--tail %w", err)
		}
	}
	if f.at != "" {
		if c.At, err = time.Parse(time.RFC3339Nano, f.at); err != nil {
			return c, fmt.Errorf("--at %q: write it as 2026-03-01T12:00:00Z", f.at)
		}
	}
	all := t.Load.Clients()
	if c.Clients == 0 {
		c.Clients = all - c.First
	}
	if f.share != "" {
		if c.First, c.Clients, err = shareOf(f.share, all); err != nil {
			return c, err
		}
	}
	switch {
	case t.Load.Open() && (f.first != 0 || f.number != 0 || f.share != ""):
		return c, fmt.Errorf("--first, --clients, --share: the load of %s is an open loop, which cannot be shared: run it on one host", f.lab.file)
	case t.Load.Open():
	case c.First < 0 || c.Clients < 1 || c.First+c.Clients > all:
		return c, fmt.Errorf("--first %d, --clients %d: the clients of %s are numbered from 0 to %d: choose some of them", f.first, f.number, f.lab.file, all-1)
	}
	if err := live.EstimateHerd(t, c.Clients).Check(live.ThisMachine()); err != nil {
		return c, environment(err)
	}
	return c, nil
}

// shareOf reads a share such as 2/4: which of the clients are those of the third of four
// hosts.
func shareOf(text string, all int) (first, clients int, err error) {
	k, n, _ := strings.Cut(text, "/")
	host, err1 := strconv.Atoi(k)
	hosts, err2 := strconv.Atoi(n)
	if err1 != nil || err2 != nil || host < 0 || host >= hosts || hosts > all {
		return 0, 0, fmt.Errorf("--share %q: write it as K/N, such as 0/2 and 1/2 for two hosts, of which each has some of the %s", text, plural(all, "client"))
	}
	first = all * host / hosts
	return first, all*(host+1)/hosts - first, nil
}
