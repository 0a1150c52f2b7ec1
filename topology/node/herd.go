package node

import (
	"context"
	"fmt"
	"time"

	"labctl/topology"
	"labctl/topology/live"
)

// HerdConfig says which clients of which lab begin when.
type HerdConfig struct {
	Lab            string
	Topology       topology.Topology
	Peers          Peers
	Tail           string // host:port of the tail's node
	First, Clients int
	At             time.Time     // the release by the tail's clock; zero: after In
	In             time.Duration // after everything is ready
	Wait           time.Duration // for that
	GiveUp         time.Duration // after the release
}

// lead is how long before the release a herd opens its connections: what stands on
// the way does not hold a request back for ever.
const lead = 5 * time.Second

// RunHerd runs the clients of one host. It waits for what they call and for the tail,
// measures how far the tail's clock is ahead, and lets them go at the instant that all
// herds agree on. What was seen until ctx ended comes with live.ErrInterrupted.
func RunHerd(ctx context.Context, c HerdConfig) (Result, error) {
	clock := NewClock()
	ask := newClient("")
	defer ask.close()
	if err := c.ready(ctx, ask); err != nil {
		return Result{}, err
	}
	offset, reading, err := ask.offset(ctx, c.Tail, clock)
	if err != nil {
		return Result{}, fmt.Errorf("the clock of the tail, http://%s: %w: name the node of the last service with --tail", c.Tail, err)
	}
	release := &Release{Tail: reading.Process, Offset: offset, Agreed: clock.Now() + offset.Ahead + c.In}
	if !c.At.IsZero() {
		release.Agreed = c.At.Sub(reading.Began)
		if past := clock.Now() + offset.Ahead - release.Agreed; past > 0 {
			return Result{}, fmt.Errorf("%v is past by %v on the clock of the tail: choose a later instant with --at", c.At.Format(time.RFC3339Nano), past.Round(time.Millisecond))
		}
	}
	at := release.Agreed - offset.Ahead // by the clock here
	if !sleep(ctx, at-lead-clock.Now()) {
		return Result{}, live.ErrInterrupted
	}
	record, err := live.RunHerd(ctx, c.Topology, live.HerdOptions{
		NodeOptions: live.NodeOptions{Peers: c.Peers, Began: clock.Began},
		First:       c.First, Clients: c.Clients, Release: clock.Began.Add(at), GiveUp: c.GiveUp,
	})
	if err != nil && record.Herd == nil {
		return Result{}, err
	}
	release.Late = record.Released - at
	if record.Released == 0 {
		release.Late = 0
	}
	if after, again, err := ask.offset(ctx, c.Tail, clock); err == nil && again.Process == release.Tail {
		release.After = &after
	}
	return Result{Schema: Schema, Lab: c.Lab, Process: clock.Process, Release: release, Record: record}, err
}

// ready waits until everything that the clients call can be called.
func (c HerdConfig) ready(ctx context.Context, ask *client) error {
	ctx, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	for _, s := range c.Topology.Services[0].Calls {
		if live.Refuses(c.Topology.Service(s.To)) {
			continue
		}
		if err := ask.await(ctx, c.Peers[s.To]); err != nil {
			return fmt.Errorf("%s is not ready after %v: %w", s.To, c.Wait, err)
		}
	}
	if err := ask.await(ctx, c.Tail); err != nil {
		return fmt.Errorf("the tail is not ready after %v: %w", c.Wait, err)
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(max(d, 0))
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
