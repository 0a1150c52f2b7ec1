package run

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"labctl/audit"
	"labctl/audit/tail"
)

// How the machine is listened to: a few gaps now and then, so that listening is no load
// of its own.
const (
	gapsAtOnce   = 8
	betweenLooks = 100 * time.Millisecond
)

// A Listener measures the noise of the machine beside whatever goes on.
type Listener struct {
	stop  context.CancelFunc
	ended chan struct{}

	mu    sync.Mutex
	looks []audit.Noise
}

// Listen begins to listen, until Stop.
func Listen(ctx context.Context) *Listener {
	ctx, stop := context.WithCancel(ctx)
	l := &Listener{stop: stop, ended: make(chan struct{})}
	go l.listen(ctx)
	return l
}

// Noise is what was heard so far.
func (l *Listener) Noise() audit.Noise {
	l.mu.Lock()
	defer l.mu.Unlock()
	return merge(l.looks)
}

// Stop ends it.
func (l *Listener) Stop() {
	l.stop()
	<-l.ended
}

func (l *Listener) listen(ctx context.Context) {
	defer close(l.ended)
	for ctx.Err() == nil {
		if look, err := tail.MeasureNoise(ctx, gapsAtOnce); err == nil {
			l.mu.Lock()
			l.looks = append(l.looks, look)
			l.mu.Unlock()
		}
		select {
		case <-time.After(betweenLooks):
		case <-ctx.Done():
		}
	}
}

// merge takes the median of medians. The largest of a few gaps is about their 90th
// percentile, so that of many such the 90th percentile is about the 99th of all gaps.
func merge(looks []audit.Noise) (n audit.Noise) {
	if len(looks) == 0 {
		return n
	}
	sorted := func(of func(audit.Noise) time.Duration) []time.Duration {
		var all []time.Duration
		for _, look := range looks {
			all = append(all, of(look))
		}
		slices.SortFunc(all, cmp.Compare[time.Duration])
		return all
	}
	medians := sorted(func(n audit.Noise) time.Duration { return n.Median })
	largest := sorted(func(n audit.Noise) time.Duration { return n.P99 })
	n.Median, n.P99 = medians[len(medians)/2], largest[len(largest)*9/10]
	for _, look := range looks {
		n.Samples += look.Samples
	}
	return n
}
