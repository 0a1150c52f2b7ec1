package topology

import (
	"fmt"
	"time"

	"labctl/topology/policy"
)

// Capacity is how much a service can do. The zero value does any number of
// requests at once in no time.
type Capacity struct {
	Time     Distribution      // service time of one request
	Workers  int               // requests that one replica serves at once; 0: no limit
	Order    Order             // in which waiting requests are served
	Queue    int               // requests that may wait; 0: no limit, Full: none
	Drop     Drop              // which requests the workers pass over, at no cost
	Replicas int               // 0: one
	Balance  policy.BalanceLaw // how callers choose among replicas
	Skew     time.Duration
	Speed    []Speed // changes over time, in order
}

// Full as Capacity.Queue lets nobody wait: a request that finds every worker
// busy is refused with 503.
const Full = -1

// Drop says which requests workers pass over.
type Drop uint8

// The rules.
const (
	DropNone Drop = iota
	DropGone      // waiting ones that nobody waits for any more

	// DropLate passes over those as well, and what could not be done before the
	// deadline that came with it: where now + service time is later. It looks at
	// each request before it gets a worker, also when it finds a free one. Who is
	// passed over like this hears of a timeout, at once. A service does not know
	// how long it will be slow or stand still, and expects its usual speed.
	DropLate
)

// Order is a queue discipline.
type Order uint8

// The orders.
const (
	FIFO Order = iota // first come, first served
	LIFO              // newest first: under overload the old ones are lost anyway
)

// Speed is how fast a service works in a window of time, in percent: 0 is a
// stall, 50 makes everything take twice as long, whether it is being served
// already or not. To, where it is not 0, makes it a ramp from Percent to To: work
// keeps the speed at which it enters the window until it leaves it.
type Speed struct {
	From, Until time.Duration
	Percent     int
	To          int
}

// Coupled reports whether what one request meets depends on the others.
func (c Capacity) Coupled() bool {
	return c.Workers > 0 || c.replicas() > 1 && c.Balance != policy.Random
}

func (c Capacity) replicas() int { return max(c.Replicas, 1) }

func (c Capacity) check() error {
	if err := c.Time.Check("time"); err != nil {
		return err
	}
	switch {
	case c.Workers < 0 || c.Workers > MaxWorkers:
		return fmt.Errorf("workers: %d is not from 0 (no limit) to %d", c.Workers, MaxWorkers)
	case c.Replicas < 0 || c.Replicas > MaxReplicas:
		return fmt.Errorf("replicas: %d is not from 1 to %d", c.Replicas, MaxReplicas)
	case c.Queue < Full:
		return fmt.Errorf("queue: %d is negative: say how many may wait, 0 for no limit, or none", c.Queue)
	case c.Queue != 0 && c.Workers == 0:
		return fmt.Errorf("queue: nobody waits for a service without a limit: say how many workers it has")
	case c.Drop == DropLate && c.Workers == 0:
		return fmt.Errorf("drop: nobody waits for a service without a limit: say how many workers it has")
	case c.Drop > DropLate:
		return fmt.Errorf("drop: %d is no rule: choose none, gone or late", c.Drop)
	case c.Skew < -MaxDuration || c.Skew > MaxDuration:
		return fmt.Errorf("skew: %v is more than a year", c.Skew)
	}
	return checkSpeeds(c.Speed)
}

func checkSpeeds(speeds []Speed) error {
	var end time.Duration
	for _, s := range speeds {
		switch {
		case s.From < end || s.Until <= s.From:
			return fmt.Errorf("speed: the window %v..%v is empty or overlaps: write windows in order", s.From, s.Until)
		case s.Percent < 0 || s.Percent > MaxPercent || s.To < 0 || s.To > MaxPercent:
			return fmt.Errorf("speed: %d%% is not from 0%% to %d%%", max(s.Percent, s.To), MaxPercent)
		case s.To != 0 && s.Percent == 0:
			return fmt.Errorf("speed: a ramp from 0%% never gets going: use 1%%, or a stall")
		}
		end = s.Until
	}
	return nil
}
