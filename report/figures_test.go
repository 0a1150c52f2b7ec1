package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name                          string
		published, expected, measured any
		tolerance                     Tolerance
		verdict, why                  string
	}{
		{"same", 9, nil, int64(9), Exactly(), Reproduced, ""},
		{"same after JSON", float64(9), nil, 9, Exactly(), Reproduced, ""},
		{"json.Number", json.Number("9"), nil, uint8(9), Exactly(), Reproduced, ""},
		{"other", 9, nil, 10, Exactly(), Off, "10 instead of 9"},
		{"the expected value wins", 567, 540, 540.0, Exactly(), Reproduced, ""},
		{"lists", []any{200.0, 200.0}, nil, []int64{200, 200}, Exactly(), Reproduced, ""},
		{"a shorter list", []int{200, 200}, nil, []int64{400}, Exactly(), Off, "1 number instead of 2"},
		{"a place in a list", []int{1, 2}, nil, []int{1, 3}, Exactly(), Off, "place 2 is 3 instead of 2"},
		{"in words, compared", "0, 1", nil, "0, 1", Exactly(), Reproduced, ""},
		{"other words", "a", nil, "b", Exactly(), Off, `"b" instead of "a"`},
		{"a claim", "it swells", nil, 6, Exactly(), NotComparable, "the source states it in words, not as a value"},
		{"a claim with an expectation", "it swells", 6, 6, Exactly(), Reproduced, ""},
		{"a list for a number", 9, nil, []int{9}, Exactly(), NotComparable, "a list cannot be compared with a number"},
		{"not measured", 9, nil, nil, Exactly(), NotComparable, "it was not measured"},
		{"not published", nil, nil, 9, Exactly(), NotComparable, "the source prints no value"},
		{"odd type", 9, nil, struct{}{}, Exactly(), NotComparable, "a value is neither a number, a list of numbers nor a string"},
		{"at the bound", 125, nil, 130, Within(5), Reproduced, ""},
		{"past the bound", 125, nil, 131, Within(5), Off, "131 instead of 125 ± 5"},
		{"percent", 9000, nil, 9089.9, WithinPercent(1), Reproduced, ""},
		{"past the percent", 9000, nil, 9091, WithinPercent(1), Off, "9,091 instead of 9,000 ± 1 %"},
		{"not a number", 1, nil, math.NaN(), WithinPercent(50), Off, "NaN instead of 1 ± 50 %"},
		{"live time", 567, 540, 552.3, AtLeast(540), Reproduced, ""},
		{"too fast", 567, 540, 539, AtLeast(540), Off, "539 is not ≥ 540"},
		{"a range", "—", nil, 1990, Between(1950, 2000), Reproduced, ""},
		{"a shape", []int{56, 102, 106, 76, 56, 4}, []float64{55, 109, 98, 84, 48, 7}, []int64{52, 112, 97, 85, 45, 9}, ChiSquare(1), Reproduced, ""},
		{"another shape", nil, []float64{100, 125, 75, 75, 25}, []int64{80, 80, 80, 80, 80}, ChiSquare(1), Off,
			"chi-square 141.9 on 4 degrees of freedom, at most 13.3 expected"},
		{"a mass where none is expected", nil, []float64{100, 100}, []int64{100, 100, 90}, ChiSquare(1), Off,
			"chi-square 81.0 on 1 degree of freedom, at most 6.6 expected"},
		{"means of many runs are held closer", nil, []float64{100, 100}, []float64{110, 90}, ChiSquare(20), Off,
			"chi-square 40.0 on 1 degree of freedom, at most 6.6 expected"},
		{"too few for a shape", nil, []float64{1, 2, 1}, []int64{1, 2, 1}, ChiSquare(1), NotComparable,
			"too few hits to tell a shape: use more clients"},
	} {
		t.Run(c.name, func(t *testing.T) {
			verdict, why := Judge(c.published, c.expected, c.measured, c.tolerance)
			if verdict != c.verdict || why != c.why {
				t.Errorf("%s (%s), want %s (%s)", verdict, why, c.verdict, c.why)
			}
		})
	}
}

