package scenarios_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"labctl/report"
	"labctl/scenarios"
)

var recovers = report.Expect{Field: "recovered", Condition: "true"}

func tipping(t *testing.T, name, variant, over string, e report.Expect, resolution string, o scenarios.Overrides) (scenarios.Tipping, error) {
	t.Helper()
	s, ok := scenarios.Find(name)
	if !ok {
		t.Fatalf("no scenario %s", name)
	}
	found, err := scenarios.ParseOver(over)
	if err != nil {
		return scenarios.Tipping{}, err
	}
	for _, v := range s.Variants {
		if v.Name == variant {
			return scenarios.NewTipping(s, v, o, found, e, resolution)
		}
	}
	return scenarios.NewTipping(s, scenarios.Variant{}, o, found, e, resolution)
}

func tip(t *testing.T, name, variant, over string, e report.Expect, resolution string) (scenarios.Tip, error) {
	t.Helper()
	search, err := tipping(t, name, variant, over, e, resolution, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := search.Find(t.Context(), scenarios.Sim(nil))
	if err == nil && found.Runs > search.Runs {
		t.Errorf("%s: %d runs, %d were foretold", over, found.Runs, search.Runs)
	}
	return found, err
}

// The laptop of "Metastable Failures in the Wild" (OSDI 2022): how long a slowdown
// has to last so that it never ends. The measured values are the lab's, which the
// design's (9.67 s, 10.50 s, and 16.8 s to a tenth) agree with.
func TestHowLongASlowdownSticks(t *testing.T) {
	if underRace {
		t.Skip("long runs in virtual time are one goroutine's work")
	}
	for _, c := range []struct {
		variant, over    string
		designed, within float64 // s
		measured         float64
	}{
		{"osdi-80-10s", "services.a.speed=30s..{31s..60s}:20%", 9.67, 0.02, 9.6875},
		{"osdi-80-10s", "services.a.speed=30s..{31s..60s}:22%", 10.50, 0.02, 10.4935},
		{"osdi-80-less-load", "services.a.speed=30s..{31s..60s}:20%", 16.8, 0.05, 16.8265},
	} {
		found, err := tip(t, "metastable", c.variant, c.over, recovers, "1ms")
		if err != nil {
			t.Fatal(err)
		}
		seconds := func(a scenarios.Amount) float64 { return time.Duration(a.Steps).Seconds() - 30 }
		heals, sticks := seconds(found.Holds.Amount), seconds(found.Fails.Amount)
		if sticks <= heals || sticks-heals > 0.001+1e-9 {
			t.Errorf("%s: heals at %v s, sticks at %v s: not a millisecond apart", c.over, heals, sticks)
		}
		if math.Abs(sticks-c.designed) > c.within || math.Abs(sticks-c.measured) > 0.02 {
			t.Errorf("%s %s: sticks from %v s, want %v s, by design %v s", c.variant, c.over, sticks, c.measured, c.designed)
		}
		equal(t, c.over+": measured where it sticks", found.Fails.Measured(), "false")
	}
}

func TestTip(t *testing.T) {
	if underRace {
		t.Skip("long runs in virtual time are one goroutine's work")
	}
	for _, c := range []struct {
		what, name, variant, over string
		e                         report.Expect
		resolution, holds, fails  string
	}{
		{"a rate: capacity divided by attempts", "metastable", "", "load.rate=100/s..280/s", recovers, "1/s", "149/s", "150/s"},
		{"upwards: it holds above", "metastable", "osdi-80-10s", "services.a.speed=30s..40s:{5%..50%}", recovers, "1%", "30s..40s:21%", "30s..40s:20%"},
		{"a whole number", "nested-retry", "", "services.client.calls.a.retry.attempts=1..1000", report.Expect{Field: "hits", Condition: "<= 900"}, "0.01%", "100", "101"},
		{"by a short name", "jitter-herd", "", "clients=1..100", report.Expect{Field: "hits", Condition: "< 30"}, "1", "9", "10"},
	} {
		found, err := tip(t, c.name, c.variant, c.over, c.e, c.resolution)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		equal(t, c.what+": holds", found.Holds.Run.Name, c.holds)
		equal(t, c.what+": fails", found.Fails.Run.Name, c.fails)
	}
}

func TestNoTip(t *testing.T) {
	if underRace {
		t.Skip("long runs in virtual time are one goroutine's work")
	}
	for over, want := range map[string]string{
		"load.rate=300/s..400/s": "there is no tipping point: recovered: true holds neither at 300/s (false) nor at 400/s (false): widen the range",
		"load.rate=10/s..20/s":   "there is no tipping point: recovered: true holds at 10/s (true, from 40s on) and at 20/s (true, from 40s on): widen the range",
	} {
		_, err := tip(t, "metastable", "", over, recovers, "1%")
		if !errors.Is(err, scenarios.ErrNoTip) {
			t.Fatalf("%s: %v, want none", over, err)
		}
		equal(t, over, err.Error(), want)
	}
}

func TestTippingRefused(t *testing.T) {
	for over, want := range map[string]string{
		"load.rate":                               `--over "load.rate": write it as path=low..high, such as load.rate=28/s..40/s`,
		"load.rate=40/s":                          `--over load.rate: "40/s" is not low..high: where the number stands inside other text put braces around its ends, as in 30s..{31s..60s}:20%`,
		"load.rate=40/s..28/s":                    `--over load.rate: 40/s is not below 28/s: write the smaller one first`,
		"load.rate=40/s..41":                      `--over load.rate: 40/s and 41 are of different kinds: give both the same unit`,
		"load.rate=x..41":                         `--over load.rate: "x" is no duration (9.5s), percentage (20%), rate (40/s) or whole number`,
		"services.a.speed=30s..{31s..40s":         `--over services.a.speed: write one pair of braces, such as 30s..{31s..60s}:20%`,
		"services.a.speed=30s..{31s..40s}":        `--over services.a.speed=30s..31s: services.a.speed: "30s..31s" is no speed`,
		"services.client.calls.a.timeout=-1s..2s": `--over services.client.calls.a.timeout: "-1s" is no duration (9.5s), percentage (20%), rate (40/s) or whole number`,
	} {
		_, err := tipping(t, "metastable", "", over, recovers, "1%", scenarios.Overrides{})
		if err == nil {
			t.Errorf("%s: accepted", over)
			continue
		}
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", over, err, want)
		}
	}
	for _, resolution := range []string{"", "x", "0%", "100%", "1s", "200/s"} {
		if _, err := tipping(t, "metastable", "", "load.rate=100/s..280/s", recovers, resolution, scenarios.Overrides{}); err == nil {
			t.Errorf("resolution %q: accepted", resolution)
		}
	}
	_, err := tipping(t, "metastable", "", "load.rate=100/s..280/s", report.Expect{Field: "recoverd", Condition: "true"}, "1%", scenarios.Overrides{})
	if err == nil {
		t.Error("a field that there is not: accepted")
	}
}
