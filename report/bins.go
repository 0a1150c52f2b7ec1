package report

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"
)

// MaxBins bounds what one late hit can make a histogram allocate: at 50 ms a
// million bins are almost 14 hours. Hits beyond are kept in a row of their own.
const MaxBins = 1_000_000

// Bins folds arrivals at a layer into a histogram. Arrivals are offsets from
// the release; bin k holds [k·width, (k+1)·width) of the shifted time, so a hit
// exactly on an edge belongs to the bin that starts there.
//
// A shard folds into Bins of its own, and Merge adds them up: counts do not
// depend on the order in which hits come.
type Bins struct {
	width, offset time.Duration
	inverse       uint64  // 2⁶⁴÷width
	all, retry    []int64 // equally long
	first, total  int64
	early         int64
	overflow      int64
}

// NewBins returns an empty histogram. The offset says how far into bin 0 the
// release falls, for servers whose seconds began before the herd did. A width
// below one nanosecond or a negative offset is a mistake in the program, and
// panics.
func NewBins(width, offset time.Duration) *Bins {
	if width <= 0 || offset < 0 {
		panic(fmt.Sprintf("report: bins of %v with offset %v: use a positive width and no negative offset", width, offset))
	}
	return &Bins{width: width, offset: offset, inverse: math.MaxUint64 / uint64(width)}
}

// Add counts one hit; first says that it belongs to the first wave.
func (b *Bins) Add(at time.Duration, first bool) {
	k := b.index(max(at, 0))
	if at < 0 || k >= uint64(len(b.all)) || k >= uint64(len(b.retry)) {
		b.AddN(at, first, 1)
		return
	}
	wave := int64(0)
	if first {
		wave = 1
	}
	b.all[k]++
	b.retry[k] += 1 - wave
	b.total++
	b.first += wave
}

// AddN counts n hits of one instant. Nothing can arrive before the release, so
// a negative instant is an error of measurement: it counts at the release, and
// in Early, and becomes a warning.
func (b *Bins) AddN(at time.Duration, first bool, n int64) {
	if n <= 0 {
		return
	}
	if at < 0 {
		at = 0
		b.early += n
	}
	b.total += n
	if first {
		b.first += n
	}
	k := b.index(at)
	if k >= MaxBins {
		b.overflow += n
		return
	}
	b.reach(int(k))
	b.all[k] += n
	if !first {
		b.retry[k] += n
	}
}

// index is the bin of an instant that is not negative. A division costs more than
// all else that is done with a hit, so it multiplies by the inverse of the width,
// which is less than one short of the quotient. It saturates, as all times of the
// lab do.
func (b *Bins) index(at time.Duration) uint64 {
	t := min(uint64(at)+uint64(b.offset), math.MaxInt64)
	k, _ := bits.Mul64(t, b.inverse)
	if t-k*uint64(b.width) >= uint64(b.width) {
		k++
	}
	return k
}

// reach grows the histogram up to bin k.
func (b *Bins) reach(k int) {
	if more := k + 1 - len(b.all); more > 0 {
		b.all = append(b.all, make([]int64, more)...)
		b.retry = append(b.retry, make([]int64, more)...)
	}
}

// Merge adds the hits of o, which must have the same width and offset.
func (b *Bins) Merge(o *Bins) {
	if b.width != o.width || b.offset != o.offset {
		panic("report: bins of different width or offset cannot be merged: make both with the same settings")
	}
	b.reach(len(o.all) - 1)
	for k, n := range o.all {
		b.all[k] += n
		b.retry[k] += o.retry[k]
	}
	b.first += o.first
	b.total += o.total
	b.early += o.early
	b.overflow += o.overflow
}

// All is the number of hits per bin, up to the last one that is not empty.
func (b *Bins) All() []int64 { return trimRight(b.all) }

// Retry counts the hits outside the first wave, in the same bins.
func (b *Bins) Retry() []int64 { return trimRight(b.retry) }

// Total is every hit added, those of Overflow included.
func (b *Bins) Total() int64 { return b.total }

// FirstWave is the number of hits that were the first attempt of every layer above.
func (b *Bins) FirstWave() int64 { return b.first }

// Waves sums each maximal run of non-empty bins of the retries.
func (b *Bins) Waves() []int64 {
	waves := []int64{}
	running := false
	for _, n := range b.retry {
		switch {
		case n == 0:
			running = false
		case running:
			waves[len(waves)-1] += n
		default:
			waves, running = append(waves, n), true
		}
	}
	return waves
}

// Peak is the fullest bin.
func (b *Bins) Peak() int64 { return fullest(b.all) }

// RetryPeak is the fullest bin of the retries.
func (b *Bins) RetryPeak() int64 { return fullest(b.retry) }

// Early counts hits stamped before the release.
func (b *Bins) Early() int64 { return b.early }

// Overflow counts hits beyond the last bin that is kept.
func (b *Bins) Overflow() int64 { return b.overflow }

// Fill writes the histogram and what follows from it into a variant.
func (b *Bins) Fill(v *Variant) {
	v.BinMS = Milliseconds(b.width)
	v.BinOffsetMS = Milliseconds(b.offset)
	v.Bins, v.RetryBins = b.All(), b.Retry()
	v.FirstWave, v.Waves = b.FirstWave(), b.Waves()
	v.Peak, v.RetryPeak = b.Peak(), b.RetryPeak()
}

// Warnings says what the bins could not hold faithfully.
func (b *Bins) Warnings(variant string) []Warning {
	var ws []Warning
	if b.early > 0 {
		ws = append(ws, Warning{Code: "hits-before-release", Variant: variant, Message: fmt.Sprintf(
			"%s hits carry an instant before the release and are counted at it: the clocks do not agree", count(b.early))})
	}
	if b.overflow > 0 {
		ws = append(ws, Warning{Code: "hits-beyond-bins", Variant: variant, Message: fmt.Sprintf(
			"%s hits came after the last of %s bins and are in none of them: use a wider --bin", count(b.overflow), count(MaxBins))})
	}
	return ws
}

// Milliseconds is the unit of every time in a result.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func fullest(bins []int64) int64 {
	if len(bins) == 0 {
		return 0
	}
	return slices.Max(bins)
}

// trimRight copies, so that a result never changes under its reader.
func trimRight(bins []int64) []int64 {
	end := len(bins)
	for end > 0 && bins[end-1] == 0 {
		end--
	}
	return append([]int64{}, bins[:end]...)
}

func trimLeft(bins []int64) []int64 {
	for len(bins) > 0 && bins[0] == 0 {
		bins = bins[1:]
	}
	return bins
}
