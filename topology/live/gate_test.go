package live_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"labctl/topology/live"
)

// No request leaves before the last connection of the herd stands, and each
// client opens exactly one.
func TestTheHerdIsHeldUntilItIsComplete(t *testing.T) {
	for net, n := range networks() {
		for _, method := range []string{"GET", "POST"} {
			const clients = 300 // more than are opened at once
			var l wireCounter
			o := run(t, lab(t, []int{1}, fmt.Sprintf("load.herd.clients=%d", clients), "load.method="+method), l.on(n))
			equal(t, net+": what callers did", l.count(), counts{openedAtFirst: clients, opened: clients, closed: l.count().closed, heads: clients})
			equal(t, net+": hits", o.Hits, clients)
			equal(t, net+": mismatch", o.warning("hits-differ-from-attempts"), "")
		}
	}
}

// Later waves use the connections of the first, and all are closed in the end.
func TestConnectionsAreUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l wireCounter
		o := run(t, lab(t, []int{3}, "load.herd.clients=50", "services.client.calls.a.retry.rest=100ms"), l.on(live.Pipe()))
		synctest.Wait()
		equal(t, "hits", o.Hits, 150)
		equal(t, "connections", l.count().opened, 50)
		equal(t, "closed", l.count().closed, 50)
	})
}

// A timeout counts from the release, however long it took to get the herd
// together.
func TestTimeoutsWaitForTheRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := wire{Network: live.Pipe(), dialled: func(_ context.Context, c net.Conn, err error) (net.Conn, error) {
			time.Sleep(time.Second)
			return c, err
		}}
		o := run(t, lab(t, []int{1}, "load.herd.clients=3", "services.a.fault=hang", "services.client.calls.a.timeout=310ms"), slow)
		equal(t, "hits", o.Hits, 3)
		equal(t, "timeouts", o.Outcomes.Timeout, 3)
		equal(t, "elapsed", o.ElapsedMS, 310)
		equal(t, "the slowest", o.LatencyMS.Max, 310)
	})
}

// Without a barrier nothing is held, and the result says so.
func TestNoBarrier(t *testing.T) {
	for net, n := range networks() {
		o := run(t, lab(t, []int{2}, "load.herd.clients=50", "load.herd.barrier=false"), n)
		equal(t, net+": hits", o.Hits, 100)
		equal(t, net+": warning", o.warning("no-barrier"),
			"the clients started without a barrier: their start-up is part of this histogram, so do not read the policy from it")
	}
}

// A connection that cannot be opened is the environment's refusal, with its
// reason, and not a herd that waits for ever.
func TestAHerdThatCannotBeOpened(t *testing.T) {
	full := errors.New("too many open files")
	for _, tt := range []struct {
		what string
		fail func(net.Conn) (net.Conn, error)
		want string
	}{
		{"the dial fails", func(c net.Conn) (net.Conn, error) { c.Close(); return nil, full },
			"cannot open the herd's connections: too many open files"},
		{"the port is closed", func(c net.Conn) (net.Conn, error) { c.Close(); return nil, syscall.ECONNREFUSED },
			"cannot open the herd's connections: connection refused"},
		{"the connection dies before the request is written",
			func(c net.Conn) (net.Conn, error) { c.Close(); return c, nil },
			"cannot open the herd's connections: io: read/write on closed pipe"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dials := 0
				n := wire{Network: live.Pipe(), dialled: func(_ context.Context, c net.Conn, err error) (net.Conn, error) {
					if dials++; dials < 5 || err != nil {
						return c, err
					}
					return tt.fail(c)
				}}
				_, _, err := live.Run(t.Context(), lab(t, []int{3}, "load.herd.clients=5"), live.Options{Net: oneByOne{n, make(chan struct{}, 1)}})
				equal(t, "error", fmt.Sprint(err), tt.want)
			})
		})
	}
}

// oneByOne lets one dial run at a time.
type oneByOne struct {
	live.Network
	turn chan struct{}
}

func (o oneByOne) Dial(ctx context.Context, addr string) (net.Conn, error) {
	o.turn <- struct{}{}
	defer func() { <-o.turn }()
	return o.Network.Dial(ctx, addr)
}

// A run that is ended while the herd gets together leaves nothing behind: no
// request was made, and every connection is closed.
func TestCancelledWhileBeingSetUp(t *testing.T) {
	for net, n := range networks() {
		for _, clients := range []int{3, 400} {
			ctx, cancel := context.WithCancel(t.Context())
			l := wireCounter{}
			o := interrupted(t, ctx, lab(t, []int{3}, fmt.Sprintf("load.herd.clients=%d", clients)), lastHangs{l.on(n), make(chan struct{}, clients-1), cancel})
			got := fmt.Sprint(o.Requests, " requests ", o.attempts(), " attempts ", o.Hits, " hits")
			equal(t, net, got, "0 requests 0 attempts 0 hits")
			equal(t, net+": requests that left", l.count().heads, 0)
			equal(t, net+": warning", o.warning("hits-differ-from-attempts"), "")
		}
	}
}

// lastHangs is a network on which the last dial of a herd hangs: it ends the
// run instead.
type lastHangs struct {
	live.Network
	seats  chan struct{}
	cancel context.CancelFunc
}

func (n lastHangs) Dial(ctx context.Context, addr string) (net.Conn, error) {
	select {
	case n.seats <- struct{}{}:
		return n.Network.Dial(ctx, addr)
	default:
		n.cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
}

// A run that was over before it began.
func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for net, n := range networks() {
		for _, barrier := range []string{"true", "false"} {
			o := interrupted(t, ctx, lab(t, []int{3}, "load.herd.clients=300", "load.herd.barrier="+barrier), n)
			equal(t, net+": mismatch", o.warning("hits-differ-from-attempts"), "")
		}
	}
}

// A run that is ended in the middle gives what it has counted so far.
func TestCancelledInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		top := lab(t, []int{3}, "load.herd.clients=20", "services.a.fault=each:503,hang", "run.until=1h")
		go func() {
			time.Sleep(70 * time.Millisecond)
			cancel()
		}()
		o := interrupted(t, ctx, top, live.Pipe())
		equal(t, "hits", o.Hits, 40)
		equal(t, "attempts", o.attempts(), 40)
		equal(t, "requests", o.Requests, 20)
		equal(t, "cancelled", o.Outcomes.Cancelled, 20)
		equal(t, "elapsed", o.ElapsedMS, 70)
		equal(t, "warning", o.warning("partial"), "interrupted: these are the hits of the first 70 ms")
	})

	// Over TCP the instant is the machine's; the 40th request may or may not arrive.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l := wireCounter{left: func(heads int) {
		if heads == 40 {
			cancel()
		}
	}}
	o := interrupted(t, ctx, lab(t, []int{3}, "load.herd.clients=20", "services.a.fault=each:503,hang", "run.until=1h"), l.on(live.TCP()))
	if o.Hits < 20 || o.Hits > 40 {
		t.Errorf("%d hits: each client made one attempt for sure, and none three", o.Hits)
	}
	equal(t, "mismatch", o.warning("hits-differ-from-attempts"), "")
}

// Runs give their descriptors back. One that each kept would be 20.
func TestDescriptorsComeBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts the entries of /proc/self/fd")
	}
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	top := lab(t, []int{2, 2}, "load.herd.clients=5", "services.b.fault=503x3,reset,ok")
	run(t, top, live.TCP()) // what the process opens once, such as its poller
	before := open()
	for range 20 {
		run(t, top, live.TCP())
	}
	if after := open(); after >= before+20 {
		t.Errorf("%d descriptors were open before 20 runs, %d after", before, after)
	}
}
