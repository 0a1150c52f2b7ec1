package policy

import (
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// year is longer than any rest that makes sense; ten are tried.
const year = 365 * 24 * time.Hour

func anySpan(t *rapid.T, name string) time.Duration {
	if rapid.Bool().Draw(t, name+" is 0") {
		return 0
	}
	return time.Duration(rapid.Int64Range(int64(time.Microsecond), int64(10*year)).Draw(t, name))
}

func anyBackoff(t *rapid.T) Backoff {
	return Backoff{
		Growth: rapid.SampledFrom([]Growth{Fixed, Linear, Exponential}).Draw(t, "growth"),
		Factor: Factor(rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(int64(minFactor), int64(maxFactor))).Draw(t, "factor")),
	}
}

func anyRest(t *rapid.T) Rest {
	return Rest{
		Base:    anySpan(t, "base"),
		Backoff: anyBackoff(t),
		Cap:     anySpan(t, "cap"),
		AtCap:   rapid.SampledFrom([]AtCap{Hold, Stop}).Draw(t, "at cap"),
		Jitter: Jitter{
			Law:   rapid.SampledFrom([]Law{NoJitter, Full, Equal, Proportional, Decorrelated}).Draw(t, "law"),
			Share: rapid.Int64Range(0, million).Draw(t, "share"),
		},
		Order: rapid.SampledFrom([]Order{CapThenJitter, JitterThenCap}).Draw(t, "order"),
	}
}

// TestRestIsBounded: no rest at any attempt number is negative, above its own
// bound, or above the cap where the cap comes last.
func TestRestIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRest(t)
		n := rapid.IntRange(1, 1_000_000).Draw(t, "attempt")
		last := time.Duration(rapid.Int64Range(0, int64(r.Largest(n-1))).Draw(t, "last"))
		got := r.After(n, last, rapid.Uint64().Draw(t, "u"))
		if got < 0 || got > r.Largest(n) {
			t.Fatalf("rest %v, largest %v", got, r.Largest(n))
		}
		mayExceed := r.Jitter.Law == Proportional && r.Order == CapThenJitter
		if r.Cap > 0 && !mayExceed && got > r.Cap {
			t.Fatalf("rest %v, cap %v", got, r.Cap)
		}
		if r.Cap > 0 && r.Largest(n) > addDurations(r.Cap, r.Cap) {
			t.Fatalf("largest %v, cap %v", r.Largest(n), r.Cap)
		}
		if r.Base == 0 && got != 0 {
			t.Fatalf("rest %v without a base", got)
		}
	})
}

// TestDecorrelatedFromAnywhere: it never wraps even from a last rest that it
// would not have given.
func TestDecorrelatedFromAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRest(t)
		r.Jitter.Law, r.Base = Decorrelated, max(r.Base, time.Microsecond)
		last := time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "last"))
		got := r.After(1, last, rapid.Uint64().Draw(t, "u"))
		if got < min(r.Base, r.limit()) || got > r.limit() {
			t.Fatalf("rest %v, base %v, cap %v", got, r.Base, r.Cap)
		}
	})
}

// TestNominalIsExact compares with numbers that cannot overflow.
func TestNominalIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, base := anyBackoff(t), max(anySpan(t, "base"), time.Microsecond)
		n := rapid.IntRange(1, 200).Draw(t, "attempt")
		limit := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "limit"))
		want := big.NewInt(int64(base))
		for i := 2; i <= n; i++ {
			switch b.Growth {
			case Linear:
				want.Add(want, big.NewInt(int64(base)))
			case Exponential:
				want.Div(want.Mul(want, big.NewInt(int64(b.factor()))), big.NewInt(1000))
			}
		}
		if want.Cmp(big.NewInt(int64(limit))) > 0 {
			want.SetInt64(int64(limit))
		}
		if got := b.Nominal(base, n, limit); int64(got) != want.Int64() {
			t.Fatalf("%v, %v, attempt %d: got %v, want %v", b, base, n, got, time.Duration(want.Int64()))
		}
	})
}

