//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"labctl/report"
	"labctl/trace"
)

// servedAt is what a node says when it serves.
var servedAt = regexp.MustCompile(`serves at (http://[\d.:]+) until`)

// network is where the processes of a test run: on loopback, or each in a namespace
// of its own.
type network struct {
	t    *testing.T
	dir  string
	file string
	in   func(host string) []string // what a command line there begins with
	addr func(host string) string   // to listen on
	urls map[string]string
	node map[string]*process
}

const hostsToken = "a-token-of-the-test"

// loopback runs nodes on this host.
func loopback(t *testing.T, lab string) *network {
	t.Helper()
	n := &network{
		t: t, dir: t.TempDir(), urls: map[string]string{}, node: map[string]*process{},
		in:   func(string) []string { return nil },
		addr: func(string) string { return "127.0.0.1:0" },
	}
	n.write(lab)
	return n
}

func (n *network) write(lab string) {
	n.t.Helper()
	n.file = filepath.Join(n.dir, "lab.yaml")
	if err := os.WriteFile(n.file, []byte(lab), 0o666); err != nil {
		n.t.Fatal(err)
	}
}

// labctl starts the program on a host.
func (n *network) labctl(host string, args ...string) *process {
	n.t.Helper()
	line := append(n.in(host), append([]string{"labctl"}, args...)...)
	return start(n.t, line[0], line[1:]...)
}

// serve starts the chain c, b, a, which is told where the next one is, and waits until
// each serves.
func (n *network) serve(args ...string) {
	n.t.Helper()
	next := ""
	for _, name := range []string{"c", "b", "a"} {
		line := append([]string{"node", "--file", n.file, "--name", name, "--listen", n.addr(name), "--token", hostsToken}, args...)
		if next != "" {
			line = append(line, "--peer", next+"="+n.urls[next])
		}
		p := n.labctl(name, line...)
		n.t.Cleanup(func() { p.Process.Signal(syscall.SIGCONT); p.Process.Kill(); p.Wait() })
		p.reads(" until Ctrl-C")
		n.urls[name], n.node[name], next = servedAt.FindStringSubmatch(string(p.said))[1], p, name
	}
}

// herd starts clients; what they saw will be in the file.
func (n *network) herd(host string, args ...string) (p *process, file string) {
	n.t.Helper()
	file = filepath.Join(n.dir, "herd-"+host+".json")
	return n.labctl(host, append([]string{"node", "--herd", "--file", n.file, "--peer", "a=" + n.urls["a"], "--tail", n.urls["c"], "-o", file}, args...)...), file
}

// collect gathers what was seen, and wants this exit code.
func (n *network) collect(host string, code int, herds ...string) report.Result {
	n.t.Helper()
	out := filepath.Join(n.dir, "result.json")
	line := []string{"collect", "--file", n.file, "--token", hostsToken, "-o", out, "--trace", n.traced(), "--quiet"}
	for name, url := range n.urls {
		line = append(line, "--node", name+"="+url)
	}
	p := n.labctl(host, append(line, herds...)...)
	p.ends()
	p.exits(code)
	data, err := os.ReadFile(out)
	if err != nil {
		n.t.Fatalf("%v; %s", err, p.said)
	}
	var r report.Result
	if err := json.Unmarshal(data, &r); err != nil {
		n.t.Fatal(err)
	}
	return r
}

// traced is the trace of the run that was collected last.
func (n *network) traced() string { return filepath.Join(n.dir, "trace.json") }

// ask asks a node of this host.
func (n *network) ask(name, path string) string {
	n.t.Helper()
	r, err := http.NewRequestWithContext(n.t.Context(), http.MethodGet, n.urls[name]+path, nil)
	if err != nil {
		n.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+hostsToken)
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		n.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		n.t.Fatal(err)
	}
	return string(body)
}

var requestsTotal = regexp.MustCompile(`labctl_node_requests_total\{service="c"\} (\d+)`)

// hits is what the tail counted.
func (n *network) hits(metrics string) int64 {
	n.t.Helper()
	found := requestsTotal.FindStringSubmatch(metrics)
	if found == nil {
		n.t.Fatalf("no count in %q", metrics)
	}
	hits, _ := strconv.ParseInt(found[1], 10, 64)
	return hits
}

// until waits for something that comes by itself.
func (n *network) until(what string, is func() bool) {
	n.t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); {
		if time.Now().After(end) {
			n.t.Fatalf("no %s within half a minute", what)
		}
	}
}

// said is the messages of a code.
func said(r report.Result, code string) string {
	var out []string
	for _, w := range r.Warnings {
		if w.Code == code {
			out = append(out, w.Message)
		}
	}
	return strings.Join(out, "\n")
}

// layers are the requests of all layers.
func layers(v report.Variant) string {
	var out []string
	for _, l := range v.Layers {
		out = append(out, strconv.FormatInt(l.Requests, 10))
	}
	return strings.Join(out, " ")
}

// layersOf are the same from the spans of a trace alone.
func layersOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	spans, err := trace.Read(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range trace.Analyze(spans).Paths {
		out = append(out, strconv.FormatInt(p.Requests, 10))
	}
	return strings.Join(out, " ")
}

// retrying is a lab whose layers make so many attempts each.
func retrying(client, a, b int, rest string) string {
	return fmt.Sprintf(`version: 1
load: {herd: {clients: 1}}
services:
  client: {calls: [{to: a%s, policies: [{retry: {attempts: %d}}]}]}
  a: {calls: [{to: b%s, policies: [{retry: {attempts: %d}}]}]}
  b: {calls: [{to: c%s, policies: [{retry: {attempts: %d}}]}]}
  c: {fault: 503}
run: {bin: 1s, seed: 1}
`, rest, client, rest, a, rest, b)
}

// counts are the attempts of the layers, and what they come to.
var counts = []struct {
	client, a, b int
	layers       string
}{
	{1, 3, 3, "1 1 3 9"},
	{1, 3, 1, "1 1 3 3"},
	{3, 3, 3, "1 3 9 27"},
}
