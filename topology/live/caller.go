package live

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"syscall"
	"time"

	"labctl/faultserver"
	"labctl/topology"
	"labctl/topology/policy"
)

// caller sends the attempts of one edge: one transport for all replicas, as many
// connections as there are calls at once.
type caller struct {
	lab       *lab
	sender    *topology.Service
	latency   topology.Distribution
	addrs     []string // of the replicas
	requests  [][]*http.Request
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
	path    string
	route   uint8
	replica int16
	at      time.Duration
}

func newCaller(l *lab, from *topology.Service, call *topology.Call, to *service, most int64) *caller {
	c := &caller{lab: l, sender: from, latency: call.Latency}
	for _, r := range to.replicas {
		c.addrs = append(c.addrs, r.addr)
		c.requests = append(c.requests, blanks(r.addr, l.routes))
	}
	c.transport = &http.Transport{
		DialContext:         c.dial,
		MaxIdleConnsPerHost: int(min(most, topology.MaxHits)), // the default of 2 would dial anew for every later wave
		DisableCompression:  true,
	}
	if l.part != nil {
		c.transport.ResponseHeaderTimeout = l.part.patience
	}
	return c
}

// blanks are the requests of all routes to a replica, to be filled in.
func blanks(addr string, routes []string) []*http.Request {
	var out []*http.Request
	for _, route := range routes {
		out = append(out, &http.Request{
			URL: &url.URL{Scheme: "http", Host: addr, Path: route}, Host: addr,
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Body: once{}, TransferEncoding: identity,
		})
	}
	return out
}

// dial opens a connection. A transport goes on dialling when the request that
// wanted the connection has gone, but not beyond the end of the lab.
func (c *caller) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	if !c.begin() {
		return nil, net.ErrClosed
	}
	defer c.dials.Done()
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(c.lab.ctx, stop)()

	conn, err := c.lab.net.Dial(ctx, addr)
	if err != nil {
		c.note(a, err)
		return nil, err
	}
	if a != nil && a.start != nil {
		return a.start.gate.wrap(conn, a.start), nil
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
func (c *caller) note(a *attempt, err error) {
	if c.lab.ctx.Err() != nil || a == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		c.refused = append(c.refused, refusal{a.path, a.route, a.host, c.lab.clock.since()})
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

// roundTrip sends one attempt and reads its answer to the end. The network takes
// its time on the way there and back.
func (c *caller) roundTrip(a *attempt) policy.Outcome {
	if c.latency.IsZero() {
		return c.exchange(a)
	}
	there, back := c.latency.Draw(a.luck.Draw(policy.ForRequest)), c.latency.Draw(a.luck.Draw(policy.ForAnswer))
	if a.start == nil && !pause(a, there) { // the gate adds it to what it holds back
		return policy.Failed(policy.Cancelled)
	}
	o := c.exchange(a)
	if !pause(a, back) {
		return policy.Failed(policy.Cancelled)
	}
	return o
}

func (c *caller) exchange(a *attempt) policy.Outcome {
	resp, err := c.transport.RoundTrip(c.newRequest(a))
	if err == nil {
		err = drainAnswer(resp)
	}
	if err != nil {
		if a.Err() != nil {
			return policy.Failed(policy.Cancelled)
		}
		if a.start != nil && !c.lab.clock.started() {
			c.lab.fail(err) // the herd would wait for this client for ever
		}
		return classify(err)
	}
	return c.outcome(resp)
}

func drainAnswer(resp *http.Response) (err error) {
	if resp.Body != http.NoBody {
		_, err = io.Copy(io.Discard, resp.Body)
	}
	resp.Body.Close()
	return err
}

// outcome is what a policy gets to see of an answer. A date in it is read by the
// caller's clock.
func (c *caller) outcome(resp *http.Response) policy.Outcome {
	switch {
	case header(resp.Header, degradedHeader) != "":
		return policy.Failed(policy.Degraded)
	case header(resp.Header, droppedHeader) == whyGone:
		return policy.Failed(policy.Rejected)
	case header(resp.Header, droppedHeader) == whyLate:
		return policy.Failed(policy.Timeout)
	}
	o := policy.Status(resp.StatusCode)
	if text := header(resp.Header, "Retry-After"); text != "" {
		if after, ok := policy.ParseRetryAfter(text, time.Now().Add(c.sender.Skew)); ok {
			o.After = after
		}
	}
	return o
}

func (c *caller) newRequest(a *attempt) *http.Request {
	req := c.requests[a.host][a.route].WithContext(a)
	req.Method = a.method
	req.Header = http.Header{
		faultserver.PathHeader: {a.path},
		"User-Agent":           none, // each header costs the sharpness of the release
	}
	if a.number > 1 {
		req.Header[faultserver.AttemptHeader] = []string{strconv.Itoa(int(a.number))}
	}
	if a.key != "" {
		req.Header[keyHeader] = []string{a.key}
	}
	if c.lab.part != nil && c.lab.clock.started() {
		req.Header[sinceHeader] = []string{c.lab.clock.since().String()}
	}
	if a.deadline.Mode != policy.Kept {
		req.Header[deadlineHeader] = []string{formatDeadline(sentBy(c.sender, a.deadline))}
	}
	return req
}

var none = []string{""}

// once is an empty body that cannot be rewound. A transport sends a request
// again by itself when a reused connection dies before the answer and the body,
// if any, can be read again (golang/go#19943); with this one it cannot, and the
// policy gets to see the failure. Its encoding, which says nothing on the wire,
// keeps the transport from asking the body in a goroutine of its own whether
// there is one, and WriteTo keeps it from making a buffer to copy with.
type once struct{}

func (once) Read([]byte) (int, error)         { return 0, io.EOF }
func (once) WriteTo(io.Writer) (int64, error) { return 0, nil }
func (once) Close() error                     { return nil }

var identity = []string{"identity"}
