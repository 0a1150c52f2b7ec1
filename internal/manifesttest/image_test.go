package manifesttest

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// lines are what a file says, without its comments.
func lines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range strings.Split(string(data), "\n") {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			out = append(out, l)
		}
	}
	return out
}

// What the image is: the last stage begins with nothing, runs a user without rights by
// number, which runAsNonRoot can check, and starts the program and no shell.
func TestTheImageIsTheProgramAlone(t *testing.T) {
	all := lines(t, "Dockerfile")
	if !slices.Contains(all, "ENV CGO_ENABLED=0") {
		t.Error("the program is not static")
	}
	last := slices.Index(all, "FROM scratch")
	if last < 0 {
		t.Fatal("the image begins with something")
	}
	for _, l := range all[last+1:] {
		if word, _, _ := strings.Cut(l, " "); word == "RUN" || word == "ADD" || word == "FROM" {
			t.Errorf("%s", l)
		}
	}
	for _, want := range []string{"USER 65532:65532", `ENTRYPOINT ["/labctl"]`} {
		if !slices.Contains(all[last:], want) {
			t.Errorf("there is no %s", want)
		}
	}
}

// All that go build reads gets to the builder: .dockerignore lets nothing else through,
// and would leave out a new folder.
func TestTheBuilderGetsWhatItNeeds(t *testing.T) {
	rules := lines(t, ".dockerignore")
	for _, name := range append(sources(t), "go.mod", "go.sum") {
		if ignored(rules, name) {
			t.Errorf(".dockerignore leaves out %s, which the build needs", name)
		}
	}
	for _, name := range []string{".git/config", "README.md", "topology/testdata/x", "topology/load_test.go", "internal/browsertest/doc.go"} {
		if !ignored(rules, name) {
			t.Errorf(".dockerignore lets %s through", name)
		}
	}
}

// sources are the files of this module that the program is made of.
func sources(t *testing.T) []string {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-json=Dir,Module,GoFiles,EmbedFiles", "./cmd/labctl")
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Dir                 string
			Module              *struct{ Main bool }
			GoFiles, EmbedFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module == nil || !p.Module.Main {
			continue
		}
		dir, err := filepath.Rel(top, p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range append(p.GoFiles, p.EmbedFiles...) {
			files = append(files, path.Join(filepath.ToSlash(dir), f))
		}
	}
	if len(files) < 100 {
		t.Fatalf("only %d files: this test looks in the wrong place", len(files))
	}
	return files
}

// ignored is what Docker makes of the few forms that the file uses: the last rule that
// is about a file, or a folder above it, counts.
func ignored(rules []string, name string) bool {
	out := false
	for _, r := range rules {
		pattern, kept := strings.CutPrefix(r, "!")
		if about(pattern, name) {
			out = !kept
		}
	}
	return out
}

func about(pattern, name string) bool {
	base, anywhere := strings.CutPrefix(pattern, "**/")
	for ; name != "."; name = path.Dir(name) {
		of := name
		if anywhere {
			of = path.Base(name)
		}
		if is, _ := path.Match(base, of); is {
			return true
		}
	}
	return false
}
