package report

import (
	"bytes"
	"strings"
	"testing"
)

// lastSection is what follows the last empty line.
func lastSection(t *testing.T, r Result, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Table(&b, r, o); err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSpace(b.String())
	return text[strings.LastIndex(text, "\n\n")+2:]
}

// singles is three single requests with a figure each, and one that is not run.
func singles(verdict func(Figure) Figure) Result {
	r := nestedRetry()
	r.Grids, r.Findings = nil, nil
	r.Figures = append(r.Figures[:3:3], Figure{ID: "nested-retry/grid.hits", Published: "27", Verdict: NotComparable, Why: "it is run with --grid only"})
	for i := range r.Figures[:3] {
		r.Figures[i] = verdict(r.Figures[i])
	}
	return r
}

// Where the flags changed all that ran nothing failed, and no table of verdicts says so.
func TestFiguresOfChangedSettings(t *testing.T) {
	changed := func(f Figure) Figure {
		f.Verdict, f.Why = NotComparable, ChangedByFlags
		return f
	}
	r := singles(changed)
	const want = "published figures: not compared, since your flags changed what they were published for"
	for _, o := range []Options{{Quiet: true}, {}} {
		if got := lastSection(t, r, o); got != want {
			t.Errorf("got\n%s\nwant %s", got, want)
		}
	}
	var b bytes.Buffer
	if err := Table(&b, r, Options{}); err != nil || strings.Contains(b.String(), NotComparable) {
		t.Errorf("%v, or a verdict beside a number:\n%s", err, b.String())
	}
	b.Reset()
	if err := Markdown(&b, r); err != nil || !strings.HasSuffix(b.String(), "\n"+want+"\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	if ts := TablesOf(r); ts.FigureTally != strings.TrimPrefix(want, "published figures: ") || len(ts.Figures.Rows) > 0 || ts.Reasons != nil {
		t.Errorf("%+v", ts)
	}
	if suite := FigureSuite(r); len(suite.Cases) != 4 {
		t.Errorf("programs get all figures, not %+v", suite)
	}

	r.Figures[0].Verdict, r.Figures[0].Why = Reproduced, ""
	if got := lastSection(t, r, Options{}); !strings.HasPrefix(got, "published figures: 1 of 4 reproduced, 3 not comparable (1 in the first table)\n") {
		t.Errorf("with one that can be compared:\n%s", got)
	}
	shaped := singles(func(f Figure) Figure {
		f.Verdict, f.Why = NotComparable, "the machine shaped this number"
		return f
	})
	if got := lastSection(t, shaped, Options{}); !strings.HasPrefix(got, "published figures: 0 of 4 reproduced, 4 not comparable\n") {
		t.Errorf("for another reason:\n%s", got)
	}
}

// The sum counts every figure, and says how many of them stand elsewhere. What no
// source has a value of is not reproduced.
func TestCountAndTableAgree(t *testing.T) {
	same := func(f Figure) Figure { return f }
	unpublished := func(f Figure) Figure {
		f.Expected, f.Published = f.Published, nil
		return f
	}
	for _, tt := range []struct {
		what  string
		r     Result
		width int
		want  string
	}{
		{"all in the first table", singles(same), 0, "published figures: 3 of 4 reproduced, 1 not comparable (3 in the first table)"},
		{"which has no room for them", singles(same), 40, "published figures: 3 of 4 reproduced, 1\n  not comparable"},
		{"a herd's is another", jitterHerd(), 0, "published figures: 3 of 5 reproduced, 1 off, 1 not comparable"},
		{"none is from a source", singles(unpublished), 0, "published figures: 3 of 4 as expected, 1 not comparable (3 in the first table)"},
	} {
		if got := lastSection(t, tt.r, Options{Width: tt.width, Quiet: true}); !strings.HasPrefix(got, tt.want+"\n") {
			t.Errorf("%s: got\n%s\nwant %s", tt.what, got, tt.want)
		}
	}
	var b bytes.Buffer
	if err := Table(&b, singles(unpublished), Options{Quiet: true}); err != nil || strings.Count(b.String(), AsExpected) != 4 || strings.Contains(b.String(), Reproduced) {
		t.Errorf("%v\n%s", err, b.String())
	}
	if head, table, _ := OverviewTable([]Result{singles(unpublished)}); !strings.HasSuffix(head, ": 0 reproduced, 3 as expected, 0 off, 1 not comparable") || table.Rows[0][len(table.Rows[0])-1] != AsExpected {
		t.Errorf("%s\n%v", head, table.Rows)
	}
}
