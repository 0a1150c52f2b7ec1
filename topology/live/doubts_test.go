package live_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"labctl/topology/live"
)

// A machine that stalls while the herd arrives shapes the histogram, and the
// result says so.
func TestAStallIsSeen(t *testing.T) {
	for _, tt := range []struct {
		what    string
		stall   time.Duration
		warning string
	}{
		{"half a bin is tolerated", 25 * time.Millisecond, ""},
		{"more is not", 26 * time.Millisecond,
			"the first wave took 26.0 ms to arrive, over half a bin of 50ms more than it was meant to: the release, not the policy, shaped this histogram"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var accepted atomic.Int32
				n := wire{Network: live.Pipe(), accepted: func(c net.Conn) net.Conn {
					if accepted.Add(1)%2 == 0 {
						return c
					}
					return &stalledConn{Conn: c, stall: tt.stall}
				}}
				o := run(t, lab(t, []int{1}, "load.herd.clients=20"), n)
				equal(t, "hits", o.Hits, 20)
				equal(t, "spread of the first wave", o.SpreadMS.FirstWave, float64(tt.stall.Milliseconds()))
				equal(t, "spread at the gate", o.SpreadMS.Issue, 0)
				equal(t, "warning", o.warning("spread-over-half-bin"), tt.warning)
			})
		})
	}
}

// stalledConn hands on the last byte of a request too late: it is the one that
// comes alone.
type stalledConn struct {
	net.Conn
	stall time.Duration
}

func (c *stalledConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n == 1 && p[0] == '\n' {
		time.Sleep(c.stall)
	}
	return n, err
}

// Something between a caller and its service that sends requests again, or
// swallows them, shows in the counts.
func TestHitsThatDifferFromAttempts(t *testing.T) {
	for _, tt := range []struct {
		what  string
		spoil func(context.Context, live.Network, string) (net.Conn, error)
		hits  int64
		want  string
	}{
		{"nothing between", func(ctx context.Context, n live.Network, addr string) (net.Conn, error) { return n.Dial(ctx, addr) }, 4, ""},
		{"a proxy that sends everything twice", sendsTwice, 8,
			"client made 4 attempts but a counted 8 hits: 4 were sent again behind the policy's back"},
		{"a proxy that answers by itself", answersItself, 0,
			"client made 4 attempts but a counted 0 hits: 4 never arrived"},
	} {
		for net, n := range networks() {
			o := run(t, lab(t, []int{2}, "load.herd.clients=2"), spoiled{n, tt.spoil})
			equal(t, tt.what+" over "+net+": attempts", o.attempts(), 4)
			equal(t, tt.what+" over "+net+": hits", o.Hits, tt.hits)
			equal(t, tt.what+" over "+net+": warning", o.warning("hits-differ-from-attempts"), tt.want)
		}
	}
}

// spoiled is a network with something in between.
type spoiled struct {
	live.Network
	spoil func(context.Context, live.Network, string) (net.Conn, error)
}

func (s spoiled) Dial(ctx context.Context, addr string) (net.Conn, error) {
	return s.spoil(ctx, s.Network, addr)
}

// sendsTwice sends each request ahead on a connection of its own and reads that
// answer to its end.
func sendsTwice(ctx context.Context, n live.Network, addr string) (net.Conn, error) {
	return between(func(request *http.Request) (*http.Response, error) {
		var answer *http.Response
		for range 2 {
			conn, err := n.Dial(context.WithoutCancel(ctx), addr)
			if err != nil {
				return nil, err
			}
			defer conn.Close()
			if err := request.Write(conn); err != nil {
				return nil, err
			}
			if answer, err = http.ReadResponse(bufio.NewReader(conn), request); err != nil {
				return nil, err
			}
			io.Copy(io.Discard, answer.Body)
		}
		return &http.Response{StatusCode: answer.StatusCode, ProtoMajor: 1, ProtoMinor: 1}, nil
	}), nil
}

func answersItself(context.Context, live.Network, string) (net.Conn, error) {
	return between(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 503, ProtoMajor: 1, ProtoMinor: 1}, nil
	}), nil
}

// between is a connection to a proxy.
func between(answer func(*http.Request) (*http.Response, error)) net.Conn {
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		in := bufio.NewReader(theirs)
		for {
			request, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			response, err := answer(request)
			if err != nil || response.Write(theirs) != nil {
				return
			}
		}
	}()
	return ours
}

// A dial that fails in the middle of a run is no closed port: the attempts that
// it cost are missing, and the result says why.
func TestDialsThatFailLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int32
		n := wire{Network: live.Pipe(), dialled: func(_ context.Context, c net.Conn, err error) (net.Conn, error) {
			if dials.Add(1) == 1 {
				return c, err
			}
			c.Close()
			return nil, io.ErrNoProgress
		}}
		o := run(t, lab(t, []int{3}, "services.a.fault=503+close"), n)
		equal(t, "hits", o.Hits, 1)
		equal(t, "warning", o.warning("hits-differ-from-attempts"),
			"client made 3 attempts but a counted 1 hits: 2 never arrived (multiple Read calls return no data or error)")
		equal(t, "refused", o.warning("refused-not-counted"), "")
	})
}

// A dial that the end of the run cut short has found no closed port.
func TestDialsThatTheEndCuts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := wire{Network: live.Pipe(), dialled: func(ctx context.Context, c net.Conn, err error) (net.Conn, error) {
			c.Close()
			<-ctx.Done()
			return nil, syscall.ECONNREFUSED
		}}
		o := run(t, lab(t, []int{3}, "load.herd.barrier=false", "run.until=50ms"), n)
		equal(t, "hits", o.Hits, 0)
		equal(t, "refused", o.warning("refused-not-counted"), "")
		equal(t, "mismatch", o.warning("hits-differ-from-attempts"), "")
		equal(t, "cut", o.warning("cut"), "the run was cut at 50ms with 1 requests in flight")
	})
}

// A histogram of one bin says nothing about time.
func TestABinLongerThanTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := lab(t, []int{1}, "load.herd.clients=2", "services.a.fault=ok+delay=60ms")
		equal(t, "50 ms", run(t, slow, live.Pipe()).warning("bin-longer-than-run"), "")
		equal(t, "1 s", run(t, change(t, slow, "run.bin=1s"), live.Pipe()).warning("bin-longer-than-run"),
			"a bin of 1s is longer than the whole run of 60.0 ms, so all hits are in one: choose a smaller --bin")
	})
}
