package program_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/faultserver/program"
)

const msec = time.Millisecond

// A distribution is read from text, in either notation, and written with colons.
func TestParseDistribution(t *testing.T) {
	for _, tt := range []struct {
		text, parentheses string
		want              program.Distribution
	}{
		{"0s", "0s", program.Distribution{}},
		{"60ms", "60ms", program.Always(60 * msec)},
		{"uniform:10ms..20ms", "uniform(10ms..20ms)", program.Distribution{Shape: program.UniformTime, A: 10 * msec, B: 20 * msec}},
		{"exponential:5ms", "exponential(5ms)", program.Distribution{Shape: program.Exponential, A: 5 * msec}},
		{"lognormal:50ms:0.6", "lognormal(50ms;0.6)", program.Distribution{Shape: program.LogNormal, A: 50 * msec, Sigma: 0.6}},
		{"empirical:1ms,2ms,9ms", "empirical(9ms; 1ms;2ms)", program.Distribution{Shape: program.Empirical, Values: []time.Duration{msec, 2 * msec, 9 * msec}}},
	} {
		for _, text := range []string{tt.text, tt.parentheses} {
			d, err := program.ParseDistribution(text)
			if err != nil || !reflect.DeepEqual(d, tt.want) || d.String() != tt.text {
				t.Errorf("%s: got %+v, written %s, %v; want %+v", text, d, d, err, tt.want)
			}
		}
	}
}

func TestParseDistributionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                     `"" is not a duration`,
		"soon":                 `"soon" is not a duration`,
		"normal:5ms":           `unknown distribution "normal": choose a duration, uniform:10ms..20ms, exponential:5ms, lognormal:50ms:0.6 or empirical:1ms,2ms,9ms`,
		"normal(5ms)":          `choose a duration, uniform(10ms..20ms), exponential(5ms), lognormal(50ms;0.6) or empirical(1ms;2ms;9ms)`,
		"uniform:5ms":          "write it as uniform:10ms..20ms",
		"uniform(5ms)":         "write it as uniform(10ms..20ms)",
		"uniform(5ms..6ms":     `"uniform(5ms..6ms" has no closing parenthesis: write it as uniform(10ms..20ms)`,
		"uniform:5..6ms":       `"5" is not a duration`,
		"uniform:5ms..6":       `"6" is not a duration`,
		"exponential:":         `"" is not a duration`,
		"lognormal:5ms":        "write it as lognormal:MEDIAN:SIGMA, such as lognormal:50ms:0.6",
		"lognormal(5ms)":       "write it as lognormal(MEDIAN;SIGMA), such as lognormal(50ms;0.6)",
		"lognormal:5ms:broad":  `lognormal sigma "broad"`,
		"empirical:":           `"" is not a duration`,
		"empirical:1ms,,2ms":   `"" is not a duration`,
		"empirical(1ms,2ms)":   `"1ms,2ms" is not a duration`,
		"exponential:5ms:more": `"5ms:more" is not a duration`,
	} {
		if _, err := program.ParseDistribution(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestDistributionIsChecked(t *testing.T) {
	for text, want := range map[string]string{
		"uniform:20ms..10ms": "time: uniform:20ms..10ms ends before it begins",
		"uniform:10ms..10ms": "",
		"lognormal:5ms:11":   "time: a sigma of 11 is not from 0 to 10",
		"lognormal:5ms:NaN":  "time: a sigma of NaN",
		"lognormal:5ms:-1":   "time: a sigma of -1",
		"exponential:-5ms":   "time: -5ms is negative",
		"exponential:9000h":  "time: 9000h0m0s is over the limit of a year",
		"empirical:1ms,-2ms": "time: -2ms is negative",
	} {
		d, err := program.ParseDistribution(text)
		if err != nil {
			t.Fatal(err)
		}
		switch err := d.Check("time"); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	if err := (program.Distribution{Shape: program.Empirical}).Check("time"); err == nil {
		t.Error("no error for a distribution of no values")
	}
}

// bits are the luck of request i: well mixed, as that of engines is.
func bits(i uint64) uint64 {
	z := i * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
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
		d, err := program.ParseDistribution(text)
		if err != nil {
			t.Fatal(err)
		}
		sum, squares := 0.0, 0.0
		for i := range uint64(n) {
			ms := float64(d.Draw(bits(i))) / 1e6
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
		a := time.Duration(rapid.Int64Range(0, int64(program.MaxDuration)).Draw(t, "a"))
		b := time.Duration(rapid.Int64Range(int64(a), int64(program.MaxDuration)).Draw(t, "b"))
		u := rapid.SampledFrom([]uint64{0, 1, 1 << 11, 1 << 63, math.MaxUint64, rapid.Uint64().Draw(t, "u")}).Draw(t, "luck")
		more := u + uint64(rapid.Uint64Range(0, math.MaxUint64-u).Draw(t, "more"))
		for _, d := range []program.Distribution{
			program.Always(a),
			{Shape: program.UniformTime, A: a, B: b},
			{Shape: program.Exponential, A: a},
			{Shape: program.LogNormal, A: a, Sigma: rapid.Float64Range(0, 10).Draw(t, "sigma")},
			{Shape: program.Empirical, Values: []time.Duration{a, b}},
		} {
			v := d.Draw(u)
			if v < 0 || v > program.MaxDuration || d.Draw(more) < v {
				t.Fatalf("%v: luck %d gives %v, luck %d %v", d, u, v, more, d.Draw(more))
			}
		}
	})
}
