package infer_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"labctl/audit/infer"
)

// TestRetryAfter: what arrives after answers that ask for a wait, and what is said of it.
func TestRetryAfter(t *testing.T) {
	after := func(fault string, gaps ...float64) arrival {
		return arrival{fault: "503 " + fault, gaps: gaps, exit: 1}
	}
	const one, three, date, huge = "retry-after=1", "retry-after=3", "date-retry-after=3", "retry-after=9223372037"
	for _, row := range []struct {
		sentence string
		own      float64 // ms, the rest without Retry-After
		after    []arrival
		want     string // seconds, date, huge, clamp and early in ms
	}{
		{"exact, at once after a huge one", 1000, []arrival{after(one, 1001, 1001), after(three, 3002, 3002), after(huge, 0.6, 4)}, "exact, , overflow 0 0"},
		{"exact, after 144 ms", 1000, []arrival{after(one, 1001, 1001), after(three, 3002, 3002), after(huge, 144, 144)}, "exact, , overflow 0 0"},
		{"exact, by its own rest after a huge one", 500, []arrival{after(one, 1001, 1001), after(three, 3002, 3002), after(huge, 501, 501)}, "exact, , ignored 0 0"},
		{"exact, a huge one is cut to 10 s", 500, []arrival{after(one, 1001, 1001), after(three, 3002, 3002), after(huge, 10_003, 10_003)}, "exact, , clamped 10000 0"},
		{"exact, after 7 s or 2 s at random", 500, []arrival{after(one, 1001, 1001), after(three, 3002, 3002), after(huge, 7003, 2003)}, "exact, ,  0 0"},
		{"cut to 2 s", 200, []arrival{after(one, 1001, 1001), after(three, 2002, 2002), after(huge, 2002, 2002)}, "clamped, , clamped 2000 0"},
		{"cut to 2 s, and a huge one to nothing", 200, []arrival{after(one, 1001, 1001), after(three, 2002, 2002), after(huge, 1, 1)}, "clamped, , overflow 2000 0"},
		{"200 ms too early", 100, []arrival{after(one, 801, 801), after(three, 2802, 2802)}, "early, ,  0 198"},
		{"too early or cut: one wait does not tell", 100, []arrival{after(three, 2002, 2002)}, ", ,  0 0"},
		{"read as milliseconds", 500, []arrival{after(one, 1.6, 1.5), after(three, 3.5, 3.6)}, ", ,  0 0"},
		{"not longer than work", 0, []arrival{after(one, 1, 41), after(three, 2, 40)}, ", ,  0 0"},
		{"not decided in seconds, ignored as a date", 1000, []arrival{after(one, 1001, 1001), after(three, 1702, 2304), after(date, 1001, 1001)}, ", ignored,  0 0"},
		{"a date is ignored", 500, []arrival{after(one, 1001, 1001), after(three, 3002, 3002), after(date, 501, 501)}, "exact, ignored,  0 0"},
	} {
		trials := trialsOf([]arrival{{fault: "503", gaps: []float64{row.own + 1, row.own + 1}, exit: 1, times: 3}}, row.after)
		v := infer.Infer(trials, measured)
		r := v.Policy.RetryAfter
		got := r.Seconds + ", " + r.Date + ", " + r.Huge + " " + number(r.ClampMS) + " " + number(r.EarlyMS)
		if got != row.want {
			t.Errorf("%s: got %q, want %q; undecided %q", row.sentence, got, row.want, v.Policy.Undecided)
		}
		obeys := slices.Contains([]string{"exact", "floor", "early", "clamped"}, r.Seconds)
		for _, f := range v.Findings {
			if f.Code == "ignores-retry-after-date" && !obeys {
				t.Errorf("%s: %s", row.sentence, f.Message)
			}
		}
		if r.Seconds == "" && !strings.Contains(strings.Join(v.Policy.Undecided, ";"), "a wait in seconds") {
			t.Errorf("%s: undecided %q", row.sentence, v.Policy.Undecided)
		}
	}
}

func number(ms float64) string { return strconv.FormatFloat(math.Round(ms), 'f', -1, 64) }
