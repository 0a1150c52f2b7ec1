package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// untilQuiet waits until no hit is in progress and none came for a while, at most so long.
// The most is not less than the while, or nothing could become quiet.
func untilQuiet(ctx context.Context, tail probeTail, while, most time.Duration) (ending, error) {
	begun := time.Now()
	count, arrived, since := -1, begun.Add(-while), begun
	for {
		seen, err := tail.glance(ctx)
		if err != nil {
			return quiet, err
		}
		now := time.Now()
		if seen.count != count && count >= 0 {
			arrived = now
		}
		if seen.count != count || seen.busy {
			count, since = seen.count, now
		}
		switch {
		case now.Sub(since) >= while:
			return quiet, nil
		case now.Sub(begun) <= max(most, while):
		case now.Sub(arrived) < while:
			return arriving, nil
		default:
			return busy, nil
		}
		select {
		case <-ctx.Done():
			return quiet, ctx.Err()
		case <-time.After(min(tail.pace(), while/4)):
		}
	}
}

// tellHits shows on a terminal how many hits came so far, and what for the probe waits,
// from a second on and until stop is called.
func tellHits(ctx context.Context, p progress, tail probeTail, what string) (stop func()) {
	if p.w == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var told sync.WaitGroup
	told.Go(func() {
		begun := time.Now()
		for tick := time.NewTicker(barAfter); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				p.clear()
				return
			case <-tick.C:
			}
			if seen, err := tail.glance(ctx); err == nil {
				p.show(fmt.Sprintf("%s so far; %v of %s", plural(seen.count, "hit"), time.Since(begun).Round(time.Second), what))
			}
		}
	})
	return func() { cancel(); told.Wait() }
}
