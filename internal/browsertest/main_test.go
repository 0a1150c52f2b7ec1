package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// What all tests share. It is set before the first one and stays.
var (
	bin      string          // the directory of the built labctl
	chromium context.Context // nil: there is no Chromium
)

// root is the checkout; build is for what is not committed.
const (
	root  = "../.."
	build = "build"
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "browsertest:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	program, err := exec.LookPath("chromium")
	if err != nil {
		return m.Run(), nil // every test says that it is skipped
	}
	dir, err := os.MkdirTemp("", "browsertest")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	bin = dir
	compile := exec.Command("go", "build", "-o", filepath.Join(dir, "labctl"), "./cmd/labctl")
	compile.Dir = root
	if out, err := compile.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("labctl does not build: %w\n%s", err, out)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), flags(program, dir)...)
	defer stop()
	ctx, end := chromedp.NewContext(allocator)
	defer end()
	defer func() { _ = chromedp.Cancel(ctx) }() // waits for the browser's end, or the above ends it
	if err := chromedp.Do(ctx); err != nil {
		return 0, fmt.Errorf("%s does not start: %w", program, err)
	}
	chromium = ctx
	return m.Run(), nil
}

// flags start a browser with a fresh profile, which asks nobody for anything on its
// own account, and which finds no way past loopback even where a page looks for one.
// What it leaves behind lies in dir.
func flags(program, dir string) []chromedp.ExecAllocatorOption {
	return append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(program),
		chromedp.Env("TMPDIR="+dir),
		chromedp.NoSandbox, // root in a container has none
		chromedp.DisableGPU,
		chromedp.ProxyServer("127.0.0.1:1"), // nobody listens there; loopback goes past it
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("lang", "en-US"),
	)
}

// needBrowser skips a test where there is no Chromium.
func needBrowser(t *testing.T) {
	t.Helper()
	if chromium == nil {
		t.Skip("there is no chromium: make browser-deps installs it")
	}
}
