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

func (c *caller) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	conn, err := c.lab.net.Dial(ctx, addr)
	path, _ := ctx.Value(pathKey{}).(string)
	if errors.Is(err, syscall.ECONNREFUSED) {
		c.mu.Lock()
		c.refused = append(c.refused, refusal{path, c.lab.clock.since()})
		c.mu.Unlock()
	}
	s, waits := ctx.Value(startKey{}).(*start)
	switch {
	case err != nil && waits && c.lab.ctx.Err() == nil:
		c.lab.fail(err) // the herd would wait for this client for ever
		return nil, err
	case err != nil || !waits:
		return conn, err
	}
	return s.gate.wrap(conn, s.delay), nil
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
			"User-Agent":           {"labctl"},
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
// policy gets to see the failure. Nothing of it goes over the wire.
type once struct{}

func (once) Read([]byte) (int, error) { return 0, io.EOF }
func (once) Close() error             { return nil }
