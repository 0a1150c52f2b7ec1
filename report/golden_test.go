package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type rendering struct {
	file   string
	render func(w io.Writer) error
}

func renderings() []rendering {
	table := func(r Result, o Options) func(io.Writer) error {
		return func(w io.Writer) error { return Table(w, r, o) }
	}
	markdown := func(r Result) func(io.Writer) error {
		return func(w io.Writer) error { return Markdown(w, r) }
	}
	return []rendering{
		{"nested-retry.txt", table(nestedRetry(), Options{Width: 100, Tree: true})},
		{"nested-retry.narrow.txt", table(nestedRetry(), Options{Width: 60})},
		{"nested-retry.tiny.txt", table(nestedRetry(), Options{Width: 24})},
		{"nested-retry.quiet.txt", table(nestedRetry(), Options{Width: 100, Quiet: true})},
		{"nested-retry.color.txt", table(nestedRetry(), Options{Width: 100, Color: true, Quiet: true})},
		{"jitter-herd.txt", table(jitterHerd(), Options{Width: 120})},
		{"jitter-herd.80.txt", table(jitterHerd(), Options{Width: 80})},
		{"jitter-herd.narrow.txt", table(jitterHerd(), Options{Width: 60})},
		{"midnight.txt", table(wideNumbers(), Options{Width: 100})},
		{"waves.txt", table(phased(), Options{})},
		{"layers.txt", table(layersReadings(), Options{Width: 80})},
		{"hostile.txt", table(hostile(), Options{Width: 100, Tree: true})},
		{"empty.txt", table(empty(), Options{})},
		{"nested-retry.md", markdown(nestedRetry())},
		{"jitter-herd.md", markdown(jitterHerd())},
		{"hostile.md", markdown(hostile())},
		{"empty.md", markdown(empty())},
		{"nested-retry.json", func(w io.Writer) error { return WriteJSON(w, nestedRetry()) }},
		{"set.json", func(w io.Writer) error { return WriteJSON(w, jitterHerd(), hostile(), layersReadings()) }},
		{"empty.json", func(w io.Writer) error { return WriteJSON(w, empty()) }},
		{"baseline.json", func(w io.Writer) error { return WriteJSON(w, Baseline(nestedRetry())) }},
		{"all.csv", func(w io.Writer) error { return WriteCSV(w, nestedRetry(), jitterHerd(), hostile()) }},
		{"figures.xml", func(w io.Writer) error { return WriteJUnit(w, FigureSuite(jitterHerd()), FigureSuite(hostile())) }},
		{"expected.txt", table(expected(), Options{Width: 100, Quiet: true})},
		{"expected.narrow.txt", table(expected(), Options{Width: 60, Quiet: true})},
		{"expected.color.txt", table(expected(), Options{Quiet: true, Color: true})},
		{"expected.repeats.txt", table(expectedOverRepeats(), Options{Width: 120, Quiet: true})},
		{"expected.md", markdown(expected())},
		{"expected.json", func(w io.Writer) error { return WriteJSON(w, expected(), expectedOverRepeats()) }},
		{"expected.xml", func(w io.Writer) error { return WriteJUnit(w, FigureSuite(expected())) }},
		{"expected.github", func(w io.Writer) error {
			r := expected()
			return WriteGitHub(w, slices.Concat(ExpectationAnnotations("checkout.yaml", r.Expectations),
				DifferenceAnnotations("checkout.yaml", Compare(nestedRetry(), oneMoreAttempt())), WarningAnnotations("checkout.yaml", r.Warnings))...)
		}},
		{"frame.120.txt", frame(underway(), Options{Width: 120})},
		{"frame.80.txt", frame(underway(), Options{Width: 80})},
		{"frame.60.txt", frame(underway(), Options{Width: 60})},
		{"frame.40.txt", frame(underway(), Options{Width: 40})},
		{"frame.low.txt", frame(underway(), Options{Width: 80, Lines: 12})},
		{"frame.color.txt", frame(underway(), Options{Width: 80, Lines: 16, Color: true})},
		{"frame.wide.80.txt", frame(billions(), Options{Width: 80, Lines: 50})},
		{"frame.wide.40.txt", frame(billions(), Options{Width: 40, Lines: 50})},
		{"frame.none.txt", frame(Underway{Title: "jitter-herd: plain (1 of 4)"}, Options{})},
		{"frame.hostile.txt", frame(Underway{Title: evil, Variant: hostile().Variants[0]}, Options{})},
		{"billions.txt", func(w io.Writer) error {
			return Histogram(w, []Variant{billions().Variant, underway().Variant}, Options{Width: 80})
		}},
		{"check.xml", func(w io.Writer) error { return WriteJUnit(w, CheckSuite(nestedRetry(), oneMoreAttempt())) }},
	}
}

func TestGolden(t *testing.T) {
	for _, r := range renderings() {
		t.Run(r.file, func(t *testing.T) {
			var got bytes.Buffer
			if err := r.render(&got); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", r.file)
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("%s differs; if that is meant, run go test ./report -update\ngot:\n%s", path, got.String())
			}
		})
	}
}

// Nothing that a terminal obeys may come from a name, nor may a line be longer
// than the terminal where the text can be broken.
func TestRenderingsAreHarmless(t *testing.T) {
	for _, r := range renderings() {
		if strings.Contains(r.file, "color") {
			continue
		}
		var got bytes.Buffer
		if err := r.render(&got); err != nil {
			t.Fatal(err)
		}
		for _, c := range got.String() {
			if c != '\n' && c != '\u2060' && unicode.In(c, unicode.Cc, unicode.Cf) {
				t.Errorf("%s holds %U", r.file, c)
			}
		}
	}
}

func TestLinesFitTheTerminal(t *testing.T) {
	for _, r := range []Result{nestedRetry(), jitterHerd(), wideNumbers(), phased(), layersReadings(), empty(), expected(), expectedOverRepeats()} {
		for width := 40; width <= 140; width += 5 {
			var got bytes.Buffer
			if err := Table(&got, r, Options{Width: width}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(got.String()) {
				if w := textWidth(strings.TrimSuffix(line, "\n")); w > width {
					t.Errorf("%s at %d: a line of %d: %s", r.Scenario, width, w, line)
				}
			}
		}
	}
}

// On the narrowest terminal that most have, the number that it is all about stays.
func TestAmplificationStays(t *testing.T) {
	var b bytes.Buffer
	if err := Table(&b, jitterHerd(), Options{Width: 60, Quiet: true}); err != nil {
		t.Fatal(err)
	}
	if head, _, _ := strings.Cut(b.String(), "\n"); !strings.Contains(head, "amplification") || !strings.Contains(head, "retry peak") {
		t.Error(head)
	}
}
