package lab

import (
	"fmt"
	"math"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// sure is the confidence in a law of jitter below which a note says it.
const sure = 0.9

// span is a time in milliseconds, in the bounds of a lab. Files and other programs write
// such numbers, so any can come.
func span(ms float64) time.Duration {
	switch most := float64(topology.MaxDuration / time.Millisecond); {
	case !(ms > 0):
		return 0
	case ms >= most:
		return topology.MaxDuration
	}
	return time.Duration(math.Round(ms*1000)) * time.Microsecond
}

func (c *conversion) rest() policy.Rest {
	from := c.from.Rest
	if from == nil {
		c.note("rest: not decided: none stands here")
		return policy.Rest{}
	}
	r := policy.Rest{Base: span(c.base())}
	if first := from.FirstMS; first != nil {
		c.note("rest: %v before the first retry, which a lab cannot set apart: all follow the rule", span(*first))
	}
	if r.Base == 0 {
		return r
	}
	r.Jitter = c.jitter()
	if r.Jitter.Law != policy.Decorrelated { // which grows by itself
		r.Backoff = c.backoff()
	}
	r.Cap = c.cap(r.Base)
	r.Order = c.order(r)
	return r
}

func (c *conversion) backoff() policy.Backoff {
	from := c.from.Rest
	switch from.Growth {
	case "fixed":
	case "linear":
		return policy.Backoff{Growth: policy.Linear}
	case "exponential":
		b := policy.Backoff{Growth: policy.Exponential}
		if from.Factor == 0 {
			return b
		}
		if from.Factor > 0 && from.Factor <= 1000 { // where a factor has a text that can be read
			b.Factor = policy.Factor(math.Round(from.Factor * 1000))
		}
		if read, err := policy.ParseBackoff(b.String()); err == nil && b.Factor > 0 {
			return read
		}
		c.note("backoff: exponential by a factor of %v, which a lab does not have: fixed stands here", from.Factor)
	default:
		if from.Factor >= 1 {
			return c.asSeen()
		}
		c.note("backoff: growth not decided: fixed stands here")
	}
	return policy.Backoff{}
}

// asSeen is the growth of two rests: whatever the rule, these come of it.
func (c *conversion) asSeen() policy.Backoff {
	factor := c.from.Rest.Factor
	b, err := policy.ParseBackoff(fmt.Sprintf("exponential:%.3f", factor))
	if err != nil {
		c.note("backoff: growth not decided: fixed stands here")
		return policy.Backoff{}
	}
	c.note("backoff: growth not decided: exponential stands here, as of two rests the second is %.3g times the first", factor)
	return b
}

// base is that of the rule, or the middle of what was measured where the spread stands for
// a jitter.
func (c *conversion) base() float64 {
	from := c.from.Rest
	if c.measuredSpread() == "" {
		return from.BaseMS
	}
	if from.FirstMS != nil && from.Factor > 0 {
		return from.MiddleMS / from.Factor // what the first rest would be
	}
	return from.MiddleMS
}

// measuredSpread is how far gaps were from their middle where no law explains it, in the
// words of a lab; "" where it is not needed, or nothing was measured.
func (c *conversion) measuredSpread() string {
	from := c.from.Rest
	text := fmt.Sprintf("%.0f%%", math.Ceil(from.SpreadPercent))
	if j, err := policy.ParseJitter(text); from.Jitter != "" || err != nil || j.Law != policy.Proportional || !(from.MiddleMS > 0) {
		return ""
	}
	return text
}

func (c *conversion) jitter() policy.Jitter {
	from := c.from.Rest
	if spread := c.measuredSpread(); spread != "" {
		j, _ := policy.ParseJitter(spread)
		c.note("jitter: law not decided: ± %s stands here, as far as gaps were from their middle", spread)
		return j
	}
	if from.Jitter == "" {
		c.note("jitter: law not decided: none stands here")
		return policy.Jitter{}
	}
	j, err := policy.ParseJitter(from.Jitter)
	if err != nil {
		c.note("jitter: %q is no law of a lab: none stands here", from.Jitter)
		return policy.Jitter{}
	}
	if from.Confidence < sure {
		c.note("jitter: %s with a confidence of %.0f%%, from %d gaps", j, 100*from.Confidence, from.Samples)
	}
	return j
}

func (c *conversion) cap(base time.Duration) time.Duration {
	limit := span(c.from.Rest.CapMS)
	if limit > 0 && limit < base {
		c.note("cap: %v is below the rest of %v, which a lab refuses: left out", limit, base)
		return 0
	}
	return limit
}

func (c *conversion) order(r policy.Rest) policy.Order {
	if r.Cap == 0 || r.Jitter.Law == policy.NoJitter || r.Jitter.Law == policy.Decorrelated {
		return policy.CapThenJitter // it makes no difference
	}
	switch c.from.Rest.Order {
	case "jitter-then-cap":
		return policy.JitterThenCap
	case "":
		c.note("order: of cap and jitter not decided: cap-then-jitter stands here")
	}
	return policy.CapThenJitter
}
