package control_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"labctl/faultserver/control"
)

// busy is a Handler with something in every metric, and with a path that needs escapes.
func busy(t *testing.T) *control.Handler {
	t.Helper()
	h := handler(t, control.Config{
		Program: parse("503,ok"), IDs: 1, Keep: 6,
		Paths: []control.PathProgram{{Prefix: `/a"b\c`}},
	})
	for _, path := range []string{"/", "/", "/", "/p/a", "/p/b", "/a%22b%5Cc/x"} {
		status(h, path)
	}
	return h
}

const busyMetrics = `counter labctl_tail_connections_api_total [] 1
counter labctl_tail_connections_evicted_total [] 0
counter labctl_tail_connections_refused_total [] 0
counter labctl_tail_connections_total [] 0
counter labctl_tail_cut_short_total [probe="/a\"b\\c"] 0
counter labctl_tail_cut_short_total [probe="a"] 0
counter labctl_tail_cut_short_total [probe="default"] 0
counter labctl_tail_dropped_total [probe="/a\"b\\c"] 0
counter labctl_tail_dropped_total [probe="a"] 0
counter labctl_tail_dropped_total [probe="default"] 2
counter labctl_tail_effects_total [probe="/a\"b\\c"] 1
counter labctl_tail_effects_total [probe="a"] 0
counter labctl_tail_effects_total [probe="default"] 2
counter labctl_tail_ids_refused_total [] 1
counter labctl_tail_requests_total [probe="/a\"b\\c" connection="fresh" kind="ok"] 1
counter labctl_tail_requests_total [probe="/a\"b\\c" connection="reused" kind="ok"] 0
counter labctl_tail_requests_total [probe="a" connection="fresh" kind="status"] 1
counter labctl_tail_requests_total [probe="a" connection="reused" kind="status"] 0
counter labctl_tail_requests_total [probe="default" connection="fresh" kind="ok"] 2
counter labctl_tail_requests_total [probe="default" connection="fresh" kind="status"] 1
counter labctl_tail_requests_total [probe="default" connection="reused" kind="ok"] 0
counter labctl_tail_requests_total [probe="default" connection="reused" kind="status"] 0
gauge labctl_tail_connections_open [] 0
gauge labctl_tail_ids [] 1
`

// Prometheus' own parser understands the metrics. It is a module of its own, which is not
// fetched here.
func TestPrometheusReadsMetrics(t *testing.T) {
	w := do(busy(t), "GET", "/-/metrics", "")
	equal(t, "content type", w.Header().Get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8")
	if testing.Short() {
		t.Skip("builds another module")
	}
	run := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = "testdata/expfmt"
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOSUMDB=off", "GOFLAGS=-mod=readonly")
		return cmd
	}
	if out, err := run("list", "-deps", ".").CombinedOutput(); err != nil {
		t.Skipf("the parser is not here: run go mod download in faultserver/control/testdata/expfmt: %s", out)
	}
	cmd := run("run", ".")
	cmd.Stdin = strings.NewReader(w.Body.String())
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != busyMetrics {
		t.Errorf("%v: understood\n%s\nof\n%s\nwant\n%s", err, out, w.Body, busyMetrics)
	}
}
