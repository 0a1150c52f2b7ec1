package scenarios_test

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/live"
)

// late is a network on which every answer takes its time, as on a machine that
// is busy with other things. Inside a bubble the time is exact.
type late struct {
	live.Network
	by time.Duration
}

func (n late) Dial(ctx context.Context, addr string) (net.Conn, error) {
	conn, err := n.Network.Dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	return &lateConn{Conn: conn, by: n.by, closed: make(chan struct{})}, nil
}

type lateConn struct {
	net.Conn
	by     time.Duration
	once   sync.Once
	closed chan struct{}
}

func (c *lateConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 && c.by > 0 {
		select {
		case <-time.After(c.by):
		case <-c.closed:
		}
	}
	return n, err
}

func (c *lateConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// A run that keeps the ideal time says so; one that does not says that the
// machine shaped its histogram, and how late the hits came.
func TestShadowSeesALateMachine(t *testing.T) {
	p := plan(t, "jitter-herd", scenarios.Overrides{Set: []topology.Setting{{Path: "load.herd.clients", Value: "10"}}})
	for _, tt := range []struct {
		by       time.Duration
		max      float64
		doubtful bool
	}{
		{0, 0, false},
		{12 * time.Millisecond, 24, false}, // two answers late: less than half a bin
		{40 * time.Millisecond, 80, true},
	} {
		var r report.Result
		synctest.Test(t, func(t *testing.T) { r = run(t, p, late{live.Pipe(), tt.by}) })
		fixed := variant(t, r, "fixed")
		if d := fixed.DriftMS; d == nil || d.Max != tt.max || d.Unmatched != 0 || d.FirstWaveSpread != 0 {
			t.Errorf("answers late by %v: drift %+v, want a largest of %v ms and no hit without a partner", tt.by, d, tt.max)
		}
		if want := []int64{10, 0, 10, 0, 10}; !slices.Equal(fixed.IdealBins, want) {
			t.Errorf("answers late by %v: ideal bins %v, want %v whatever the machine does", tt.by, fixed.IdealBins, want)
		}
		said := strings.Contains(warnings(r), "drift-over-half-bin")
		if said != tt.doubtful {
			t.Errorf("answers late by %v: doubtful %v, want %v:\n%s", tt.by, said, tt.doubtful, messages(r))
		}
	}
}

// A timeout that the machine's time runs into changes what happens, and the
// shadow knows that it should not have.
func TestShadowSeesWhatTimeChanged(t *testing.T) {
	p := plan(t, "retry-filter", scenarios.Overrides{Set: []topology.Setting{
		{Path: "services.a.fault", Value: "ok"}, {Path: "services.client.calls.a.timeout", Value: "20ms"},
	}})
	var r report.Result
	synctest.Test(t, func(t *testing.T) { r = run(t, p, late{live.Pipe(), 30 * time.Millisecond}) })
	if got := warnings(r); !strings.Contains(got, "shadow-differs") {
		t.Errorf("an answer that came after the timeout: %s\n%s", got, messages(r))
	}
}
