package report

import (
	"math"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Kinds of quantiles.
const (
	Exact = "exact"
	HDR3  = "hdr3"
)

// Latencies folds durations into quantiles: every sample is kept up to
// 100 000, and a histogram with three significant digits takes over beyond, so
// that memory stays flat. Neither form depends on the order of the samples.
// The zero value is ready.
type Latencies struct {
	samples []int64
	hdr     *hdrhistogram.Histogram
	count   int64
	max     int64
}

// hdrMost is the longest duration the histogram tells apart, 146 years. It is
// kept below the largest int64 because the library computes the next value.
const hdrMost = math.MaxInt64 / 2

// Add takes one sample; a negative one, which no clock of the lab gives,
// counts as zero.
func (l *Latencies) Add(d time.Duration) {
	n := max(int64(d), 0)
	l.count++
	l.max = max(l.max, n)
	if l.hdr == nil && len(l.samples) < maxSamples {
		l.samples = append(l.samples, n)
		return
	}
	l.spill()
	l.record(n)
}

// Merge adds the samples of o.
func (l *Latencies) Merge(o *Latencies) {
	if o.hdr != nil || len(l.samples)+len(o.samples) > maxSamples {
		l.spill()
	}
	l.count += o.count
	l.max = max(l.max, o.max)
	if l.hdr == nil {
		l.samples = append(l.samples, o.samples...)
		return
	}
	for _, n := range o.samples {
		l.record(n)
	}
	if o.hdr != nil {
		l.hdr.Merge(o.hdr)
	}
}

// Count is the number of samples.
func (l *Latencies) Count() int64 { return l.count }

func (l *Latencies) spill() {
	if l.hdr != nil {
		return
	}
	l.hdr = hdrhistogram.New(1, hdrMost, 3)
	for _, n := range l.samples {
		l.record(n)
	}
	l.samples = nil
}

func (l *Latencies) record(n int64) {
	// The only error is a value out of range, which the clamp rules out.
	_ = l.hdr.RecordValue(min(n, hdrMost))
}

// Quantiles are nearest rank: a value that was really measured, never one
// between two. Without samples they are zero.
func (l *Latencies) Quantiles() Quantiles {
	at := l.exactly()
	kind := Exact
	if l.hdr != nil {
		at, kind = l.roughly, HDR3
	}
	return Quantiles{P50: at(50), P95: at(95), P99: at(99), Max: Milliseconds(time.Duration(l.max)), Kind: kind}
}

func (l *Latencies) exactly() func(percent int) float64 {
	sorted := slices.Sorted(slices.Values(l.samples))
	return func(percent int) float64 {
		if len(sorted) == 0 {
			return 0
		}
		rank := (len(sorted)*percent + 99) / 100
		return Milliseconds(time.Duration(sorted[rank-1]))
	}
}

// roughly keeps to the largest real sample: the histogram answers with the upper
// end of a bucket, and no quantile may exceed the maximum.
func (l *Latencies) roughly(percent int) float64 {
	n := min(l.hdr.ValueAtQuantile(float64(percent)), l.max)
	return Milliseconds(time.Duration(n))
}
