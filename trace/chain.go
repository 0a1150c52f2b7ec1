package trace

import (
	"cmp"
	"slices"
)

// chain is the attempts of one call.
type chain struct {
	attempts []*call
	missing  int64 // attempts that a count among them knows of
}

func (c *chain) last() *call { return c.attempts[len(c.attempts)-1] }

// most open chains are looked at for the one that an attempt belongs to. A service that
// makes more calls of one kind at once fans out, and does not retry.
const mostOpen = 64

// chainsOf sorts the attempts at one target into calls. One that says how often it was
// sent before follows the attempt before it; one that says nothing follows an attempt
// that had failed by then, if there is one.
func chainsOf(calls []call) []chain {
	order := make([]*call, len(calls))
	for i := range calls {
		order[i] = &calls[i]
	}
	slices.SortStableFunc(order, func(a, b *call) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.resends, b.resends), cmp.Compare(a.span.End, b.span.End))
	})
	var chains []chain
	for _, c := range order {
		at := follows(chains, c)
		if at < 0 {
			chains = append(chains, chain{attempts: []*call{c}, missing: c.resends})
			continue
		}
		to := &chains[at]
		if c.resends > 0 {
			to.missing += max(c.resends-to.last().resends-1, 0)
		}
		to.attempts = append(to.attempts, c)
	}
	return chains
}

// follows finds the chain whose last attempt an attempt follows, or -1.
func follows(chains []chain, c *call) int {
	best := -1
	for i := len(chains) - 1; i >= max(0, len(chains)-mostOpen); i-- {
		last := chains[i].last()
		over := last.span.End <= c.span.Start
		fits := c.resends > last.resends || c.resends == 0 && over && last.span.failed()
		if fits && (best < 0 || closer(last, chains[best].last(), c)) {
			best = i
		}
	}
	return best
}

// closer reports whether a is the likelier predecessor of c than b: the one that it
// counts, then the one that was over, then the one that ended last.
func closer(a, b, c *call) bool {
	if x, y := a.resends == c.resends-1, b.resends == c.resends-1; x != y {
		return x
	}
	if x, y := a.span.End <= c.span.Start, b.span.End <= c.span.Start; x != y {
		return x
	}
	return a.span.End > b.span.End
}
