package policy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// allowed are the packages that a decision may use: they compute.
var allowed = map[string]bool{
	"cmp": true, "errors": true, "fmt": true, "math": true, "math/bits": true,
	"slices": true, "strconv": true, "strings": true, "time": true,
}

// forbidden says why, for those that one may be tempted by.
var forbidden = map[string]string{
	"context":      "a decision has nothing to wait for; cancellation is an event",
	"crypto/rand":  "luck is hashed, not drawn",
	"io":           "the driver does the I/O",
	"log":          "a policy leaves a Note",
	"log/slog":     "a policy leaves a Note",
	"math/rand":    "luck is hashed, not drawn",
	"math/rand/v2": "luck is hashed, not drawn",
	"net":          "the driver does the I/O",
	"net/http":     "the driver does the I/O; the simulator has no HTTP",
	"os":           "a decision does not depend on its surroundings",
	"runtime":      "a decision does not depend on its surroundings",
	"sync":         "the driver calls an edge from one goroutine at a time",
	"sync/atomic":  "the driver calls an edge from one goroutine at a time",
	"unsafe":       "nothing here is worth it",
}

// units are what may be used of package time: durations, and no clock or timer.
var units = map[string]bool{
	"Time": true, "Parse": true, "RFC850": true, "ANSIC": true, // a date in a header, compared with an instant that is given
	"Duration": true, "Nanosecond": true, "Microsecond": true, "Millisecond": true, "Second": true, "Minute": true, "Hour": true,
}

// impurities lists what makes the decisions of a file depend on more than their
// arguments.
func impurities(t *testing.T, name string, src any) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	add := func(n ast.Node, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s: %s", files.Position(n.Pos()), fmt.Sprintf(format, args...)))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			inspectImport(n, add)
		case *ast.SelectorExpr:
			if x, is := n.X.(*ast.Ident); is && x.Name == "time" && !units[n.Sel.Name] {
				add(n, "time.%s: the instant is an argument, and timers are the driver's", n.Sel.Name)
			}
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
			add(n, "%T: concurrency is the driver's", n)
		}
		return true
	})
	return found
}

func inspectImport(n *ast.ImportSpec, add func(n ast.Node, format string, args ...any)) {
	path, _ := strconv.Unquote(n.Path.Value)
	switch why, known := forbidden[path]; {
	case known:
		add(n, "imports %s: %s", path, why)
	case !allowed[path]:
		add(n, "imports %s: not among the packages that only compute", path)
	case n.Name != nil:
		add(n, "renames %s: this test knows packages by their names", path)
	}
}

// TestPolicyIsPure holds the principle that policies are sans-I/O.
func TestPolicyIsPure(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, f := range files {
		name := f.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		checked++
		for _, impurity := range impurities(t, name, nil) {
			t.Error(impurity)
		}
	}
	equal(t, "the package has files", checked > 10, true)
}

// TestImpuritiesAreSeen keeps the test above able to fail.
func TestImpuritiesAreSeen(t *testing.T) {
	for src, want := range map[string]string{
		`import "math"`:                           "",
		`import "time"; var d = 2 * time.Second`:  "",
		`import "sync"`:                           "imports sync: the driver calls an edge from one goroutine at a time",
		`import "net/http"`:                       "imports net/http: the driver does the I/O; the simulator has no HTTP",
		`import "math/rand/v2"`:                   "imports math/rand/v2: luck is hashed, not drawn",
		`import "labctl/topology/live"`:           "imports labctl/topology/live: not among the packages that only compute",
		`import clock "time"`:                     "renames time: this test knows packages by their names",
		`import . "time"`:                         "renames time: this test knows packages by their names",
		`import "time"; var t = time.Now()`:       "time.Now: the instant is an argument, and timers are the driver's",
		`import "time"; var f = time.Since`:       "time.Since: the instant is an argument, and timers are the driver's",
		`import "time"; var c = time.Tick(1)`:     "time.Tick: the instant is an argument, and timers are the driver's",
		`import "time"; func f() {time.Sleep(1)}`: "time.Sleep: the instant is an argument, and timers are the driver's",
		`func f() { go f() }`:                     "*ast.GoStmt: concurrency is the driver's",
		`func f() { select {} }`:                  "*ast.SelectStmt: concurrency is the driver's",
		`var c chan int`:                          "*ast.ChanType: concurrency is the driver's",
	} {
		found := strings.Join(impurities(t, "x.go", "package x; "+src), "; ")
		if want == "" {
			equal(t, src, found, "")
		} else if !strings.HasSuffix(found, ": "+want) {
			t.Errorf("%s: got %q, want %q", src, found, want)
		}
	}
}
