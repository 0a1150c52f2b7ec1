package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// oneMoreAttempt is the change that a check exists for: somebody raised b.
func oneMoreAttempt() Result {
	now := nestedRetry()
	v := chainOf("a3xb3", 1, 3, 4)
	v.Layers[2].Policy = once(4)
	now.Variants[0] = v
	now.Figures[0] = judged("nested-retry/a3xb3.hits", 9, nil, int64(12), Exactly())
	return now
}

func messages(found []Difference) []string {
	var lines []string
	for _, d := range found {
		lines = append(lines, d.Message)
	}
	return lines
}

func expectMessages(t *testing.T, found []Difference, want ...string) {
	t.Helper()
	if got := messages(found); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestCompareNamesTheCauseFirst(t *testing.T) {
	found := Compare(Baseline(nestedRetry()), oneMoreAttempt())
	expectMessages(t, found,
		"nested-retry/a3xb3: layer b now makes 4 attempts per request, was 3 (hits 9 → 12)",
		"nested-retry/a3xb3: layer c requests 9 → 12",
		"nested-retry/a3xb3: hits 9 → 12",
		"figure nested-retry/a3xb3.hits is now off, was reproduced: 12 instead of 9")
	if d := found[0]; d.Layer != "b" || d.Field != "attempts" || d.Was != int64(9) || d.Now != int64(12) {
		t.Errorf("got %+v", d)
	}
}

// A drop is a difference too: the guard would otherwise loosen unseen.
func TestCompareSeesADrop(t *testing.T) {
	found := Compare(oneMoreAttempt(), nestedRetry())
	if want := "nested-retry/a3xb3: layer b now makes 3 attempts per request, was 4 (hits 12 → 9)"; found[0].Message != want {
		t.Errorf("got %q", found[0].Message)
	}
}

// The policy is the cause even where an outer layer calls less because of it.
func TestCompareBlamesThePolicyNotItsEcho(t *testing.T) {
	was, now := nestedRetry(), nestedRetry()
	v := &now.Variants[0]
	v.Layers = slices.Clone(v.Layers)
	v.Layers[1].Attempts, v.Layers[2] = 1, Layer{Name: "b", Requests: 1, Attempts: 3, Policy: once(5)}
	v.Layers[3].Requests, v.Hits = 3, 3
	found := Compare(was, now)
	if want := "nested-retry/a3xb3: layer b now may make 5 attempts per request, was 3 (hits 9 → 3)"; found[0].Message != want {
		t.Errorf("got %q", found[0].Message)
	}
}

func TestCompareLeavesTimesAlone(t *testing.T) {
	was, now := jitterHerd(), jitterHerd()
	now.Labctl, now.Title, now.Warnings = "v9", "other", nil
	now.Figures[3].Timing, was.Figures[3].Timing = true, true
	now.Figures[3].Verdict = Reproduced
	for i := range now.Variants {
		v := &now.Variants[i]
		v.ElapsedMS, v.LatencyMS.P50, v.SpreadMS = 1, 1, nil
		v.Bins, v.RetryBins, v.Waves, v.Peak, v.RetryPeak = []int64{600}, []int64{400}, []int64{400}, 600, 400
		v.HitKinds.Orphan, v.Abandoned = 1, 1
	}
	expectMessages(t, Compare(Baseline(was), now))
}

func TestCompareBinsInVirtualTime(t *testing.T) {
	was, now := phased(), phased()
	now.Variants[0].Bins = slices.Clone(now.Variants[0].Bins)
	now.Variants[0].Bins[1] = 57
	expectMessages(t, Compare(Baseline(was), now), "waves/phased: bins differ from bin 1 on (56 → 57)")
}

func TestCompareVariantsAndFiguresThatComeAndGo(t *testing.T) {
	was, now := nestedRetry(), nestedRetry()
	now.Variants = slices.Concat([]Variant{chainOf("extra", 1, 1, 1)}, now.Variants[1:])
	now.Figures = slices.Concat(now.Figures[1:], []Figure{judged("nested-retry/extra.hits", 1, nil, 1, Exactly())})
	expectMessages(t, Compare(was, now),
		"nested-retry/extra is new", "nested-retry/a3xb3 is missing",
		"figure nested-retry/extra.hits is new, and reproduced", "figure nested-retry/a3xb3.hits is missing")
}

func TestCompareRefusesOtherRuns(t *testing.T) {
	now := nestedRetry()
	now.Engine = "sim"
	expectMessages(t, Compare(nestedRetry(), now),
		"nested-retry: engine is sim, was live: run with --engine live, or renew the baseline with --update")
	now = nestedRetry()
	now.Partial = true
	expectMessages(t, Compare(nestedRetry(), now), "nested-retry: the run was interrupted, so its counts are incomplete: run it again")
}

// With both engines every name and every figure is there twice.
func TestCompareBothEngines(t *testing.T) {
	both := func(hits int64) Result {
		sim := chainOf("a3xb3", 1, 3, 3)
		sim.Engine, sim.Hits = "sim", hits
		f := judged("nested-retry/a3xb3.hits", 9, nil, int64(9), Exactly())
		g := judged("nested-retry/a3xb3.hits", 9, nil, hits, Exactly())
		return Result{Scenario: "nested-retry", Engine: "both", Variants: []Variant{chainOf("a3xb3", 1, 3, 3), sim}, Figures: []Figure{f, g}}
	}
	expectMessages(t, Compare(both(9), both(9)))
	expectMessages(t, Compare(both(9), both(8)), "nested-retry/a3xb3 (sim): hits 9 → 8",
		"figure nested-retry/a3xb3.hits is now off, was reproduced: 8 instead of 9")
}

func TestCompareOtherLayers(t *testing.T) {
	now := nestedRetry()
	now.Variants[1].Layers = now.Variants[1].Layers[:3]
	expectMessages(t, Compare(nestedRetry(), now), "nested-retry/outermost-only: the layers are client → a → b, were client → a → b → c")
}

func TestBaselineIsStable(t *testing.T) {
	one, two := jitterHerd(), jitterHerd()
	two.Variants[0].ElapsedMS, two.Variants[1].Bins, two.Figures[1].Measured = 1, nil, 201
	var a, b bytes.Buffer
	if err := WriteJSON(&a, Baseline(one)); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(&b, Baseline(two)); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Error("two live runs with the same counts give two baselines")
	}
	read, err := ReadJSON(&a)
	if err != nil {
		t.Fatal(err)
	}
	expectMessages(t, Compare(read[0], one))
}

func TestDiffMarksWhatCheckLeavesAlone(t *testing.T) {
	now := oneMoreAttempt()
	now.Variants[1].ElapsedMS = 2
	found := Diff(nestedRetry(), now)
	var informational []string
	for _, d := range found {
		if d.Informational {
			informational = append(informational, d.Message)
		}
	}
	want := []string{
		"nested-retry/a3xb3: layer b policy: 4 attempts (3 retries), was 3 attempts (2 retries) (not compared by check)",
		"nested-retry/a3xb3: elapsed_ms 4.0 ms → 5.4 ms (not compared by check)",
		"nested-retry/a3xb3: peak 9 → 12 (not compared by check)",
		"nested-retry/a3xb3: retry_peak 8 → 11 (not compared by check)",
		"nested-retry/outermost-only: elapsed_ms 1.4 ms → 2.0 ms (not compared by check)",
	}
	if !slices.Equal(informational, want) {
		t.Errorf("got\n  %s", strings.Join(informational, "\n  "))
	}
}