// TestNominalTable: the growths, and the ends of the scale.
func TestNominalTable(t *testing.T) {
	for _, row := range []struct {
		backoff Backoff
		base    time.Duration
		n       int
		want    time.Duration
	}{
		{Backoff{}, time.Second, 1_000_000, time.Second},
		{Backoff{Growth: Linear}, time.Second, 3, 3 * time.Second},
		{Backoff{Growth: Linear}, year, 1_000_000, math.MaxInt64},
		{Backoff{Growth: Exponential}, time.Second, 1, time.Second},
		{Backoff{Growth: Exponential}, time.Second, 5, 16 * time.Second},
		{Backoff{Growth: Exponential, Factor: 3000}, time.Second, 4, 27 * time.Second},
		{Backoff{Growth: Exponential, Factor: minFactor}, time.Microsecond, 1_000_000, math.MaxInt64},
		{Backoff{Growth: Exponential}, time.Second, 34, 1 << 33 * time.Second},
		{Backoff{Growth: Exponential}, time.Second, 35, math.MaxInt64}, // 544 years
		{Backoff{Growth: Exponential}, 0, 9, 0},
		{Backoff{Growth: Exponential}, -time.Second, 9, 0},
		{Backoff{Growth: Exponential}, time.Second, 0, 0},
		{Backoff{Growth: Exponential}, time.Second, -1, 0},
	} {
		equal(t, row.backoff.String()+" "+row.base.String(), row.backoff.Nominal(row.base, row.n, math.MaxInt64), row.want)
	}
}

// TestNominalSaturates: 293 years do not fit, nor does any multiple.
func TestNominalSaturates(t *testing.T) {
	for n := 293; n < 1_000_000; n += 997 {
		equal(t, "linear", Backoff{Growth: Linear}.Nominal(year, n, math.MaxInt64), math.MaxInt64)
	}
}

// TestJitterTable: the least and the most that each law gives.
func TestJitterTable(t *testing.T) {
	share := func(p int64) Jitter { return Jitter{Law: Proportional, Share: p} }
	for _, row := range []struct {
		jitter            Jitter
		nominal, low, top time.Duration
	}{
		{Jitter{}, 100, 100, 100},
		{Jitter{Law: Full}, 100, 0, 99},
		{Jitter{Law: Equal}, 100, 50, 99},
		{Jitter{Law: Equal}, 101, 50, 100},
		{share(million / 2), 100, 50, 149},
		{share(million), 100, 0, 199},
		{share(1), 100, 100, 100}, // less than a nanosecond
		{share(million), math.MaxInt64, 0, math.MaxInt64 - 1},
		{share(million / 2), math.MaxInt64, math.MaxInt64/2 + 1, math.MaxInt64},
		{Jitter{Law: Full}, 0, 0, 0},
		{share(million), 0, 0, 0},
	} {
		equal(t, row.jitter.String()+" low", row.jitter.Apply(row.nominal, 0), row.low)
		equal(t, row.jitter.String()+" top", row.jitter.Apply(row.nominal, math.MaxUint64), row.top)
	}
}

// draws are 10,000 rests after attempt n, as 10,000 clients would draw them.
func draws(r Rest, n int) []time.Duration {
	all := make([]time.Duration, 10_000)
	for client := range all {
		all[client] = r.After(n, 0, RootLuck(1, uint64(client), 0).Draw(ForJitter))
	}
	return all
}

