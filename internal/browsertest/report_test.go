package browsertest

import (
	"encoding/json"
	"image/color"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// herd is a report of a small result, with the result.
func herd(t *testing.T) (address string, r result) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "herd.json")
	data := shell(t, ".", "labctl run jitter-herd --engine sim --format json")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return report(t, file), r
}

// sound fails the test for what no report may do: ask for anything but itself, or
// write to the console.
func (tb *tab) sound(address string) {
	tb.t.Helper()
	tb.asksOnly(address)
	tb.quiet()
}

// tables are all tables of the page, row by row, with their heads.
func (tb *tab) tables() [][][]string {
	tb.t.Helper()
	return eval[[][][]string](tb, `[...document.querySelectorAll("table")].map((t) => [...t.rows].map((r) => [...r.cells].map((c) => c.textContent)))`)
}

func TestReportShowsTheNumbersOfItsResult(t *testing.T) {
	address, r := herd(t)
	tb := open(t, address, desk)
	tables := tb.tables()
	shown := map[string]string{}
	for _, row := range tables[0][1:] {
		for i, head := range tables[0][0] {
			shown[row[0]+" "+head] = row[i]
		}
	}
	for _, v := range r.Variants {
		for head, want := range map[string]string{
			"requests": count(v.Requests), "hits": count(v.Hits), "amplification": amount(v.Amplification) + "×",
			"first wave": count(v.FirstWave), "peak": count(v.Peak), "retry peak": count(v.RetryPeak),
		} {
			if got := shown[v.Name+" "+head]; got != want {
				t.Errorf("%s of %s: shows %q, the result has %s", head, v.Name, got, want)
			}
		}
	}
	for i, v := range r.Variants {
		// The charts of single variants come behind the call graph and the waves of all.
		if got, want := column(tables[3+i], "hits"), counts(v.Bins); got != want {
			t.Errorf("bins of %s: shows %s, the result has %s", v.Name, got, want)
		}
		if got, want := column(tables[3+i], "of them retries"), counts(v.RetryBins); got != want {
			t.Errorf("retries of %s: shows %s, the result has %s", v.Name, got, want)
		}
	}
	tb.sound(address)
}

func TestReportDrawsAndCanBeReadByAll(t *testing.T) {
	address, _ := herd(t)
	tb := open(t, address, desk)
	for _, look := range []struct {
		name string
		view view
	}{{"light", desk}, {"dark", night}} {
		tall := look.view
		tall.height = 2600 // charts are drawn near the screen: this shows all
		tb.as(tall)
		tb.drawn()
		tb.shot("report-" + look.name)
		tb.accessible("report, " + look.name)
	}
	tb.as(phone)
	tb.drawn()
	tb.noSidewaysScroll()
	tb.shot("report-phone")
	tb.sound(address)
}

// drawn waits until every chart on the screen has something on its canvas. It looks at
// a copy: the browser warns of those who read a canvas again and again.
func (tb *tab) drawn() {
	tb.t.Helper()
	tb.until(`[...document.querySelectorAll(".plot")].every((p) => {
		const c = p.querySelector("canvas"), box = p.getBoundingClientRect();
		if (!p.clientWidth || box.top >= innerHeight || box.bottom <= 0) return true;
		if (!c || c.width < p.clientWidth * 0.9) return false;
		const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
		copy.drawImage(c, 0, 0);
		return copy.getImageData(0, 0, c.width, c.height).data.some((v) => v);
	})`)
}

