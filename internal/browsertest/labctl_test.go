package browsertest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// result is what these tests need to know of labctl's JSON.
type result struct {
	Variants     []variant `json:"variants"`
	Expectations []struct {
		Pass bool `json:"pass"`
	} `json:"expectations"`
}

type variant struct {
	Name          string  `json:"name"`
	Engine        string  `json:"engine"`
	Requests      int64   `json:"requests"`
	Hits          int64   `json:"hits"`
	Amplification float64 `json:"amplification"`
	FirstWave     int64   `json:"first_wave"`
	Peak          int64   `json:"peak"`
	RetryPeak     int64   `json:"retry_peak"`
	Bins          []int64 `json:"bins"`
	RetryBins     []int64 `json:"retry_bins"`
}

// shell runs a line as somebody would who has labctl installed, in a directory.
func shell(t *testing.T, dir, line string) []byte {
	t.Helper()
	needBrowser(t)
	c := exec.CommandContext(t.Context(), "sh", "-c", line)
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr = &out, &problems
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, problems.String())
	}
	return out.Bytes()
}

// simulated is what a command that was copied from the page comes to.
func simulated(t *testing.T, dir, command string) result {
	t.Helper()
	var r result
	if err := json.Unmarshal(shell(t, dir, command+" --format json"), &r); err != nil || len(r.Variants) == 0 {
		t.Fatalf("%s: %v, %d variants", command, err, len(r.Variants))
	}
	return r
}

// report makes a report of files and returns its address.
func report(t *testing.T, files ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report.html")
	var words []string
	for _, f := range files {
		path, err := filepath.Abs(f)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, "'"+path+"'")
	}
	shell(t, ".", "labctl report "+strings.Join(words, " ")+" -o '"+out+"'")
	return "file://" + out
}

// serve starts labctl ui and returns the page's address.
func serve(t *testing.T) string {
	t.Helper()
	needBrowser(t)
	c := exec.CommandContext(t.Context(), filepath.Join(bin, "labctl"), "ui", "--no-open")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	t.Cleanup(func() { _ = c.Wait() }) // the test's context has ended by then, and with it the page
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}