// TestCapAndJitter is case A20: a nominal rest of exactly the cap, 60 s.
func TestCapAndJitter(t *testing.T) {
	half := Jitter{Law: Proportional, Share: million / 2}
	minute := Rest{Base: 30 * time.Second, Backoff: Backoff{Growth: Linear}, Cap: time.Minute}
	for _, row := range []struct {
		sentence     string
		jitter       Jitter
		order        Order
		attempt      int
		low, high    float64 // range in seconds
		mean         float64
		above, exact float64 // share of the rests above 60 s, and of exactly 60 s
	}{
		{"cap, then ±50 %: waits up to 90 s", half, CapThenJitter, 2, 30, 90, 60, 0.5, 0},
		{"±50 %, then cap: half wait exactly the cap", half, JitterThenCap, 2, 30, 60, 52.5, 0, 0.5},
		{"±50 % of 120 s, then cap: no jitter is left", half, JitterThenCap, 4, 60, 60, 60, 0, 1},
		{"±50 % of 90 s, then cap: some", half, JitterThenCap, 3, 45, 60, 58.75, 0, 5. / 6},
		{"full: 0 to the cap", Jitter{Law: Full}, CapThenJitter, 2, 0, 60, 30, 0, 0},
		{"full, at any attempt", Jitter{Law: Full}, CapThenJitter, 1000, 0, 60, 30, 0, 0},
		{"equal: half the cap to the cap", Jitter{Law: Equal}, CapThenJitter, 2, 30, 60, 45, 0, 0},
		{"none: the cap", Jitter{}, CapThenJitter, 2, 60, 60, 60, 0, 1},
		{"decorrelated from 30 s: 30 s to the cap", Jitter{Law: Decorrelated}, CapThenJitter, 1, 30, 60, 52.5, 0, 0.5},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			r := minute
			r.Jitter, r.Order = row.jitter, row.order
			all := draws(r, row.attempt)
			var sum, above, exact float64
			for _, d := range all {
				sum += d.Seconds()
				if d > time.Minute {
					above++
				}
				if d == time.Minute {
					exact++
				}
			}
			near(t, "lowest", slices.Min(all).Seconds(), row.low, 0.02)
			near(t, "highest", slices.Max(all).Seconds(), row.high, 0.02)
			near(t, "mean", sum/10_000, row.mean, 0.5)
			near(t, "share above 60 s", above/10_000, row.above, 0.015)
			near(t, "share of exactly 60 s", exact/10_000, row.exact, 0.015)
			near(t, "Largest", r.Largest(row.attempt).Seconds(), row.high, 0)
		})
	}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: got %v, want %v ± %v", what, got, want, within)
	}
}

// TestDecorrelatedGrows: each rest is at most thrice the one before, and Largest
// follows.
func TestDecorrelatedGrows(t *testing.T) {
	r := Rest{Base: time.Second, Cap: time.Minute, Jitter: Jitter{Law: Decorrelated}}
	for n, want := range []time.Duration{0, 3, 9, 27, 60, 60} {
		equal(t, "Largest", r.Largest(n), want*time.Second)
	}
	last := time.Duration(0)
	for n := 1; n < 5; n++ {
		last = r.After(n, last, math.MaxUint64)
		near(t, "the luckless", last.Seconds(), r.Largest(n).Seconds(), 1e-6)
	}
	equal(t, "the lucky", r.After(5, last, 0), time.Second)
}

func BenchmarkRestAfter(b *testing.B) {
	second := Rest{Base: 100 * time.Millisecond, Cap: time.Minute}
	with := func(g Growth, f Factor, j Jitter) Rest {
		r := second
		r.Backoff, r.Jitter = Backoff{Growth: g, Factor: f}, j
		return r
	}
	for _, row := range []struct {
		name string
		rest Rest
		n    int
	}{
		{"fixed", second, 2},
		{"exponential", with(Exponential, 0, Jitter{}), 3},
		{"exponential-full", with(Exponential, 0, Jitter{Law: Full}), 3},
		{"exponential-50%", with(Exponential, 0, Jitter{Law: Proportional, Share: million / 2}), 3},
		{"decorrelated", with(Fixed, 0, Jitter{Law: Decorrelated}), 3},
		{"exponential-attempt-1000", with(Exponential, 0, Jitter{Law: Full}), 1000},
		{"slowest-factor-attempt-1000000", with(Exponential, minFactor, Jitter{Law: Full}), 1_000_000},
	} {
		b.Run(row.name, func(b *testing.B) {
			var luck Luck
			for b.Loop() {
				luck++
				sink = row.rest.After(row.n, time.Second, uint64(luck))
			}
		})
	}
}

var sink time.Duration
