package infer_test

import (
	"encoding/json"
	"slices"
	"testing"

	"labctl/audit"
	"labctl/audit/infer"
)

// TestRows: one line for each probe, in the order of the catalogue.
func TestRows(t *testing.T) {
	trials := trialsOf([]arrival{
		{fault: "close", reused: true, turns: []int{2, 1, 1}, gaps: []float64{1, 100}, exit: 1},
		{fault: "503", gaps: []float64{100}, exit: 1, times: 2},
		{fault: "503", gaps: []float64{100, 100}, exit: 1},
		{fault: "close", gaps: []float64{100}, exit: 1},
		{fault: "503", method: "POST", gaps: []float64{100}, bodies: []int64{5, 0}, exit: 1},
		{fault: "ok"},
		{fault: "404"},
		{fault: "502", signal: "killed"},
		{fault: "refused", none: true, uncounted: "a port that is closed", exit: 7},
		{fault: "hang", late: true},
		{fault: "500", none: true, exit: 2},
		{fault: "truncate", gaps: []float64{5}, ranged: true, exit: 1},
		{fault: "503 twice, then ok", gaps: []float64{100, 100}},
		{fault: "reset once, then ok", exit: 1},
	})
	unasked := trialsOf([]arrival{{fault: "blackhole", none: true}})
	unasked[0].Unasked = "nobody may drop packets here"
	trials = append(trials, unasked...)
	syns := arrival{fault: "blackhole", method: "POST", turns: []int{1, 2, 3, 1}, gaps: []float64{1000, 2000, 100}, late: true}
	trials = append(trials, syns.trial()) // two attempts, the first with three SYNs
	got, err := json.MarshalIndent(infer.Infer(trials, measured).Rows, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "rows.json", append(got, '\n'))
}

// TestOwnMethod: a command without a place for a method sends its own, and is judged by
// that.
func TestOwnMethod(t *testing.T) {
	trials := trialsOf(alike(arrival{method: "POST", gaps: []float64{100, 200}, exit: 1, times: 3}, "503", "reset"))
	for i := range trials {
		trials[i].Probe.Method = ""
	}
	unasked := trialsOf([]arrival{{fault: "404", gaps: []float64{1}}})
	unasked[0].Unasked = "no such proxy"
	v := infer.Infer(append(trials, unasked...), measured)
	if v.Policy.Attempts != 3 || !slices.Equal(v.Policy.On, []string{"503", "reset"}) || v.Policy.Methods[0].Method != "POST" {
		t.Errorf("got %+v", v.Policy)
	}
	if !slices.ContainsFunc(v.Findings, func(f audit.Finding) bool { return f.Code == "unsafe-post" }) {
		t.Errorf("no unsafe POST in %+v", v.Findings)
	}
}