// The articles' own rows against what the lab expects of them.
func TestPublishedRowsFit(t *testing.T) {
	smeared := []float64{55, 109, 98, 84, 48, 7}
	for _, row := range [][]int{{56, 102, 106, 76, 56, 4}, {46, 95, 115, 81, 50, 13}, {63, 95, 112, 80, 43, 7}} {
		if verdict, why := Judge(row, smeared, row, ChiSquare(1)); verdict != Reproduced {
			t.Errorf("%v: %s", row, why)
		}
	}
	phased := []float64{61.6, 58.3, 32.0, 19.6, 12.5, 10.6, 4.9, 0.5}
	row := []int{62, 56, 30, 22, 13, 14, 2, 1}
	if verdict, why := Judge(row, phased, row, ChiSquare(1)); verdict != Reproduced {
		t.Errorf("%v: %s", row, why)
	}
}

func TestChiSquareCritical(t *testing.T) {
	for degrees, want := range map[int]float64{1: 6.635, 2: 9.210, 4: 13.277, 7: 18.475, 17: 33.409} {
		if got := chiSquareCritical(degrees); math.Abs(got-want) > 0.05 {
			t.Errorf("%d degrees: %v, tables say %v", degrees, got, want)
		}
	}
}

func TestToleranceString(t *testing.T) {
	for want, tolerance := range map[string]Tolerance{
		"exact": {}, "± 5": Within(5), "± 2.5 %": WithinPercent(2.5), "≥ 540": AtLeast(540), "≤ 3": Between(math.Inf(-1), 3),
		"1,950…2,000": Between(1950, 2000), "chi-square 1 %": ChiSquare(0), "chi-square 1 % over 20 runs": ChiSquare(20),
	} {
		if got := tolerance.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMeasure(t *testing.T) {
	v := jitterHerd().Variants[1]
	v.HitKinds.Orphan = 4
	for field, want := range map[string]string{
		"hits": "600", "requests": "200", "first_wave": "200", "waves": "400", "peak": "200", "retry_peak": "127",
		"retry_bins": "98 127 71 79 25", "bins": "200 98 127 71 79 25", "peak_100ms": "298", "elapsed_ms": "284.6",
		"effects": "0", "amplification": "3", "orphan_hits": "4", "failed": "200", "p99_ms": "280.1",
		"attempts": "600", "client.attempts": "600", "tail.requests": "600",
	} {
		got, ok := Measure(v, field)
		if !ok || valueText(got) != want {
			t.Errorf("%s is %v, want %s", field, got, want)
		}
	}
	for _, field := range []string{"", "nonsense", "nobody.attempts", "client.nonsense"} {
		if got, ok := Measure(v, field); ok {
			t.Errorf("%q is %v, and should be unknown", field, got)
		}
	}
}

func TestThreePowers(t *testing.T) {
	for hits, want := range map[int64]int64{1: 0, 3: 1, 9: 2, 27: 3, 243: 5, 0: -1, 2: -1, 6: -1, 12: -1, -3: -1} {
		if got := ThreePowers(hits); got != want {
			t.Errorf("%d hits read as %d, want %d", hits, got, want)
		}
	}
}

func TestNumbersForPeople(t *testing.T) {
	for got, want := range map[string]string{
		count(0): "0", count(999): "999", count(1000): "1,000", count(33_000_000): "33,000,000", count(-1234): "-1,234",
		number(1.956): "1.96", number(-0.5): "-0.5", number(-0.001): "-0", number(12345.6): "12,345.6", number(1e30): "1e+30", number(math.Inf(1)): "+Inf",
		millis(1.94): "1.9 ms", millis(567.4): "567 ms", millis(12_345): "12.35 s", plural(1, "retry"): "1 retry", plural(2, "retry"): "2 retries",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := label(strings.Repeat("x", 100)); textWidth(got) != maxLabel {
		t.Errorf("a label of %d columns", textWidth(got))
	}
}
