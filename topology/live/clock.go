package live

import (
	"context"
	"sync/atomic"
	"time"

	"labctl/topology/policy"
)

// clock tells instants since the release. It is made before the release is
// known, so that servers can hold it; until then it stands at 0.
type clock struct {
	base    time.Time
	release atomic.Int64 // nanoseconds from base, 0 before the release
}

// newClock takes a base that lies behind, so that a release in the very instant
// of the making, as in a bubble, is told from none.
func newClock() *clock { return &clock{base: time.Now().Add(-time.Nanosecond)} }

// start makes this very instant the release.
func (c *clock) start() { c.release.Store(int64(time.Since(c.base))) }

// startedSince makes the instant so long ago the release, if none was before.
func (c *clock) startedSince(ago time.Duration) {
	if !c.started() {
		c.release.CompareAndSwap(0, max(int64(time.Since(c.base)-ago), 1))
	}
}

// started reports whether the release has been.
func (c *clock) started() bool { return c.release.Load() != 0 }

func (c *clock) since() time.Duration {
	r := c.release.Load()
	if r == 0 {
		return 0
	}
	return time.Since(c.base) - time.Duration(r)
}

func (c *clock) now() policy.Instant { return policy.Instant(c.since()) }

// pause waits for a while, or for ctx, and reports whether ctx still holds.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
