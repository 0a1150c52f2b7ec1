package browsertest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// The page as one file simulates in the browser, and has no server to ask.
func TestTheStaticPageShowsTheSameNumbers(t *testing.T) {
	needBrowser(t)
	file, err := filepath.Abs(filepath.Join(build, "labctl.html"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no build/labctl.html: make browser writes it")
	}
	tb := open(t, "file://"+file+"#lab=jitter-herd&variant=jitter&limit=500&clients=10000&rest=2500ms", desk)
	tb.says("--clients 10000", "--rest 2500ms")
	tb.agreesWithItsCommand()
	tb.fill("rest-number", "700")
	tb.says("--rest 700ms")
	tb.agreesWithItsCommand()
	if !eval[bool](tb, `document.getElementById("live").hidden`) {
		t.Error("a file offers a live run, for which a browser has no sockets")
	}
	tb.drawn()
	tb.shot("static-light")
	tb.accessible("static page")
	tb.asksOnly("file://"+file, "data:", "blob:")
	tb.quiet()
}
