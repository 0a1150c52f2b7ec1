package topology_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/topology"
	"labctl/topology/policy"
)

const msec = time.Millisecond

// A distribution is read from text and written as the same.
func TestParseDistribution(t *testing.T) {
	for _, tt := range []struct {
		text string
		want topology.Distribution
	}{
		{"0s", topology.Distribution{}},
		{"60ms", topology.Always(60 * msec)},
		{"uniform:10ms..20ms", topology.Distribution{Shape: topology.UniformTime, A: 10 * msec, B: 20 * msec}},
		{"exponential:5ms", topology.Distribution{Shape: topology.Exponential, A: 5 * msec}},
		{"lognormal:50ms:0.6", topology.Distribution{Shape: topology.LogNormal, A: 50 * msec, Sigma: 0.6}},
	} {
		d, err := topology.ParseDistribution(tt.text)
		equal(t, tt.text+": error", message(err), "")
		equal(t, tt.text, d.String(), tt.text)
		equal(t, tt.text+": shape", d.Shape, tt.want.Shape)
		equal(t, tt.text+": A", d.A, tt.want.A)
		equal(t, tt.text+": B", d.B, tt.want.B)
		equal(t, tt.text+": sigma", d.Sigma, tt.want.Sigma)
	}
	d, err := topology.ParseDistribution("empirical:9ms, 1ms,2ms")
	equal(t, "error", message(err), "")
	equal(t, "values are sorted", d.String(), "empirical:1ms,2ms,9ms")
}

func TestParseDistributionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                     `"" is not a duration`,
		"soon":                 `"soon" is not a duration`,
		"normal:5ms":           `unknown distribution "normal"`,
		"uniform:5ms":          "write it as uniform:10ms..20ms",
		"uniform:5..6ms":       `"5" is not a duration`,
		"uniform:5ms..6":       `"6" is not a duration`,
		"exponential:":         `"" is not a duration`,
		"lognormal:5ms":        "write it as lognormal:MEDIAN:SIGMA",
		"lognormal:5ms:broad":  `lognormal sigma "broad"`,
		"empirical:":           `"" is not a duration`,
		"empirical:1ms,,2ms":   `"" is not a duration`,
		"exponential:5ms:more": `"5ms:more" is not a duration`,
	} {
		_, err := topology.ParseDistribution(text)
		holds(t, text, err, want)
		if err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestDistributionIsChecked(t *testing.T) {
	for _, tt := range []struct {
		text, err string
	}{
		{"uniform:20ms..10ms", "b.time: uniform:20ms..10ms ends before it begins"},
		{"uniform:10ms..10ms", ""},
		{"lognormal:5ms:11", "b.time: a sigma of 11 is not from 0 to 10"},
		{"lognormal:5ms:NaN", "b.time: a sigma of NaN"},
		{"lognormal:5ms:-1", "b.time: a sigma of -1"},
		{"exponential:-5ms", "b.time: -5ms is negative"},
		{"exponential:9000h", "b.time: 9000h0m0s is over the limit of a year"},
		{"empirical:1ms,-2ms", "b.time: -2ms is negative"},
	} {
		d, err := topology.ParseDistribution(tt.text)
		equal(t, tt.text+": read", message(err), "")
		top := lab()
		top.Tail().Time = d
		holds(t, tt.text, top.Validate(), tt.err)
	}
	top := lab()
	top.Services[0].Calls[0].Latency = topology.Distribution{Shape: topology.Empirical}
	holds(t, "no values", top.Validate(), "client.calls.a.latency: no values to draw from")
}

// Draws have the mean and the deviation of their distribution.
func TestDraws(t *testing.T) {
	const n = 100_000
	for text, want := range map[string]struct{ mean, deviation float64 }{ // ms
		"10ms":               {10, 0},
		"uniform:10ms..30ms": {20, 20 / math.Sqrt(12)},
		"exponential:10ms":   {10, 10},
		"lognormal:10ms:0.5": {10 * math.Exp(0.125), 10 * math.Exp(0.125) * math.Sqrt(math.Exp(0.25)-1)},
		"lognormal:10ms:0":   {10, 0},
		"empirical:0s,30ms":  {15, 15},
	} {
		d, err := topology.ParseDistribution(text)
		if err != nil {
			t.Fatal(err)
		}
		sum, squares := 0.0, 0.0
		for i := range n {
			ms := float64(d.Draw(policy.RootLuck(7, uint64(i), 0).Draw(policy.ForService))) / 1e6
			sum += ms
			squares += ms * ms
		}
		mean := sum / n
		deviation := math.Sqrt(max(squares/n-mean*mean, 0))
		if math.Abs(mean-want.mean) > 4*want.deviation/math.Sqrt(n)+1e-6 || math.Abs(deviation-want.deviation) > 0.02*want.deviation+1e-3 {
			t.Errorf("%s: mean %.3f, deviation %.3f, want %.3f and %.3f", text, mean, deviation, want.mean, want.deviation)
		}
	}
}

// Whatever the luck, a time is not negative and at most a year, and more luck
// never gives less of it.
func TestDrawsHoldTheirBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := time.Duration(rapid.Int64Range(0, int64(topology.MaxDuration)).Draw(t, "a"))
		b := time.Duration(rapid.Int64Range(int64(a), int64(topology.MaxDuration)).Draw(t, "b"))
		u := rapid.SampledFrom([]uint64{0, 1, 1 << 11, 1 << 63, math.MaxUint64, rapid.Uint64().Draw(t, "u")}).Draw(t, "luck")
		more := u + uint64(rapid.Uint64Range(0, math.MaxUint64-u).Draw(t, "more"))
		for _, d := range []topology.Distribution{
			topology.Always(a),
			{Shape: topology.UniformTime, A: a, B: b},
			{Shape: topology.Exponential, A: a},
			{Shape: topology.LogNormal, A: a, Sigma: rapid.Float64Range(0, 10).Draw(t, "sigma")},
			{Shape: topology.Empirical, Values: []time.Duration{a, b}},
		} {
			v := d.Draw(u)
			if v < 0 || v > topology.MaxDuration || d.Draw(more) < v {
				t.Fatalf("%v: luck %d gives %v, luck %d %v", d, u, v, more, d.Draw(more))
			}
		}
	})
}
