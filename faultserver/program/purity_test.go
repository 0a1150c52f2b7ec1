package program_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Both engines rely on a program that decides by its arguments alone. Whoever needs
// another import here has to think about that first.
func TestPure(t *testing.T) {
	allowed := []string{"errors", "fmt", "math", "math/bits", "slices", "strconv", "strings", "time"}
	clocks := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}

	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no sources found: %v", err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); !slices.Contains(allowed, path) && !strings.HasSuffix(path, "/internal/suggest") {
				t.Errorf("%s imports %s, which a pure package has no use for", name, path)
			}
		}
		for node := range ast.Preorder(file) {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			if pkg, ok := selector.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains(clocks, selector.Sel.Name) {
				t.Errorf("%s reads the clock with time.%s; let the caller pass the instant", name, selector.Sel.Name)
			}
		}
	}
}
