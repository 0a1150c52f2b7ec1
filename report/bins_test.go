package report

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const ms = time.Millisecond

func TestBinsHoldTheirStart(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, offset time.Duration
		at            []time.Duration
		want          []int64
	}{
		{"an edge belongs to the bin that starts there", 50 * ms, 0, []time.Duration{0, 50*ms - 1, 50 * ms, 100 * ms}, []int64{2, 1, 1}},
		{"an offset moves the release into bin 0", 1000 * ms, 780 * ms, []time.Duration{0, 219 * ms, 220 * ms}, []int64{2, 1}},
		{"an offset wider than a bin leaves bins empty", 10 * ms, 25 * ms, []time.Duration{0}, []int64{0, 0, 1}},
		{"a width that does not divide a millisecond", 3, 0, []time.Duration{2, 3, 8, 9}, []int64{1, 1, 1, 1}},
		{"nothing", 50 * ms, 0, nil, []int64{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBins(c.width, c.offset)
			for _, at := range c.at {
				b.Add(at, false)
			}
			if got := b.All(); !slices.Equal(got, c.want) {
				t.Errorf("bins are %v, want %v", got, c.want)
			}
		})
	}
}

// 33,000 clients fire at midnight exactly: one bin, nothing elsewhere.
func TestBinsAtMidnight(t *testing.T) {
	b := NewBins(time.Second, 0)
	for range 33_000 {
		b.Add(0, true)
	}
	if got := b.All(); !slices.Equal(got, []int64{33_000}) || b.Peak() != 33_000 || b.FirstWave() != 33_000 {
		t.Errorf("bins %v, peak %d, first wave %d", got, b.Peak(), b.FirstWave())
	}
	if b.RetryPeak() != 0 || len(b.Retry()) != 0 || len(b.Waves()) != 0 {
		t.Errorf("retries where nobody retried: %v %v", b.Retry(), b.Waves())
	}
}

func TestBinsOfTheArticleHerd(t *testing.T) {
	b := NewBins(50*ms, 0)
	b.AddN(0, true, 200)
	b.AddN(100*ms, false, 200)
	b.AddN(200*ms, false, 200)
	var v Variant
	b.Fill(&v)
	if !slices.Equal(v.Bins, []int64{200, 0, 200, 0, 200}) || !slices.Equal(v.RetryBins, []int64{0, 0, 200, 0, 200}) ||
		!slices.Equal(v.Waves, []int64{200, 200}) || v.FirstWave != 200 || v.Peak != 200 || v.RetryPeak != 200 || v.BinMS != 50 {
		t.Errorf("got %+v", v)
	}
}

// What does not fit is counted and said, never dropped.
func TestBinsSayWhatTheyCannotHold(t *testing.T) {
	b := NewBins(1, 1)
	b.Add(-1, true)
	b.Add(math.MaxInt64, false)
	b.Add(MaxBins-2, false)
	b.Add(MaxBins-1, false)
	if b.Early() != 1 || b.Overflow() != 2 || b.Total() != 4 || len(b.All()) != MaxBins {
		t.Errorf("early %d, overflow %d, total %d, bins %d", b.Early(), b.Overflow(), b.Total(), len(b.All()))
	}
	var codes []string
	for _, w := range b.Warnings("v") {
		codes = append(codes, w.Code)
	}
	if !slices.Equal(codes, []string{"hits-before-release", "hits-beyond-bins"}) {
		t.Errorf("warnings %v", codes)
	}
}

func TestBinsLoseNoHit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := time.Duration(rapid.Int64Range(1, int64(time.Second)).Draw(t, "width"))
		offset := time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "offset"))
		hits := rapid.SliceOf(rapid.Int64Range(-10, 10*int64(time.Second))).Draw(t, "hits")
		all, left, right := NewBins(width, offset), NewBins(width, offset), NewBins(width, offset)
		for i, at := range hits {
			first := i%3 == 0
			all.Add(time.Duration(at), first)
			if at%2 == 0 {
				left.Add(time.Duration(at), first)
			} else {
				right.Add(time.Duration(at), first)
			}
		}
		if got := total(all.All()) + all.Overflow(); got != int64(len(hits)) {
			t.Fatalf("%d hits in bins, %d added", got, len(hits))
		}
		left.Merge(right)
		if !slices.Equal(left.All(), all.All()) || !slices.Equal(left.Retry(), all.Retry()) ||
			left.FirstWave() != all.FirstWave() || left.Total() != all.Total() || left.Early() != all.Early() {
			t.Fatalf("merged %v, added %v", left.All(), all.All())
		}
		if got := total(all.Waves()); got != total(all.Retry()) {
			t.Fatalf("waves hold %d of %d retries", got, total(all.Retry()))
		}
	})
}

func total(bins []int64) int64 {
	var sum int64
	for _, n := range bins {
		sum += n
	}
	return sum
}

func TestBinsAddWithoutAllocating(t *testing.T) {
	b := NewBins(50*ms, 0)
	b.Add(time.Minute, false)
	at := time.Duration(0)
	if n := testing.AllocsPerRun(1000, func() { at += ms; b.Add(at%time.Minute, false) }); n != 0 {
		t.Errorf("%v allocations per hit", n)
	}
}

// The bin of an instant is the quotient, though nothing divides.
func TestBinsIndexIsTheQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.Int64Min(1).Draw(t, "width")
		offset := rapid.Int64Range(0, math.MaxInt64).Draw(t, "offset")
		at := rapid.Int64Min(0).Draw(t, "at")
		if rapid.Bool().Draw(t, "near an edge") {
			at = min(at/width*width, math.MaxInt64-2) + rapid.Int64Range(0, 2).Draw(t, "beyond")
			offset = 0
		}
		sum := at + offset
		if sum < 0 {
			sum = math.MaxInt64
		}
		if got, want := NewBins(time.Duration(width), time.Duration(offset)).index(time.Duration(at)), uint64(sum/width); got != want {
			t.Fatalf("%d + %d in bins of %d: got %d, want %d", at, offset, width, got, want)
		}
	})
}
