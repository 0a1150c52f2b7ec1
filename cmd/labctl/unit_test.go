package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology/live"
	"labctl/topology/policy"
)

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{failed("2 of 4 differ"), 1},
		{errors.New("bad"), 2},
		{environment(errors.New("full")), 3},
		{fmt.Errorf("running: %w", environment(errors.New("full"))), 3},
		{live.ErrInterrupted, 130},
		{fmt.Errorf("%w: 1 of 2", live.ErrInterrupted), 130},
		{environment(live.ErrInterrupted), 130},
	} {
		var w bytes.Buffer
		if got := exitCode(c.err, &w); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
		if lines := strings.Count(w.String(), "\n"); (lines == 1) != (c.err != nil) {
			t.Errorf("%v: printed %q", c.err, w.String())
		}
	}
}

func TestOneLine(t *testing.T) {
	if got, want := oneLine("a\nb\tc\x1b[2Jd\u202ee"), "a b c\uFFFD[2Jd\uFFFDe"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A baseline that the program was not built with is bad input.
func TestNoBaseline(t *testing.T) {
	_, err := builtInBaseline("tidal-wave")
	if err == nil {
		t.Fatal("a baseline out of nowhere")
	}
	var w bytes.Buffer
	if code := exitCode(err, &w); code != exitUsage || !strings.Contains(w.String(), "no baseline for tidal-wave: make one with ") {
		t.Errorf("exit code %d: %s", code, w.String())
	}
}

func TestEveryScenarioHasABaseline(t *testing.T) {
	for _, s := range scenarios.All() {
		b, err := builtInBaseline(s.Name)
		if err != nil {
			t.Error(err)
		} else if b.Scenario != s.Name {
			t.Errorf("the baseline of %s is one of %s", s.Name, b.Scenario)
		}
	}
}

func TestParseAttempts(t *testing.T) {
	for text, want := range map[string][]int{
		"3":                       {3},
		"3,3,3":                   {3, 3, 3},
		" 1, 2 ,3 ":               {1, 2, 3},
		"1000000":                 {1_000_000},
		"unlimited,2":             {policy.Unlimited, 2},
		"3, unlimited ":           {3, policy.Unlimited},
		"+3":                      {3},
		"":                        nil,
		",":                       nil,
		"3,":                      nil,
		"0":                       nil,
		"-1":                      nil,
		"1000001":                 nil,
		"1e1":                     nil,
		"9999999999999999999999":  nil,
		"-9999999999999999999999": nil,
	} {
		got, err := parseAttempts(text)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestCountUpTo(t *testing.T) {
	check := countUpTo(1000)
	for value, want := range map[string]string{
		"1": "", "1000": "", "007": "",
		"0":                     "--n: 0 would send nothing: say 1 or more",
		"-3":                    "--n: -3 would send nothing: say 1 or more",
		"1001":                  "--n: 1001 is over the limit of 1000",
		"1e3":                   `--n: "1e3" is not a whole number: write 1000`,
		"1_000":                 `--n: "1_000" is not a whole number: write 1000`,
		"1 000":                 `--n: "1 000" is not a whole number: write 1000`,
		"2.0":                   `--n: "2.0" is not a whole number: write 2`,
		"2.5":                   `--n: "2.5" is not a whole number: say 1 or more`,
		"1e9":                   `--n: "1e9" is not a whole number: say 1 or more`,
		"NaN":                   `--n: "NaN" is not a whole number: say 1 or more`,
		"inf":                   `--n: "inf" is not a whole number: say 1 or more`,
		"0x10":                  `--n: "0x10" is not a whole number: say 1 or more`,
		"":                      `--n: "" is not a whole number: say 1 or more`,
		"99999999999999999999":  "--n: 99999999999999999999 is over the limit of 1000",
		"-99999999999999999999": `--n: "-99999999999999999999" is not a whole number: say 1 or more`,
	} {
		got := ""
		if err := check("--n", value); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

func TestColumns(t *testing.T) {
	rows := [][]string{{"a", "1", "prose that goes on"}, {"größer", "22", ""}}
	for width, want := range map[int]string{
		0:  "  a       1   prose that goes on\n  größer  22\n",
		33: "  a       1   prose that goes on\n  größer  22\n",
		34: "  a       1   prose that goes on\n  größer  22\n",
	} {
		if got := columns(2, rows, width); got != want {
			t.Errorf("width %d:\n%q, want\n%q", width, got, want)
		}
	}
}

func TestHang(t *testing.T) {
	for _, c := range []struct {
		lead, text string
		width      int
		want       string
	}{
		{"", "one two", 0, "one two\n"},
		{"x  ", "one two three four five six", 24, "x  one two three four\n   five six\n"},
		{"", strings.Repeat("w", 30) + " tail", 25, strings.Repeat("w", 30) + "\ntail\n"},
		{"a lead as wide as that  ", "one two three", 30, "a lead as wide as that  one two three\n"}, // no room for prose
		{"x  ", "", 40, "x\n"},
	} {
		if got := hang(c.lead, c.text, c.width); got != c.want {
			t.Errorf("%q %q in %d: %q, want %q", c.lead, c.text, c.width, got, c.want)
		}
	}
}

func TestProgressStaysOnItsLine(t *testing.T) {
	var w bytes.Buffer
	p := progress{&w}
	p.show(strings.Repeat("long ", 40) + "\n")
	line := strings.TrimPrefix(w.String(), clearLine)
	if n := len([]rune(line)); n > longestProgress || strings.Contains(line, "\n") {
		t.Errorf("%d columns: %q", n, line)
	}
	progress{}.show("nobody looks")
}

func TestInCommon(t *testing.T) {
	figure := func(id, verdict string) report.Figure { return report.Figure{ID: id, Verdict: verdict} }
	baseline := report.Result{
		Variants: []report.Variant{{Name: "a"}, {Name: "gone"}},
		Figures:  []report.Figure{figure("1", report.Reproduced), figure("2", report.Reproduced), figure("gone", report.Reproduced)},
	}
	now := report.Result{
		Variants: []report.Variant{{Name: "a"}},
		Figures:  []report.Figure{figure("1", report.Off), figure("2", report.NotComparable)},
	}
	b, n := inCommon(baseline, now)
	if len(b.Variants) != 1 || b.Variants[0].Name != "a" {
		t.Errorf("variants of the baseline: %v", b.Variants)
	}
	for _, r := range []report.Result{b, n} {
		if len(r.Figures) != 1 || r.Figures[0].ID != "1" {
			t.Errorf("figures: %v", r.Figures)
		}
	}
	if len(baseline.Variants) != 2 || len(baseline.Figures) != 3 || len(now.Figures) != 2 {
		t.Error("the arguments were changed")
	}
}

// A run that is interrupted before it starts writes nothing.
func TestInterruptedBeforeTheStart(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(filepath.FromSlash(baselineDir), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct{ args, want string }{
		{"run layers", "labctl: interrupted\n"},
		{"run layers -o r.json", "labctl: interrupted\n"},
		{"check layers", "labctl: interrupted: 0 of 1 scenarios were checked\n"},
		{"check", fmt.Sprintf("labctl: interrupted: 0 of %d scenarios were checked\n", len(scenarios.All())+len(caseNames()))},
		{"check --update layers", "labctl: interrupted: 0 of 1 scenarios were checked: no baseline was written\n"},
	} {
		var out, err bytes.Buffer
		code := run(ctx, strings.Fields(c.args), streams{out: &out, err: &err})
		if code != exitInterrupted || out.Len() > 0 || err.String() != c.want {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", c.args, code, out.String(), err.String())
		}
	}
	for _, pattern := range []string{"*.json", ".labctl-*", baselineDir + "/*"} {
		if names, _ := filepath.Glob(pattern); len(names) > 0 {
			t.Errorf("written: %v", names)
		}
	}
}
