package browsertest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// evil would show itself if any of it ran, or were fetched.
const evil = `</script></title><script>alert(1)</script>" onload=alert(2) <img src=https://example.com/x onerror=alert(3)>` + "\u202egnorw"

// tainted is a result in which strangers chose every text that strangers can choose.
func tainted(t *testing.T) string {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(shell(t, ".", "labctl run jitter-herd --engine sim --format json"), &r); err != nil {
		t.Fatal(err)
	}
	variants := r["variants"].([]any)[:2]
	r["variants"] = variants
	r["scenario"], r["title"], r["command"] = evil, evil, evil
	names := []string{evil, strings.Repeat("long name ", 1000)}
	for i, v := range variants {
		v := v.(map[string]any)
		v["name"] = names[i]
		for _, l := range v["layers"].([]any) {
			l.(map[string]any)["name"] = names[i]
		}
	}
	r["findings"] = []any{map[string]any{"code": "x", "variant": evil, "message": evil}}
	r["warnings"] = []any{map[string]any{"code": "x", "message": evil}, map[string]any{"code": "x", "variant": evil, "message": strings.Repeat("a", 10_000)}}
	r["figures"] = []any{map[string]any{"id": evil, "published": evil, "measured": evil, "tolerance": evil, "verdict": "off", "why": evil}}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tainted.json")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReportShowsTextOfStrangersAsText(t *testing.T) {
	address := report(t, tainted(t))
	tb := open(t, address, desk)
	tb.drawn()
	if n := eval[int](tb, `document.querySelectorAll("img, iframe, object, [onload], [onerror]").length`); n != 0 {
		t.Errorf("%d elements came out of texts", n)
	}
	if n := eval[int](tb, `document.scripts.length`); n != 2 {
		t.Errorf("%d scripts, want the numbers and the page's own", n)
	}
	shown := tb.text("main")
	if !strings.Contains(shown, `<script>alert(1)</script>`) || !strings.Contains(shown, `<img src=https://example.com/x`) {
		t.Error("the text itself is not shown")
	}
	if strings.Contains(shown, "\u202e") {
		t.Error("a mark that turns the direction of writing is still one")
	}
	tb.shot("hostile-light")
	tb.accessible("hostile report")
	tb.as(phone)
	tb.drawn()
	tb.noSidewaysScroll()
	tb.shot("hostile-phone")
	tb.sound(address)
}

// A name in the address is a stranger's too.
func TestPageShowsTextOfStrangersAsText(t *testing.T) {
	address := serve(t)
	tb := open(t, address+"#lab=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&limit=500", desk)
	tb.until(`!document.getElementById("problem").hidden`)
	if got := tb.text("#problem"); !strings.Contains(got, "<img src=x onerror=alert(1)>") {
		t.Errorf("says %q", got)
	}
	if n := eval[int](tb, `document.querySelectorAll("main img").length`); n != 0 {
		t.Errorf("%d images came out of the address", n)
	}
	tb.asksOnly(address)
	tb.quiet()
}
