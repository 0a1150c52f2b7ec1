package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology/live"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func text[T any](v T) string { return fmt.Sprint(v) }

// plan is a scenario with overrides that are in order.
func plan(t *testing.T, name string, o scenarios.Overrides) scenarios.Plan {
	t.Helper()
	s, ok := scenarios.Find(name)
	if !ok {
		t.Fatalf("no scenario %s", name)
	}
	p, err := scenarios.NewPlan(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func run(t *testing.T, p scenarios.Plan, n live.Network) report.Result {
	t.Helper()
	r, err := p.Run(t.Context(), scenarios.Live(n, false, nil))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ideal runs a plan in a bubble, where every instant is what the policies say.
func ideal(t *testing.T, p scenarios.Plan) report.Result {
	t.Helper()
	var r report.Result
	synctest.Test(t, func(t *testing.T) { r = run(t, p, live.Pipe()) })
	return r
}

// Every scenario shows every figure in virtual time.
func TestEveryFigureIsReproduced(t *testing.T) {
	for _, s := range scenarios.All() {
		if underRace && s.CheckBy == "sim" {
			continue // one goroutine's work, and ten times as long
		}
		r := simulated(t, plan(t, s.Name, scenarios.Overrides{Grid: true}))
		equal(t, s.Name+": figures judged", len(r.Figures), len(s.Figures))
		for i, f := range r.Figures {
			if !s.Figures[i].LiveOnly {
				reproduced(t, "in virtual time", f)
			}
		}
	}
}

func simulated(t *testing.T, p scenarios.Plan) report.Result {
	t.Helper()
	r, err := p.Run(t.Context(), scenarios.Sim(nil))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A live run in a bubble, where a machine takes no time, shows every figure as
// well; on a real machine all that do not depend on when hits arrive, with the
// same counts.
func TestEveryFigureLive(t *testing.T) {
	for _, s := range scenarios.All() {
		p := plan(t, s.Name, scenarios.Overrides{Grid: true})
		if timeless(p) || s.Beyond || underRace && loaded(p) {
			continue
		}
		want := ideal(t, p)
		for i, f := range want.Figures {
			if s.Figures[i].SimOnly == "" {
				reproduced(t, "in a bubble", f)
			}
		}
		if s.CheckBy == "sim" || long(want) {
			continue
		}
		got := run(t, p, live.TCP())
		for _, f := range got.Figures {
			if !f.Timing {
				reproduced(t, "over tcp", f)
			}
		}
		equal(t, s.Name+" over tcp: counts", counts(got), counts(want))
	}
}

// The pipe network outside a bubble is a third way to the same counts.
func TestCountsOverPipes(t *testing.T) {
	for _, s := range scenarios.All() {
		p := plan(t, s.Name, scenarios.Overrides{})
		if timeless(p) || s.Beyond || s.CheckBy == "sim" {
			continue
		}
		want := ideal(t, p)
		if !long(want) {
			equal(t, s.Name, counts(run(t, p, live.Pipe())), counts(want))
		}
	}
}

// loaded reports whether a plan's load goes on for a while: hundreds of thousands of
// requests, which the race detector makes minutes of.
func loaded(p scenarios.Plan) bool {
	return slices.ContainsFunc(p.Runs, func(r scenarios.Run) bool { return r.Topology.Load.For > 0 })
}

// timeless reports whether a live run of a plan needs a machine's time: a closed loop
// that costs none would never come to its end in a bubble.
func timeless(p scenarios.Plan) bool {
	return slices.ContainsFunc(p.Runs, func(r scenarios.Run) bool {
		t := r.For("live")
		_, is := t.Timeless()
		return is
	})
}

// long reports whether a plan is left to the bubble, where waiting costs nothing.
func long(r report.Result) bool {
	var ms float64
	for _, v := range r.Variants {
		ms += v.ElapsedMS
	}
	return ms > 3000
}

func reproduced(t *testing.T, where string, f report.Figure) {
	t.Helper()
	if f.Verdict != report.Reproduced {
		t.Errorf("%s, %s: %s: %s (%v measured, %v published, %v expected)", f.ID, where, f.Verdict, f.Why, f.Measured, f.Published, f.Expected)
	}
}

// counts are what may not depend on the machine.
func counts(r report.Result) string {
	var b strings.Builder
	for _, v := range r.Variants {
		fmt.Fprintf(&b, "%s: %d requests %d hits first %d %+v", v.Name, v.Requests, v.Hits, v.FirstWave, v.Outcomes)
		for _, l := range v.Layers {
			fmt.Fprintf(&b, " %s %d/%d", l.Name, l.Requests, l.Attempts)
		}
		b.WriteByte('\n')
	}
	for _, g := range r.Grids {
		fmt.Fprintln(&b, g.Name, g.Cells)
	}
	for _, w := range r.Warnings {
		if w.Code == "hits-differ-from-attempts" {
			fmt.Fprintln(&b, w)
		}
	}
	return b.String()
}

// What the articles print, said once more without the machinery of figures.
func TestWhatTheArticlesPrint(t *testing.T) {
	nested := ideal(t, plan(t, "nested-retry", scenarios.Overrides{}))
	for name, hits := range map[string]int64{"a3xb3": 9, "outermost-only": 3, "client3xa3xb3": 27,
		"power3-1": 3, "power3-2": 9, "power3-3": 27, "power3-4": 81, "power3-5": 243} {
		equal(t, name, variant(t, nested, name).Hits, hits)
	}
	equal(t, "the 3ⁿ row", text(nested.Grids[0].Cells), "[[3 9 27 81 243]]")
	equal(t, "findings", messages(nested), strings.Join([]string{
		"a3xb3: a and b both retry: 3 × 3 = 9",
		"client3xa3xb3: client, a and b all retry: 3 × 3 × 3 = 27"}, "\n"))

	herd := ideal(t, plan(t, "jitter-herd", scenarios.Overrides{}))
	fixed := variant(t, herd, "fixed")
	equal(t, "fixed bins", text(fixed.Bins), "[200 0 200 0 200]")
	equal(t, "fixed waves", text(fixed.Waves), "[200 200]")
	for _, v := range herd.Variants {
		equal(t, v.Name+": jitter does not reduce the load", v.Hits, 600)
		equal(t, v.Name+": nor the first wave", v.FirstWave, 200)
	}
	equal(t, "the wrong reading is flagged, and it alone", warnings(herd), "no-barrier: no-barrier")

	layers := ideal(t, plan(t, "layers", scenarios.Overrides{}))
	for _, v := range layers.Variants {
		equal(t, "a variant is named by its count", text(v.Hits), v.Name)
	}
}

func variant(t *testing.T, r report.Result, name string) report.Variant {
	t.Helper()
	i := slices.IndexFunc(r.Variants, func(v report.Variant) bool { return v.Name == name })
	if i < 0 {
		t.Fatalf("no variant %s", name)
	}
	return r.Variants[i]
}

func warnings(r report.Result) string {
	var out []string
	for _, w := range r.Warnings {
		out = append(out, w.Variant+": "+w.Code)
	}
	return strings.Join(out, ", ")
}

func messages(r report.Result) string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Variant+": "+f.Message)
	}
	return strings.Join(out, "\n")
}

// A figure's id is scenario/variant.field, as the list of published figures has
// it: results and baselines are compared by it.
func TestFigureIDs(t *testing.T) {
	form := regexp.MustCompile(`^([a-z-]+)/([a-z0-9-]+)\.([a-z0-9_]+)$`)
	seen := map[string]bool{}
	for _, s := range scenarios.All() {
		known := map[string]bool{}
		for _, v := range s.Variants {
			known[v.Name] = true
		}
		for _, f := range s.Figures {
			m := form.FindStringSubmatch(f.ID)
			if m == nil || m[1] != s.Name {
				t.Errorf("%s is not %s/VARIANT.FIELD", f.ID, s.Name)
			}
			for _, v := range f.Variants {
				if !known[v] {
					t.Errorf("%s: there is no variant %s", f.ID, v)
				}
			}
			if seen[f.ID] {
				t.Errorf("%s stands twice", f.ID)
			}
			seen[f.ID] = true
		}
	}
}

// The engine's warnings are the variant's, its refusal ends the plan, and an
// interrupt ends it with what there is, unjudged.
func TestPlanRun(t *testing.T) {
	refusal := errors.New("cannot listen")
	for _, tt := range []struct {
		what string
		err  error
		want string
	}{
		{"all run", nil, "8 variants, 6 figures, 1 grids, partial false, 8 warnings of a3xb3 to power3-5, <nil>"},
		{"the second is interrupted", live.ErrInterrupted, "2 variants, 0 figures, 0 grids, partial true, 2 warnings of a3xb3 to outermost-only, <nil>"},
		{"the second is refused", refusal, "1 variants, 0 figures, 0 grids, partial false, 1 warnings of a3xb3 to a3xb3, cannot listen"},
	} {
		p := plan(t, "nested-retry", scenarios.Overrides{})
		runs := 0
		r, err := p.Run(t.Context(), func(context.Context, scenarios.Run) (report.Variant, []report.Warning, error) {
			runs++
			if runs != 2 {
				return report.Variant{Engine: "live"}, []report.Warning{{Code: "x"}}, nil
			}
			return report.Variant{Engine: "live"}, []report.Warning{{Code: "x"}}, tt.err
		})
		got := fmt.Sprintf("%d variants, %d figures, %d grids, partial %v, %d warnings of %s to %s, %v", len(r.Variants), len(r.Figures), len(r.Grids),
			r.Partial, len(r.Warnings), r.Warnings[0].Variant, r.Warnings[len(r.Warnings)-1].Variant, err)
		equal(t, tt.what, got, tt.want)
	}
}

// A figure that a stalled machine spoiled is not held against the lab, one that
// it cannot spoil is.
func TestFiguresOfAStalledMachine(t *testing.T) {
	p := plan(t, "jitter-herd", scenarios.Overrides{})
	for _, tt := range []struct{ code, peak, hits string }{
		{"spread-over-half-bin", report.NotComparable + ": the machine shaped this number: see the warning spread-over-half-bin", report.Off + ": 599 instead of 600"},
		{"cut", report.Off + ": 150 instead of 200", report.Off + ": 599 instead of 600"},
	} {
		r, err := p.Run(t.Context(), func(context.Context, scenarios.Run) (report.Variant, []report.Warning, error) {
			return report.Variant{Engine: "live", Hits: 599, Peak: 150}, []report.Warning{{Code: tt.code}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Figures {
			switch f.ID {
			case "jitter-herd/fixed.peak":
				equal(t, tt.code, f.Verdict+": "+f.Why, tt.peak)
			case "jitter-herd/fixed.hits":
				equal(t, tt.code, f.Verdict+": "+f.Why, tt.hits)
			}
		}
	}
}
