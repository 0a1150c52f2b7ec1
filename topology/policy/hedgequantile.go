package policy

import (
	"math/bits"
	"time"
)

// latencies knows one percentile of the last thousand latencies. They are sorted
// into steps that grow with the latency, as in Tene's HdrHistogram: one step is at
// most 1/64 of the latencies in it. The step that holds the percentile moves with
// what comes and goes, so that nothing is counted again. 10 kB, and no allocation.
type latencies struct {
	percent int
	count   int                  // of latencies, up to all of last
	next    int                  // place in last of the oldest, once that is full
	last    [latencyCount]uint16 // their steps
	steps   [latencySteps]uint16 // how many of them are in each
	at      int                  // step that holds the percentile
	below   int                  // how many are in the steps before it
}

const (
	latencyCount = 1000
	latencyBits  = 6                                     // a step is 1/2⁶ of its latency
	latencySteps = (63 - latencyBits + 1) << latencyBits // up to the longest duration
)

// stepOf is the step of a latency.
func stepOf(d time.Duration) int {
	v := uint64(max(d, 0))
	shift := max(0, bits.Len64(v)-latencyBits-1)
	return shift<<latencyBits + int(v>>shift)
}

// longestIn is the longest latency of a step.
func longestIn(step int) time.Duration {
	shift := max(0, step>>latencyBits-1)
	return time.Duration(step-shift<<latencyBits+1)<<shift - 1
}

// add notes a latency and forgets the one a thousand before.
func (l *latencies) add(d time.Duration) {
	step := stepOf(d)
	if l.count < latencyCount {
		l.count++
	} else {
		old := int(l.last[l.next])
		l.steps[old]--
		if old < l.at {
			l.below--
		}
	}
	l.last[l.next] = uint16(step)
	l.next = (l.next + 1) % latencyCount
	l.steps[step]++
	if step < l.at {
		l.below++
	}
	l.follow()
}

// follow moves to the step of the nearest rank.
func (l *latencies) follow() {
	rank := (l.count*l.percent + 99) / 100
	for l.below >= rank {
		l.at--
		l.below -= int(l.steps[l.at])
	}
	for l.below+int(l.steps[l.at]) < rank {
		l.below += int(l.steps[l.at])
		l.at++
	}
}

// quantile is the percentile, rounded up to the end of its step: a delay that is a
// little long costs a little time, one that is short costs load.
func (l *latencies) quantile() time.Duration { return longestIn(l.at) }
