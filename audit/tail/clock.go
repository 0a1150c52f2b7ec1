package tail

import (
	"sync/atomic"
	"time"
)

// A clock measures from the beginning of a trial.
type clock struct{ start atomic.Pointer[time.Time] }

func newClock() *clock {
	c := new(clock)
	c.reset()
	return c
}

func (c *clock) reset() {
	now := time.Now()
	c.start.Store(&now)
}

func (c *clock) began() time.Time { return *c.start.Load() }

// now is the time since the beginning.
func (c *clock) now() time.Duration { return time.Since(c.began()) }
