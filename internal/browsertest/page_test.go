package browsertest

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// herdLab is a state to begin with, as an address has it.
const herdLab = "#lab=jitter-herd&variant=jitter&limit=500"

// says waits until the page shows what comes of a command with these words.
func (tb *tab) says(words ...string) {
	tb.t.Helper()
	for _, w := range words {
		tb.until(`document.getElementById("command").textContent.includes(` + quote(w) + `)`)
	}
}

// press gives an element the focus and presses keys.
func (tb *tab) press(id, keys string) {
	tb.t.Helper()
	tb.do(chromedp.Focus(chromedp.ID(id)), chromedp.KeyEvent(keys))
}

// fill types a text in place of what a field has, and leaves the field.
func (tb *tab) fill(id, text string) {
	tb.t.Helper()
	eval[bool](tb, `document.getElementById(`+quote(id)+`).select() ?? true`)
	tb.press(id, text+kb.Tab)
}

// drag moves a slider to a place as a hand does: events on the way, and one at the end.
func (tb *tab) drag(id string, places ...string) {
	tb.t.Helper()
	eval[bool](tb, dragging(id, places...)+"true")
}

// dragging is the script of a drag.
func dragging(id string, places ...string) string {
	slider := "document.getElementById(" + quote(id) + ")"
	var out strings.Builder
	for _, p := range places {
		out.WriteString(slider + ".value = " + quote(p) + "; " + slider + `.dispatchEvent(new Event("input")); `)
	}
	return out.String() + slider + `.dispatchEvent(new Event("change")); `
}

// click presses a button of the page.
func (tb *tab) click(id string) {
	tb.t.Helper()
	tb.do(chromedp.Click(chromedp.ID(id)))
}

// agrees holds all numbers on the page against those of a result.
func (tb *tab) agrees(v variant) {
	tb.t.Helper()
	for id, want := range map[string]string{
		"n-hits": count(v.Hits), "n-amplification": amount(v.Amplification) + "×", "n-first-wave": count(v.FirstWave),
		"n-peak": count(v.Peak), "n-retry-peak": count(v.RetryPeak),
	} {
		if got := tb.text("#" + id); got != want {
			tb.t.Errorf("%s: the page shows %q, the engine says %s", id, got, want)
		}
	}
	if about := eval[string](tb, `document.getElementById("plot-hits").getAttribute("aria-label")`); !strings.Contains(about, ": "+count(v.Hits)+" in ") {
		tb.t.Errorf("the chart is described as %q, the engine says %s hits", about, count(v.Hits))
	}
}

// agreesWithItsCommand runs what the page gives as its command and compares.
func (tb *tab) agreesWithItsCommand() {
	tb.t.Helper()
	tb.agrees(simulated(tb.t, tb.t.TempDir(), tb.text("#command")).Variants[0])
}

// own fails the test for what the page may not do: ask anybody but the program that
// serves it, or write to the console.
func (tb *tab) own(address string) {
	tb.t.Helper()
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		tb.t.Errorf("the page is at %s", address)
	}
	tb.asksOnly(address)
	tb.quiet()
}

func TestSlidersMoveByKeyAndByHand(t *testing.T) {
	address := serve(t)
	tb := open(t, address+herdLab, desk)
	tb.says("labctl run jitter-herd --variant jitter")
	tb.agreesWithItsCommand()

	tb.press("clients", kb.ArrowRight+kb.ArrowRight) // 200, 250, 300
	tb.says("--clients 300")
	tb.press("rest", kb.ArrowLeft) // 100, 80
	tb.says("--rest 80ms")
	tb.agreesWithItsCommand()

	// The place 0 is the first value, so this is 5 attempts, and then two layers, before
	// there is an answer to the 5.
	eval[bool](tb, dragging("attempts-0", "2", "3", "4")+dragging("layers", "1")+"true")
	tb.says("--attempts 5,5")
	tb.agreesWithItsCommand()
	if got := tb.text("#n-hits"); got != "7,500" { // 300 × 5 × 5
		t.Errorf("300 clients through two layers of 5 attempts: %s hits, want 7,500", got)
	}
	tb.own(address)
}

// Whoever has only the page finds the rest and the jitter that keep the retries of
// 10,000 clients low, sees what no jitter does, and takes the setting home.
func TestSomebodyWhoHasOnlyThePage(t *testing.T) {
	address := serve(t)
	tb := open(t, address, desk)
	tb.says("labctl run jitter-herd")
	// What 200 clients are held against is theirs, and is exceeded without any doing.
	tb.until(`document.querySelector("#sentences .bad")?.textContent.includes("above the limit of 50, 25% of the clients")`)
	tb.shot("page-first-light")
	tb.click("task-go")
	tb.until(`document.getElementById("task").hidden && document.getElementById("limit").value === "500"`)
	tb.press("law", "none")
	tb.drag("rest", "28") // 2 s
	tb.fill("rest-number", "2500")
	tb.says("--clients 10000", "--rest 2500ms", "--jitter none")
	tb.until(`document.querySelector("#sentences .warn")?.textContent.includes("comes back as a block twice")`)
	tb.until(`document.querySelector("#sentences .bad")?.textContent.startsWith("too many retries at once")`)
	without := tb.text("#n-first-wave")

	tb.press("law", "full")
	tb.until(`document.querySelector("#sentences .good")?.textContent.startsWith("the retries stay within the limit of 500")`)
	if with := tb.text("#n-first-wave"); with != "10,000" || without != with {
		t.Errorf("first wave: %s with full jitter, %s without, want all 10,000 both times", with, without)
	}
	if got := tb.text("#sentences"); !strings.Contains(got, "first wave") || !strings.Contains(got, "10,000") {
		t.Errorf("the verdict does not say what happens to the first wave: %s", got)
	}
	tb.agreesWithItsCommand()
	tb.shot("page-light")
	tb.as(night)
	tb.shot("page-dark")

	tb.runs(tb.copied("copy-yaml"))
	if got := tb.copied("copy-share"); !strings.HasPrefix(got, "labctl ui --state 'lab=jitter-herd&") || strings.Contains(got, strings.Split(address, "/")[3]) {
		t.Errorf("to share there is %s", got)
	}
	if !eval[bool](tb, `document.getElementById("copy-link").hidden`) {
		t.Error("a page that ends with its program offers its address to share")
	}
	tb.own(address)
}