// Paper is white, whatever the screen is.
func TestReportIsPrintedOnWhite(t *testing.T) {
	address, _ := herd(t)
	tb := open(t, address, night)
	ink := `getComputedStyle(document.body).color`
	dark := eval[string](tb, ink)
	tb.as(view{width: 794, height: 1123, dark: true, media: "print"})
	eval[bool](tb, `dispatchEvent(new Event("beforeprint"))`)
	tb.drawn()
	if paper := color.GrayModel.Convert(tb.shot("report-print").At(790, 5)).(color.Gray); paper.Y < 250 {
		t.Errorf("the paper is printed on: %v", paper)
	}
	if got := eval[string](tb, ink); got == dark {
		t.Errorf("the ink on paper is that of a dark screen: %s", got)
	}
	eval[bool](tb, `dispatchEvent(new Event("afterprint"))`)
	tb.as(night)
	if after := eval[string](tb, ink); after != dark {
		t.Errorf("the ink after printing: %s, before: %s", after, dark)
	}
	pages, err := chromedp.Run(tb.ctx, chromedp.PrintToPDF())
	if err != nil || !strings.HasPrefix(string(pages), "%PDF") {
		t.Errorf("printing: %v", err)
	}
	tb.sound(address)
}

// The report of all articles is what people mail.
func TestReportOfTheArticles(t *testing.T) {
	source := filepath.Join(root, "results/articles.json")
	address := report(t, source)
	file, err := os.Stat(strings.TrimPrefix(address, "file://"))
	if err != nil {
		t.Fatal(err)
	}
	if file.Size() >= 1e6 {
		t.Errorf("%d bytes, want less than a megabyte", file.Size())
	}
	tb := open(t, address, desk)
	t.Logf("%d bytes; loaded after %.0f ms, by the browser's clock", file.Size(), eval[float64](tb, `performance.getEntriesByType("navigation")[0].loadEventEnd`))
	tb.showsAll(source)
	tb.drawn()
	tb.shot("articles-light")
	tb.as(phone)
	tb.noSidewaysScroll()
	tb.shot("articles-phone")
	tb.sound(address)
}

// showsAll holds the first table of every result against a file of results.
func (tb *tab) showsAll(file string) {
	tb.t.Helper()
	var all struct {
		Results []result `json:"results"`
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		tb.t.Fatal(err)
	}
	for i, r := range all.Results {
		measured := map[string]string{}
		for _, v := range r.Variants {
			measured[v.Name+", "+v.Engine] = count(v.Hits)
		}
		rows := eval[[][]string](tb, `(() => {
			const [head, ...rows] = document.getElementById("r`+strconv.Itoa(i+1)+`").querySelector("table").rows;
			const hits = [...head.cells].findIndex((c) => c.textContent === "hits");
			return rows.map((r) => [r.cells[0].textContent.replace(" (!)", "") + ", " + r.cells[1].textContent, r.cells[hits].textContent]);
		})()`)
		if len(rows) == 0 {
			tb.t.Errorf("result %d shows no variant", i+1)
		}
		for _, row := range rows {
			if row[1] != measured[row[0]] {
				tb.t.Errorf("result %d, %s: shows %s hits, the file has %s", i+1, row[0], row[1], measured[row[0]])
			}
		}
	}
}

func TestReportOfAnAudit(t *testing.T) {
	audits, err := filepath.Glob(filepath.Join(root, "results/audits/curl-retry-3-[0-9]*.json"))
	if err != nil || len(audits) == 0 {
		t.Fatalf("there is no audit of curl: %v", err)
	}
	address := report(t, audits[0])
	tb := open(t, address, desk)
	if got := tb.text("h1"); !strings.Contains(got, "curl") {
		t.Errorf("the report of curl is called %q", got)
	}
	tb.shot("audit-light")
	tb.accessible("audit, light")
	tb.as(night)
	tb.shot("audit-dark")
	tb.accessible("audit, dark")
	tb.as(phone)
	tb.noSidewaysScroll()
	tb.sound(address)
}

// column is what a table shows under a head.
func column(table [][]string, head string) string {
	var out []string
	for i, h := range table[0] {
		if h == head {
			for _, row := range table[1:] {
				out = append(out, row[i])
			}
		}
	}
	return strings.Join(out, " ")
}

func counts(ns []int64) string {
	var out []string
	for _, n := range ns {
		out = append(out, count(n))
	}
	return strings.Join(out, " ")
}

// count writes a number in groups of three digits.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// amount writes a number with two decimals at most.
func amount(x float64) string {
	s := strconv.FormatFloat(x, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
