package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"labctl/audit/card"
	"labctl/report"
	"labctl/scenarios"
)

// TestMain lets the test binary also be labctl, so that the scripts and the
// interrupt tests run the real program in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"labctl": main,
		"client": clientMain,
		// As on a terminal: what is being run is said on stderr.
		"labctl-watched": func() {
			s := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, progress: os.Stderr}
			os.Exit(run(interruptible(context.Background()), os.Args[1:], s))
		},
		// Its output blocks until stdin ends.
		"labctl-stuck": func() {
			s := streams{in: os.Stdin, out: stuck{os.Stdin, os.Stderr}, err: os.Stderr, progress: os.Stderr}
			os.Exit(run(interruptible(context.Background()), os.Args[1:], s))
		},
	})
}

// quickExit spares each process of a test with -race the second that it would
// wait for more races.
const quickExit = "atexit_sleep_ms=0"

// stuck is an output that says when it is written to, and then takes as long as
// its input.
type stuck struct {
	until io.Reader
	say   io.Writer
}

func (s stuck) Write(p []byte) (int, error) {
	fmt.Fprintln(s.say, "writing")
	_, err := io.Copy(io.Discard, s.until)
	return len(p), err
}

func TestScripts(t *testing.T) {
	checkout, err := filepath.Abs("../../results/check")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("BASELINES", checkout)
			e.Setenv("GORACE", quickExit)
			return nil
		},
		// Big runs in virtual time are one goroutine's work: the race detector makes
		// them ten times as long and finds nothing in them.
		Condition: func(cond string) (bool, error) {
			if cond != "race" {
				return false, fmt.Errorf("no condition %q", cond)
			}
			return underRace, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":          exits,
			"fails":          fails,
			"validate-json":  validateJSON,
			"validate-audit": validateAudit,
			"has-figures":    hasFigures,
			"is-partial":     isPartial,
			"fits":           fits,
		},
	})
}

// exits runs a command and wants this exit code: exits 1 labctl check.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND …")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("%s: exit code %d, want %d\nstderr: %s", strings.Join(args[1:], " "), code, want, ts.ReadFile("stderr"))
	}
}

// fails runs labctl and wants this exit code, this line and nothing else on
// stderr, and nothing on stdout: fails 2 'no such thing' run thing.
func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails CODE MESSAGE ARGUMENT …")
	}
	exits(ts, false, append([]string{args[0], "labctl"}, args[2:]...))
	want := "labctl: " + args[1] + "\n"
	if got := ts.ReadFile("stderr"); got != want {
		ts.Fatalf("labctl %s\n got stderr %q\nwant        %q", strings.Join(args[2:], " "), got, want)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("labctl %s: an error, and yet stdout has %q", strings.Join(args[2:], " "), out)
	}
}

// validateJSON holds a file, or stdout, against the published schema.
func validateJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: validate-json FILE")
	}
	validate(ts, report.SchemaJSON(), ts.ReadFile(args[0]))
}

func validate(ts *testscript.TestScript, schema []byte, text string) {
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("schema.json", read))
	compiled, err := c.Compile("schema.json")
	ts.Check(err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	ts.Check(err)
	ts.Check(compiled.Validate(doc))
}

// hasFigures wants every figure of the scenarios in a file of results.
func hasFigures(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: has-figures FILE")
	}
	found, err := report.ReadJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	for _, r := range found {
		s, ok := scenarios.Find(r.Scenario)
		if !ok || len(s.Figures) == 0 {
			ts.Fatalf("no scenario %q with figures", r.Scenario)
		}
		for _, f := range s.Figures {
			if !slices.ContainsFunc(r.Figures, func(g report.Figure) bool { return g.ID == f.ID }) {
				ts.Fatalf("figure %s is not in the result", f.ID)
			}
		}
	}
}

// isPartial wants a result that says it is.
func isPartial(ts *testscript.TestScript, neg bool, args []string) {
	var r report.Result
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &r))
	if r.Partial == neg {
		ts.Fatalf("partial is %v", r.Partial)
	}
}

// fits wants no line of a file wider than so many columns.
func fits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fits COLUMNS FILE")
	}
	width, err := strconv.Atoi(args[0])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > width {
			ts.Fatalf("%d columns, over %d: %s", n, width, line)
		}
	}
}

// validateAudit holds a file against the published schema of audits.
func validateAudit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: validate-audit FILE")
	}
	validate(ts, card.SchemaJSON(), ts.ReadFile(args[0]))
}
