package run

import (
	"cmp"
	"context"
	"slices"
	"time"

	"labctl/audit"
	"labctl/audit/tail"
)

// How the machine is listened to: a few gaps now and then, so that listening is no load
// of its own.
const (
	gapsAtOnce   = 8
	betweenLooks = 250 * time.Millisecond
)

// NoiseBeside measures the noise of the machine beside whatever goes on, until stop is
// called, which returns it. It has measured once by then at least, unless ctx has ended.
func NoiseBeside(ctx context.Context) (stop func() audit.Noise) {
	ctx, cancel := context.WithCancel(ctx)
	found := make(chan []audit.Noise, 1)
	go func() { found <- listen(ctx) }()
	return func() audit.Noise {
		cancel()
		return merge(<-found)
	}
}

func listen(ctx context.Context) (looks []audit.Noise) {
	for {
		look, err := tail.MeasureNoise(context.WithoutCancel(ctx), gapsAtOnce)
		if err == nil {
			looks = append(looks, look)
		}
		select {
		case <-time.After(betweenLooks):
		case <-ctx.Done():
			return looks
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
