package bound

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/topology/policy"
)

func anyRest(t *rapid.T) policy.Rest {
	r := policy.Rest{Base: time.Duration(rapid.Int64Range(1000, 1e10).Draw(t, "base"))}
	r.Backoff.Growth = rapid.SampledFrom([]policy.Growth{policy.Fixed, policy.Linear, policy.Exponential}).Draw(t, "growth")
	if r.Backoff.Growth == policy.Exponential {
		r.Backoff.Factor = policy.Factor(rapid.SampledFrom([]int{0, 1100, 1500, 3000}).Draw(t, "factor"))
	}
	r.Jitter = rapid.SampledFrom([]policy.Jitter{{}, {Law: policy.Full}, {Law: policy.Equal}, {Law: policy.Proportional, Share: 330_000}, {Law: policy.Decorrelated}}).Draw(t, "jitter")
	if rapid.Bool().Draw(t, "capped") {
		r.Cap = r.Base * time.Duration(rapid.IntRange(1, 100).Draw(t, "cap"))
		r.Order = rapid.SampledFrom([]policy.Order{policy.CapThenJitter, policy.JitterThenCap}).Draw(t, "order")
		if r.Jitter.Law != policy.Decorrelated {
			r.AtCap = rapid.SampledFrom([]policy.AtCap{policy.Hold, policy.Stop}).Draw(t, "at cap")
		}
	}
	return r
}

// Every rest that a policy draws lies between the shortest and the longest, the
// longest is the policy's own, and a sum is that of its parts.
func TestRests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRest(t)
		sum, last := time.Duration(0), time.Duration(0)
		for n := 1; n <= 60; n++ {
			low, high := restAt(r, int64(n), false), restAt(r, int64(n), true)
			if want := r.Largest(n); high != want {
				t.Fatalf("longest rest %d: got %v, want %v", n, high, want)
			}
			last = r.After(n, last, rapid.Uint64().Draw(t, "luck"))
			if last < low || last > high {
				t.Fatalf("rest %d: %v is not from %v to %v", n, last, low, high)
			}
			sum = add(sum, high)
			if got := (restSums{}).sum(r, int64(n), 0); got != sum {
				t.Fatalf("sum of %d rests: got %v, want %v", n, got, sum)
			}
		}
	})
}

// A million rests are not added up one by one, and never come to too little.
func TestManyRests(t *testing.T) {
	r := policy.Rest{Base: time.Millisecond, Backoff: policy.Backoff{Growth: policy.Linear}}
	const n = 1_000_000
	exact := time.Duration(n) * (n + 1) / 2 * time.Millisecond
	if got := (restSums{}).sum(r, n, 0); got < exact || got > exact+exact/4000 {
		t.Errorf("got %v, want %v and little more", got, exact)
	}
}

// A cap that stops does so after the same attempt as in a run.
func TestStops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		retry := policy.Retry{Attempts: policy.Unlimited, Rest: anyRest(t)}
		want := Unlimited
		for n := 1; n <= 200 && want == Unlimited; n++ {
			if _, then := retry.Judge(n, 0, policy.Status(503), true, policy.RootLuck(1, 0, 0)); then == policy.RestInVain {
				want = int64(n)
			}
		}
		if got := stops(retry.Rest); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	})
}
