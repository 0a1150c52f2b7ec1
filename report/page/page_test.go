package page

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"labctl/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func html(t *testing.T, c Content) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	scripts = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	styles  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	policyQ = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	data    = regexp.MustCompile(`(?s)<script type="application/json" id="plots">(.*?)</script>`)
)

// withoutAssets keeps what this package writes; script and style are files of their
// own.
func withoutAssets(page string) string {
	page = scripts.ReplaceAllString(page, "<script>…</script>")
	page = styles.ReplaceAllString(page, "<style>…</style>")
	return policyQ.ReplaceAllString(page, `<meta http-equiv="Content-Security-Policy" content="…">`)
}

func TestGolden(t *testing.T) {
	for file, c := range map[string]Content{
		"jitter.html":  {Results: []report.Result{jittered()}},
		"two.html":     {Results: []report.Result{jittered(), outage()}},
		"hostile.html": hostile(),
		"empty.html":   {},
	} {
		t.Run(file, func(t *testing.T) {
			got := withoutAssets(html(t, c))
			path := filepath.Join("testdata", file)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("differs from %s: run with -update and read the diff", path)
			}
		})
	}
}

// A browser compares the bytes between the tags with the hash: a template that added a
// space would switch the script off.
func TestThePolicyAllowsThePagesOwnScriptAndStyleAndNothingElse(t *testing.T) {
	page := html(t, Content{Results: []report.Result{jittered()}})
	given := policyQ.FindStringSubmatch(page)
	if given == nil {
		t.Fatal("no Content-Security-Policy")
	}
	script, style := scripts.FindAllStringSubmatch(page, -1), styles.FindAllStringSubmatch(page, -1)
	if len(script) != 1 || len(style) != 1 {
		t.Fatalf("%d scripts and %d styles, want one each", len(script), len(style))
	}
	want := "default-src 'none'; script-src " + hash(script[0][1]) + "; style-src " + hash(style[0][1]) + "; base-uri 'none'; form-action 'none'"
	if got := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(given[1]); got != want {
		t.Errorf("policy\n%s\nwant\n%s", got, want)
	}
	for _, forbidden := range []string{` style="`, ` onclick=`, ` onload=`, ` src=`, `href="http`, `url(`, "@import", "@font-face"} {
		if strings.Contains(page, forbidden) {
			t.Errorf("the page has %q, which its policy forbids or which asks a network", forbidden)
		}
	}
}

func TestTextOfStrangersStaysText(t *testing.T) {
	page := withoutAssets(html(t, hostile()))
	if n := strings.Count(strings.ToLower(page), "<script"); n != 2 {
		t.Errorf("%d script tags, want that of the numbers and the page's own", n)
	}
	for _, forbidden := range []string{"<img", "\u202e", "\u2028", "\x00", "\x1b"} {
		if strings.Contains(page, forbidden) {
			t.Errorf("the page has %q", forbidden)
		}
	}
	for _, r := range page {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) {
			t.Errorf("the page has the control character %U", r)
			break
		}
	}
	if !strings.Contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("the text itself is not shown")
	}
	if n := strings.Count(page, strings.Repeat("long name ", 999)); n != 1 {
		t.Errorf("a name of 10 kB is written out %d times, want once", n)
	}
}

func TestNumbersForTheScriptAreJSON(t *testing.T) {
	for _, c := range []Content{{}, hostile(), {Results: []report.Result{jittered(), outage()}}} {
		found := data.FindStringSubmatch(html(t, c))
		if found == nil {
			t.Fatal("no numbers")
		}
		var plots []plot
		if err := json.Unmarshal([]byte(found[1]), &plots); err != nil || plots == nil {
			t.Errorf("%v: %v", err, found[1])
		}
		for _, p := range plots {
			for _, l := range p.Lines {
				if len(l.Y) != len(p.X) {
					t.Errorf("%s: %q has %d values for %d instants", p.ID, l.Name, len(l.Y), len(p.X))
				}
			}
		}
	}
}

// Whoever does not see a chart, or runs no script, has a description and a table.
func TestEveryChartHasWordsAndATable(t *testing.T) {
	page := html(t, Content{Results: []report.Result{jittered(), outage()}})
	figures := regexp.MustCompile(`(?s)<figure class="(?:chart|drawing)">.*?</figure>`).FindAllString(page, -1)
	if len(figures) < 7 { // waves, two herds, goodput and hysteresis, and two call graphs
		t.Fatalf("%d charts and drawings, want at least 7", len(figures))
	}
	described := regexp.MustCompile(`role="img" aria-labelledby="([^"]+)" aria-describedby="([^"]+)"`)
	for _, f := range figures {
		ids := described.FindStringSubmatch(f)
		if ids == nil {
			t.Errorf("no image with a name and a description in %s", f)
			continue
		}
		for _, id := range ids[1:] {
			if text := regexp.MustCompile(`id="` + id + `"[^>]*>(?:<bdi>)?[^<]{4,}`); !text.MatchString(f) {
				t.Errorf("%s says nothing", id)
			}
		}
		if !strings.Contains(f, "<tbody>") {
			t.Errorf("no table in %s", f)
		}
	}
}

func TestTheArticlesFitAMail(t *testing.T) {
	file, err := os.Open("../../results/articles.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	results, err := report.ReadJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	page := html(t, Content{Results: results})
	if len(page) >= 1_000_000 {
		t.Errorf("%d bytes, want less than a megabyte", len(page))
	}
	if again := html(t, Content{Results: results}); again != page {
		t.Error("the same results gave another page")
	}
}
