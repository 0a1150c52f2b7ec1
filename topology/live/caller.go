package live

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"syscall"
	"time"

	"labctl/faultserver"
	"labctl/topology/policy"
)

// caller sends the attempts of one edge: one transport, as many connections as
// there are calls at once.
type caller struct {
	lab       *lab
	addr      string
	url       *url.URL
	transport *http.Transport

	mu      sync.Mutex
	refused []refusal
	failed  error          // the first dial that failed in another way
	dials   sync.WaitGroup // in progress
	closed  bool           // none begins any more
}

// refusal is an attempt that found a closed port. Nothing behind a closed port
// can count it, so the dial does.
type refusal struct {
	path string
	at   time.Duration
}

func newCaller(l *lab, to *service) *caller {
	c := &caller{lab: l, addr: to.addr, url: &url.URL{Scheme: "http", Host: to.addr, Path: "/"}}
	c.transport = &http.Transport{
		DialContext:         c.dial,
		MaxIdleConnsPerHost: l.topo.Load.Herd.Clients, // the default of 2 would dial anew for every later wave
		DisableCompression:  true,
	}
	return c
}

// startKey finds a request's start in the context that the transport dials with.
type startKey struct{}

// dial opens a connection. A transport goes on dialling when the request that
// wanted the connection has gone, but not beyond the end of the lab.
func (c *caller) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	if !c.begin() {
		return nil, net.ErrClosed
	}
	defer c.dials.Done()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(c.lab.ctx, stop)()

	conn, err := c.lab.net.Dial(ctx, addr)
	if err != nil {
		c.note(ctx, err)
		return nil, err
	}
	if s, waits := ctx.Value(startKey{}).(*start); waits {
		return s.gate.wrap(conn, s.delay), nil
	}
	return conn, nil
}

func (c *caller) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.dials.Add(1)
	return true
}

// note keeps what a dial met, unless it was the end of the lab.
func (c *caller) note(ctx context.Context, err error) {
	if c.lab.ctx.Err() != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch path, _ := ctx.Value(pathKey{}).(string); {
	case errors.Is(err, syscall.ECONNREFUSED):
		c.refused = append(c.refused, refusal{path, c.lab.clock.since()})
	case c.failed == nil:
		c.failed = err
	}
}

// close ends what attempts leave behind: dials, and connections without use.
func (c *caller) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.dials.Wait()
	c.transport.CloseIdleConnections()
}

type pathKey struct{}

// roundTrip sends one attempt and reads its answer to the end.
func (c *caller) roundTrip(ctx context.Context, r request) policy.Outcome {
	ctx = context.WithValue(ctx, pathKey{}, r.path)
	if r.start != nil {
		ctx = context.WithValue(ctx, startKey{}, r.start)
	}
	resp, err := c.transport.RoundTrip(c.newRequest(ctx, r))
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	if err != nil {
		if ctx.Err() != nil {
			return policy.Failed(policy.Cancelled)
		}
		if r.start != nil && !c.lab.clock.started() {
			c.lab.fail(err) // the herd would wait for this client for ever
		}
		return classify(err)
	}
	return policy.Status(resp.StatusCode)
}

func (c *caller) newRequest(ctx context.Context, r request) *http.Request {
	req := &http.Request{
		Method: r.method, URL: c.url, Host: c.addr,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			faultserver.PathHeader: {r.path},
			"User-Agent":           {""}, // none: each header costs the sharpness of the release
		},
		Body: once{},
	}
	if r.key != "" {
		req.Header[keyHeader] = []string{r.key}
	}
	return req.WithContext(ctx)
}

// once is an empty body that cannot be rewound. A transport sends a request
// again by itself when a reused connection dies before the answer and the body,
// if any, can be read again (golang/go#19943); with this one it cannot, and the
// policy gets to see the failure. A GET goes out without a body all the same; a
// POST, PUT or PATCH says that an empty one follows.
type once struct{}

func (once) Read([]byte) (int, error) { return 0, io.EOF }
func (once) Close() error             { return nil }