// runs has labctl run a file that came from the page, and compares.
func (tb *tab) runs(yaml string) {
	tb.t.Helper()
	dir := tb.t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lab.yaml"), []byte(yaml), 0o644); err != nil {
		tb.t.Fatal(err)
	}
	r := simulated(tb.t, dir, "labctl run lab.yaml --engine sim")
	tb.agrees(r.Variants[0])
	if len(r.Expectations) != 1 || !r.Expectations[0].Pass {
		tb.t.Errorf("the limit of the page is in the file as %v, want one expectation that holds", r.Expectations)
	}
}

// copied presses a button that copies, and reads the clipboard.
func (tb *tab) copied(button string) string {
	tb.t.Helper()
	c := chromedp.FromContext(tb.ctx)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(tb.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted, BrowserContextID: c.BrowserContextID,
		})
		if err != nil {
			tb.t.Fatal(err)
		}
	}
	tb.click(button)
	tb.until(`document.getElementById("copied").textContent.endsWith(" copied")`)
	return eval[string](tb, `navigator.clipboard.readText()`)
}

// A limit far above the bars would make them small.
func TestALimitFarAboveIsNotDrawn(t *testing.T) {
	address := serve(t)
	tb := open(t, address+"#lab=jitter-herd&variant=jitter&jitter=none&attempts=5&limit=500", desk) // 4 blocks of 200
	tb.until(`document.getElementById("limit-key").textContent === "limit of 500, far above"`)
	tb.shot("page-limit-above")
	tb.fill("limit", "350")
	tb.until(`document.getElementById("limit-key").textContent === "limit"`)
	tb.own(address)
}

func TestTheAddressHoldsTheState(t *testing.T) {
	address := serve(t)
	tb := open(t, address+herdLab, desk)
	tb.says("--variant jitter")
	tb.fill("clients-number", "300")
	tb.says("--clients 300")
	tb.fill("rest-number", "70")
	tb.says("--rest 70ms")
	shared, hits := eval[string](tb, "location.href"), tb.text("#n-retry-peak")

	eval[bool](tb, "history.back() ?? true")
	tb.until(`!document.getElementById("command").textContent.includes("--rest")`)
	tb.says("--clients 300")
	if got := eval[string](tb, `document.getElementById("rest-number").value`); got != "100" {
		t.Errorf("after going back the rest is %s ms, want 100", got)
	}
	eval[bool](tb, "history.forward() ?? true")
	tb.says("--rest 70ms")
	tb.own(address)

	other := open(t, shared, desk)
	other.says("--clients 300", "--rest 70ms")
	if got := other.text("#n-retry-peak"); got != hits {
		t.Errorf("a shared address shows a retry peak of %s, want %s", got, hits)
	}
	other.agreesWithItsCommand()
	other.own(address)
}

func TestPageCanBeReadByAll(t *testing.T) {
	address := serve(t)
	tb := open(t, address+"#lab=metastable", desk) // it has goodput, so all charts
	tb.until(`!document.getElementById("goodput").hidden`)
	tb.drawn()
	eval[bool](tb, `document.querySelectorAll("details").forEach((d) => { d.open = true; }) ?? true`)
	tb.accessible("page, light")
	tb.as(night)
	tb.accessible("page, dark")
	tb.as(phone)
	tb.drawn()
	tb.noSidewaysScroll()
	tb.accessible("page, on a phone")
	tb.own(address)

	small := open(t, address+herdLab, phone)
	small.says("--variant jitter")
	small.drawn()
	small.noSidewaysScroll()
	small.shot("page-phone")
}

func TestAWrongTokenIsRefused(t *testing.T) {
	address := serve(t)
	token := strings.Split(address, "/")[3]
	wrong := strings.Replace(address, token, strings.Repeat("A", len(token)), 1)
	for _, at := range []string{"", "app.js", "api/labs", "api/answer?lab=jitter-herd"} {
		r, err := http.Get(wrong + at)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusForbidden {
			t.Errorf("%q with a wrong token: %s", at, r.Status)
		}
	}
	tb := open(t, wrong+herdLab, desk)
	if got := tb.text("body"); !strings.Contains(got, "the address lacks the token") {
		t.Errorf("a browser with a wrong token sees %q", got)
	}
	tb.asksOnly(strings.TrimSuffix(wrong, strings.Repeat("A", len(token))+"/"))
}
