package card

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"labctl/audit"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type rendering struct {
	file   string
	render func(w io.Writer) error
}

func renderings() []rendering {
	text := func(a audit.Audit, o Options) func(io.Writer) error {
		return func(w io.Writer) error { return Text(w, a, o) }
	}
	by := func(f func(io.Writer, audit.Audit) error, a audit.Audit) func(io.Writer) error {
		return func(w io.Writer) error { return f(w, a) }
	}
	index := func(as ...audit.Audit) func(io.Writer) error {
		return func(w io.Writer) error { return Index(w, as) }
	}
	return []rendering{
		{"curl.txt", text(curl(), Options{Width: 100})},
		{"curl.narrow.txt", text(curl(), Options{Width: 60})},
		{"curl.tiny.txt", text(curl(), Options{Width: 24})},
		{"curl.color.txt", text(curl(), Options{Width: 100, Color: true})},
		{"curl.all.txt", text(curl(), Options{Width: 100, All: true})},
		{"chain.txt", text(chain(), Options{Width: 100})},
		{"chain.narrow.txt", text(chain(), Options{Width: 60})},
		{"chain.color.txt", text(chain(), Options{Width: 100, Color: true})},
		{"hostile.txt", text(hostile(), Options{Width: 100})},
		{"hostile.all.txt", text(hostile(), Options{Width: 100, All: true})},
		{"go.txt", text(plainGo(), Options{Width: 100})},
		{"go.xml", by(junit, plainGo())},
		{"empty.txt", text(empty(), Options{})},
		{"curl.md", by(Markdown, curl())},
		{"chain.md", by(Markdown, chain())},
		{"hostile.md", by(Markdown, hostile())},
		{"empty.md", by(Markdown, empty())},
		{"curl.json", by(JSON, curl())},
		{"chain.json", by(JSON, chain())},
		{"hostile.json", by(JSON, hostile())},
		{"empty.json", by(JSON, empty())},
		{"curl.xml", by(junit, curl())},
		{"chain.xml", by(junit, chain())},
		{"hostile.xml", by(junit, hostile())},
		{"index.md", index(plainGo(), curl(), chain(), empty())},
		{"index.hostile.md", index(hostile())},
		{"index.empty.md", index()},
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
				t.Errorf("%s differs; if that is meant, run go test ./audit/card -update\ngot:\n%s", path, got.String())
			}
		})
	}
}

// Nothing that a terminal obeys, and no HTML, may come from an audit.
func TestRenderingsAreHarmless(t *testing.T) {
	for _, r := range renderings() {
		var got bytes.Buffer
		if err := r.render(&got); err != nil {
			t.Fatal(err)
		}
		text := got.String()
		if strings.Contains(r.file, "color") {
			text = strings.NewReplacer(red, "", yellow, "", bold, "", plain, "").Replace(text)
		}
		for _, c := range text {
			if c != '\n' && c != '\u2060' && unicode.In(c, unicode.Cc, unicode.Cf) {
				t.Errorf("%s holds %U", r.file, c)
			}
		}
		if !strings.HasSuffix(r.file, ".txt") && strings.Contains(text, "<script") {
			t.Errorf("%s holds a script", r.file)
		}
	}
}

// Every row of a Markdown table has as many cells as its head, whatever a cell holds.
func TestMarkdownTablesStayTables(t *testing.T) {
	for _, r := range renderings() {
		if !strings.HasSuffix(r.file, ".md") {
			continue
		}
		var got bytes.Buffer
		if err := r.render(&got); err != nil {
			t.Fatal(err)
		}
		cells := 0
		for line := range strings.Lines(got.String()) {
			if !strings.HasPrefix(line, "| ") {
				cells = 0
				continue
			}
			n := strings.Count(line, "|") - strings.Count(line, `\|`)
			if cells == 0 {
				cells = n
			}
			if n != cells {
				t.Errorf("%s: %d bars instead of %d: %s", r.file, n, cells, line)
			}
		}
	}
}

// Only what cannot be broken may be wider than the terminal: a single word.
func TestLinesFitTheTerminal(t *testing.T) {
	for _, a := range []audit.Audit{curl(), chain(), plainGo(), empty()} {
		for width := 50; width <= 140; width += 5 {
			for _, all := range []bool{false, true} {
				var got bytes.Buffer
				if err := Text(&got, a, Options{Width: width, All: all}); err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(got.String()) {
					if w := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); w > width {
						t.Errorf("%s at %d: a line of %d: %s", a.Subject, width, w, line)
					}
				}
			}
		}
	}
}

// junit fails on a danger, as where nobody says.
func junit(w io.Writer, a audit.Audit) error { return JUnit(w, a, "") }

// What a build fails on is a failure in its report too.
func TestJUnitFailsOnWhatTheBuildDoes(t *testing.T) {
	a := audit.Audit{Findings: []audit.Finding{{Code: "herd-risk", Severity: audit.Risk, Message: "no jitter"}}}
	for severity, want := range map[audit.Severity]string{"": `failures="0"`, audit.Danger: `failures="0"`, audit.Risk: `failures="1"`, audit.Note: `failures="1"`} {
		var b bytes.Buffer
		if err := JUnit(&b, a, severity); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("--fail-on %q: %v, want %s in\n%s", severity, err, want, b.String())
		}
	}
}

// A layer that makes fewer attempts after a failure is no layer that makes none.
func TestUnevenLayers(t *testing.T) {
	c := audit.Chain{Fault: "503", Method: "GET", Hits: 3, Layers: []audit.Layer{
		{Name: "client", Requests: 1, Attempts: 3, Factor: 3},
		{Name: "nginx", Requests: 3, Attempts: 3, Factor: 1, Each: []int{2, 1, 0}},
	}}
	if got, want := productText(c), "client → nginx: 3 × 1 = 3 at the tail; nginx made 2, 1, 0 attempts of the requests in turn: after a failure it holds back, so alone, or after a pause, it makes more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := factorText(c.Layers[1]); got != "1 (2, 1, 0)" {
		t.Errorf("factor %q", got)
	}
}
