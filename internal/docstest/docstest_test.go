package docstest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"labctl/internal/docstest"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name, shown, got string
		live             bool
		want             string // a part of the difference; empty: none
	}{
		{"the same", "a\nb\n", "a\nb\n", false, ""},
		{"another line", "a\nb\n", "a\nc\n", false, `where the page has it: "b"`},
		{"a line more", "a\n", "a\nb\n", false, "prints more"},
		{"a line less", "a\nb\n", "a\n", false, `where the page has it: "b"`},
		{"nothing", "", "", false, ""},
		{"any lines before", "…\nb\n", "x\ny\nb\n", false, ""},
		{"any lines after", "a\n…\n", "a\nx\ny\n", false, ""},
		{"no lines either", "a\n…\n", "a\n", false, ""},
		{"any lines between", "a\n…\nb\n", "a\nx\nb\n", false, ""},
		{"between, not after", "a\n…\nb\n", "a\nx\nb\nc\n", false, "prints more"},
		{"any text in a line", "port …, ready\n", "port 8425, ready\n", false, ""},
		{"not over lines", "port …, ready\n", "port\n8425, ready\n", false, "does not print"},
		{"a dot is a dot", "a.b\n", "axb\n", false, "does not print"},
		{"times of a live run", "took  0.9 ms  9\n─────\n", "took  10.1 ms   9\n───────\n", true, ""},
		{"bars of a live run", "hits\n  0–50 ms 9 ▒\n50–100 ms 1\nend\n", "hits\n0–50 ms 8 ▒\nend\n", true, ""},
		{"bars of another", "hits\n  0–50 ms 9 ▒\n", "hits\n  0–50 ms 8 ▒\n", false, "does not print"},
		{"counts of a live run", "took  0.9 ms  9\n", "took  0.9 ms  8\n", true, "does not print"},
		{"times of another", "took 0.9 ms\n", "took 1.0 ms\n", false, "does not print"},
	} {
		got := docstest.Match(tt.shown, tt.got, tt.live)
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

const page = "# A page\n\n" +
	"```yaml greeting.yaml\nhello: world\n```\n\n" +
	"```console\n$ cat greeting.yaml\nhello: world\n$ echo one; \\\n> echo two >&2\none\ntwo\n$ false\n(exit code 1)\n```\n\n" +
	"```go sub/a.go\nfunc a() {}\n```\n\n" +
	"```\nanything at all\n```\n"

func check(t *testing.T, text string) (wrong []string, now string) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("a session needs sh")
	}
	module := t.TempDir()
	if err := os.MkdirAll(filepath.Join(module, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(module, "sub", "a.go"), []byte("package sub\n\nfunc a() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return docstest.Page{Text: text, Dir: t.TempDir(), Module: module}.Check()
}

func TestATruePageHolds(t *testing.T) {
	wrong, now := check(t, page)
	if len(wrong) > 0 {
		t.Errorf("wrong: %q", wrong)
	}
	if now != page {
		t.Errorf("the page changed:\n%s", now)
	}
}

func TestAnOutputMayHavePrompts(t *testing.T) {
	text := "```console\n$ printf 'a\\n$ b\\nc\\n'\na\n$ b\nc\n$ echo d\nd\n```\n"
	if wrong, now := check(t, text); len(wrong) > 0 || now != text {
		t.Errorf("wrong: %q\n%s", wrong, now)
	}
}

func TestSlowSessionsAreRunOnRequest(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("a session needs sh")
	}
	page := docstest.Page{Text: "```console slow\n$ false\n```\n", Dir: t.TempDir()}
	if wrong, now := page.Check(); len(wrong) > 0 || now != page.Text {
		t.Errorf("it was run: %q", wrong)
	}
	page.Slow = true
	if wrong, _ := page.Check(); len(wrong) != 1 {
		t.Errorf("it was not run: %q", wrong)
	}
}

func TestAWrongPageIsSeenAndMended(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"output", "one\ntwo\n$", "one\n$", "line 10: $ echo one"},
		{"cut", "one\ntwo\n$", "…\nthree\n$", "line 10: $ echo one"},
		{"exit code", "(exit code 1)\n", "", "line 14: $ false"},
		{"file", "hello: world\n```\n\n```c", "hello: you\n```\n\n```c", "line 8: $ cat greeting.yaml"},
		{"go", "func a() {}", "func b() {}", "line 19: this is not a part of sub/a.go"},
		{"language", "```\nanything", "```sh\nanything", "line 23: a block of sh is not run"},
		{"no command", "$ cat greeting.yaml\n", "", "line 8: an output without a command"},
	} {
		broken := strings.Replace(page, tt.old, tt.new, 1)
		wrong, now := check(t, broken)
		if len(wrong) != 1 || !strings.HasPrefix(wrong[0], tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, wrong, tt.want)
		}
		want := broken // what only its author can mend
		switch tt.name {
		case "output", "exit code":
			want = page
		case "file":
			want = strings.ReplaceAll(page, "hello: world", "hello: you")
		}
		if now != want {
			t.Errorf("%s: an update would make it\n%s", tt.name, now)
		}
	}
}
