package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds a test in which the page never shows what is waited for.
const patience = 40 * time.Second

// tab is a page that is looked at, and what it did besides.
type tab struct {
	t    *testing.T
	ctx  context.Context
	view view

	mu       sync.Mutex
	requests []string // their addresses, from the first one on
	noise    []string // console, faults that nobody caught, dialogs
}

// view is what the page is looked at with.
type view struct {
	width, height int64
	dark          bool
	media         string // print; else the screen
}

var (
	desk  = view{width: 1280, height: 900}
	night = view{width: 1280, height: 900, dark: true}
	phone = view{width: 320, height: 640}
)

// open shows an address in a browser that knows nothing of the tests before, and waits
// until it is loaded.
func open(t *testing.T, url string, v view) *tab {
	t.Helper()
	needBrowser(t)
	tb := &tab{t: t}
	// Its own browser context is what a fresh profile is, without another start.
	ctx, end := chromedp.NewContext(chromium, chromedp.WithNewBrowserContext(), chromedp.WithListener(tb.note))
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	var cancel context.CancelFunc
	tb.ctx, cancel = context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	call(tb, network.Enable, network.EnableParams{})
	call(tb, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	tb.as(v)
	tb.do(chromedp.Navigate(url))
	return tb
}

// note keeps what the page did. Nothing may be asked of the browser in here.
func (tb *tab) note(event any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		tb.requests = append(tb.requests, e.Request.URL)
	case *network.EventWebSocketCreated:
		tb.requests = append(tb.requests, e.URL)
	case *runtime.EventConsoleAPICalled:
		tb.noise = append(tb.noise, "console: "+words(e.Args))
	case *runtime.EventExceptionThrown:
		tb.noise = append(tb.noise, uncaught(e.ExceptionDetails))
	case *log.EventEntryAdded:
		tb.noise = append(tb.noise, "log: "+e.Entry.Text+" "+e.Entry.URL)
	case *page.EventJavascriptDialogOpening:
		tb.noise = append(tb.noise, "dialog: "+e.Message)
	}
}

func uncaught(e *runtime.ExceptionDetails) string {
	out := "uncaught: " + e.Text
	if e.Exception != nil {
		out += " " + e.Exception.Description
	}
	return out
}

func words(args []*runtime.RemoteObject) string {
	var out []string
	for _, a := range args {
		out = append(out, strings.TrimSpace(string(a.Value)+" "+a.Description))
	}
	return strings.Join(out, " ")
}

// call is a command of the protocol for which chromedp has no action.
func call[P, R any](tb *tab, command cdp.Command[P, R], params P) R {
	tb.t.Helper()
	r, err := chromedp.Call(tb.ctx, command, params)
	if err != nil {
		tb.t.Fatal(err)
	}
	return r
}

func (tb *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	tb.t.Helper()
	if err := chromedp.Do(tb.ctx, steps...); err != nil {
		tb.t.Fatal(err, "\n", strings.Join(tb.heard(), "\n"))
	}
}

// as looks at the page with another screen.
func (tb *tab) as(v view) {
	tb.t.Helper()
	tb.view = v
	scheme := "light"
	if v.dark {
		scheme = "dark"
	}
	call(tb, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: v.width, Height: v.height, DeviceScaleFactor: 1, Mobile: v.width < 500,
	})
	call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: v.media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// eval is what an expression of the page comes to; a promise, what it holds.
func eval[T any](tb *tab, expression string) T {
	tb.t.Helper()
	v, err := chromedp.Run(tb.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		tb.t.Fatalf("%.300s: %v\n%s", expression, err, strings.Join(tb.heard(), "\n"))
	}
	return v
}

// text is that of the first element that a selector finds.
func (tb *tab) text(selector string) string {
	tb.t.Helper()
	return eval[string](tb, "document.querySelector("+quote(selector)+").textContent")
}

// until waits for a condition, looking once per frame.
func (tb *tab) until(condition string) {
	tb.t.Helper()
	eval[bool](tb, "new Promise((met) => { const look = () => { if ("+condition+") met(true); else requestAnimationFrame(look); }; look(); })")
}

func (tb *tab) heard() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return slices.Clone(tb.noise)
}

// quiet fails the test for each line on the console, fault or dialog.
func (tb *tab) quiet() {
	tb.t.Helper()
	for _, line := range tb.heard() {
		tb.t.Error("the page is not quiet: ", line)
	}
}

// asksOnly fails the test for each request to an address that begins with none of these.
func (tb *tab) asksOnly(allowed ...string) {
	tb.t.Helper()
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if len(tb.requests) == 0 {
		tb.t.Error("not even the page itself was asked for: requests are not seen")
	}
	for _, url := range tb.requests {
		if !slices.ContainsFunc(allowed, func(a string) bool { return strings.HasPrefix(url, a) }) {
			tb.t.Errorf("asks for %.200s", url)
		}
	}
}

// noSidewaysScroll fails the test where the page is wider than the screen.
func (tb *tab) noSidewaysScroll() {
	tb.t.Helper()
	// A phone would zoom out until all of a page fits, so innerWidth is no measure.
	if wide := eval[int64](tb, "document.documentElement.scrollWidth"); wide > tb.view.width {
		tb.t.Errorf("the page is %d px wide on a screen of %d px", wide, tb.view.width)
	}
}

// shot writes what is to be seen into build/screens, and returns it.
func (tb *tab) shot(name string) image.Image {
	tb.t.Helper()
	picture, err := chromedp.Run(tb.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		tb.t.Fatal(err)
	}
	path, err := filepath.Abs(filepath.Join(build, "screens", name+".png"))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, picture, 0o644)
	}
	if err != nil {
		tb.t.Fatal(err)
	}
	tb.t.Log("screenshot: ", path)
	seen, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		tb.t.Fatal(err)
	}
	return seen
}

// quote writes a string as JavaScript has it.
func quote(s string) string {
	out, _ := json.Marshal(s) // a string always can
	return string(out)
}
