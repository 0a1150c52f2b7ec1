//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// second is the run of layers whose retries rest: the first has ended by then,
// and this one does not end by itself.
const second = "layers: 3 (2 of 4)"

// longRun is a command that reaches the marker and then rests for ten minutes.
func longRun(args ...string) []string { return append(args, "--rest", "10m") }

// process is labctl as another process, with what it has said so far.
type process struct {
	*exec.Cmd
	t      *testing.T
	stdin  io.WriteCloser
	stdout bytes.Buffer
	stderr io.Reader
	said   []byte
}

func start(t *testing.T, program string, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // against a hang, not for the test
	t.Cleanup(cancel)
	p := &process{Cmd: exec.CommandContext(ctx, program, args...), t: t}
	p.Dir = t.TempDir()
	p.Env = append(os.Environ(), "GORACE="+quickExit)
	p.Stdout = &p.stdout
	var err error
	if p.stderr, err = p.StderrPipe(); err != nil {
		t.Fatal(err)
	}
	if p.stdin, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// reads waits until stderr has said the marker.
func (p *process) reads(marker string) {
	p.t.Helper()
	buf := make([]byte, 256)
	for !bytes.Contains(p.said, []byte(marker)) {
		n, err := p.stderr.Read(buf)
		p.said = append(p.said, buf[:n]...)
		if err != nil {
			p.t.Fatalf("never said %q: %v, but %q", marker, err, p.said)
		}
	}
}

func (p *process) interrupt(s os.Signal) {
	p.t.Helper()
	if err := p.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// ends waits for the process and returns the rest of stderr.
func (p *process) ends() (lastLine string) {
	p.t.Helper()
	rest, err := io.ReadAll(p.stderr)
	if err != nil {
		p.t.Fatal(err)
	}
	p.said = append(p.said, rest...)
	_ = p.Wait() // the state says how it ended
	said := strings.TrimSpace(string(p.said))
	return said[strings.LastIndexAny(said, "\n\r")+1:]
}

func (p *process) exits(want int) {
	p.t.Helper()
	if got := p.ProcessState.ExitCode(); got != want {
		p.t.Errorf("%v, want exit code %d; stderr: %q", p.ProcessState, want, p.said)
	}
}

func (p *process) said130(last, want string) {
	p.t.Helper()
	p.exits(exitInterrupted)
	if got := strings.TrimPrefix(last, "\x1b[K"); got != want {
		p.t.Errorf("the last line is %q, want %q", got, want)
	}
}

func TestInterruptPrintsWhatWasMeasured(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			p := start(t, "labctl-watched", longRun("run", "layers", "nested-retry")...)
			p.reads(second)
			p.interrupt(s)
			p.said130(p.ends(), "labctl: interrupted")
			out := p.stdout.String()
			for _, want := range []string{"\n1 ", "\n3 (!) ", "\npartial: interrupted, these are the numbers"} {
				if !strings.Contains(out, want) {
					t.Errorf("the table lacks %q:\n%s", want, out)
				}
			}
			for _, not := range []string{"\n9 ", "nested-retry", "published figures"} {
				if strings.Contains(out, not) {
					t.Errorf("the table has %q:\n%s", not, out)
				}
			}
		})
	}
}

// What was watched is off the terminal before the result is there, and the cursor is
// back.
func TestInterruptedWatchLeavesTheScreen(t *testing.T) {
	t.Parallel()
	p := start(t, "labctl-watched", longRun("run", "layers", "--watch")...)
	p.reads(enterScreen)
	p.interrupt(os.Interrupt)
	p.said130(p.ends(), "labctl: interrupted")
	if !strings.Contains(p.stdout.String(), "\npartial: interrupted") {
		t.Errorf("stdout: %q", p.stdout.String())
	}
	term := newTerminal("$ labctl")
	_, _ = term.Write(p.said)
	if term.alternate || term.hidden || term.nowrap || strings.Contains(term.shows(), "in flight") {
		t.Errorf("cursor hidden %v, wrap off %v, the screen shows\n%s", term.hidden, term.nowrap, term.shows())
	}
}

func TestInterruptedFileIsMarkedPartial(t *testing.T) {
	t.Parallel()
	p := start(t, "labctl-watched", longRun("run", "layers", "-o", "r.json")...)
	p.reads(second)
	p.interrupt(syscall.SIGTERM)
	p.said130(p.ends(), "labctl: interrupted: r.json holds what was measured so far, marked partial")
	if p.stdout.Len() > 0 {
		t.Errorf("stdout has %q", p.stdout.String())
	}
	found, err := readResults(filepath.Join(p.Dir, "r.json"))
	if err != nil {
		t.Fatal(err)
	}
	if r := found[0]; !r.Partial || len(r.Variants) != 2 || r.Variants[0].Hits != 1 {
		t.Errorf("partial %v, variants %+v", r.Partial, r.Variants)
	}
	if names, _ := filepath.Glob(filepath.Join(p.Dir, ".labctl-*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// An interrupted check compares nothing of the half run, whose counts differ
// from any baseline.
func TestInterruptedCheck(t *testing.T) {
	t.Parallel()
	p := start(t, "labctl-watched", longRun("check", "retry-filter", "layers", "--set", "services.client.calls.a.retry.rest=0")...)
	p.reads(second)
	p.interrupt(syscall.SIGTERM)
	p.said130(p.ends(), "labctl: interrupted: 1 of 2 scenarios were checked")
	if out := p.stdout.String(); !strings.HasPrefix(out, "ok   retry-filter") || strings.Contains(out, "layers") {
		t.Errorf("stdout: %q", out)
	}
}

// While the first interrupt is being obeyed, a second one kills. The output of
// this process never ends.
func TestSecondInterruptKills(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			if signal.Ignored(s) {
				t.Skip("started with this signal ignored, which its children inherit")
			}
			t.Parallel()
			p := start(t, "labctl-stuck", longRun("run", "layers")...)
			p.reads(second)
			p.interrupt(s)
			p.reads("writing")
			p.interrupt(s)
			p.ends()
			if status := p.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != s {
				t.Errorf("%v, want to be killed by %v", p.ProcessState, s)
			}
		})
	}
}
