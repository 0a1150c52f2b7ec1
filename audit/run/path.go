package run

import (
	"context"
	"net/url"
	"strings"
	"time"

	"labctl/audit"
	"labctl/audit/proxy"
	"labctl/audit/tail"
	"labctl/audit/tap"
)

// Path is what lies between the caller and the tail; the zero Path is nothing.
type Path struct {
	Proxies []Proxy // outermost first; each trial has its own, with no memory of another

	// Through is a proxy that runs already, whose upstreams are Upstreams. Its trials go
	// one after the other, and what it remembers of one may change the next.
	Through   string
	Upstreams []string

	taps bool // count in front of each proxy and of the tail
}

// A Proxy is one that is started for a trial.
type Proxy struct {
	Recipe  proxy.Recipe
	Options map[string]string
}

// alone reports whether trials share something, so that there can be one at a time.
func (p Path) alone() bool { return p.Through != "" }

// A passage is the way from the caller to the tail of one trial.
type passage struct {
	url     string
	tail    *tail.Tail
	taps    []*tap.Tap // outermost first, the last in front of the tail
	proxies []*proxy.Running
	closed  bool
	err     error
}

// open builds a passage from the tail to the caller.
func (p Path) open(ctx context.Context, f audit.Fault, program string) (*passage, error) {
	t, err := tail.Open(tail.Plan{Program: program, Blackhole: f.Blackhole, Addrs: p.Upstreams})
	if err != nil {
		return nil, err
	}
	way := &passage{url: t.URL(), tail: t}
	if p.Through != "" {
		way.url = p.Through
		return way, nil
	}
	if err := way.lead(ctx, p, f); err != nil {
		way.close()
		return nil, err
	}
	return way, nil
}

// lead puts taps and proxies in front of the tail, innermost first. A port that nobody
// listens on has no tap: that would accept.
func (w *passage) lead(ctx context.Context, p Path, f audit.Fault) error {
	if !f.NeverConnects() {
		if err := w.tap(p); err != nil {
			return err
		}
	}
	for i := range p.Proxies {
		next := p.Proxies[len(p.Proxies)-1-i]
		running, err := proxy.Start(ctx, next.Recipe, proxy.Setup{Upstreams: []string{hostOf(w.url)}, Options: next.Options})
		if err != nil {
			return err
		}
		w.proxies = append(w.proxies, running)
		w.url = running.URL + "/"
		if err := w.tap(p); err != nil {
			return err
		}
	}
	return nil
}

func (w *passage) tap(p Path) error {
	if !p.taps {
		return nil
	}
	t, err := tap.Open(hostOf(w.url))
	if err != nil {
		return err
	}
	w.taps = append([]*tap.Tap{t}, w.taps...)
	w.url = t.URL() + "/"
	return nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return strings.Trim(strings.TrimPrefix(address, "http:"), "/")
	}
	return u.Host
}

// quiet is how long nothing must arrive behind a proxy until its work counts as done, and
// patience how long that is waited for: it may go on after its caller has left.
const (
	quiet    = 300 * time.Millisecond
	patience = 10 * time.Second
)

// settle waits until proxies are done. A command that has ended needs no waiting: nothing
// of it is left.
func (w *passage) settle(ctx context.Context, p Path) {
	if len(w.proxies) == 0 && p.Through == "" {
		return
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for seen := -1; ; {
		hits := len(w.tail.Hits())
		if hits == seen {
			return
		}
		seen = hits
		select {
		case <-time.After(quiet):
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// close ends everything, outermost first, so that nobody sees the one behind it fail. Its
// error is the same each time.
func (w *passage) close() error {
	if w.closed {
		return w.err
	}
	w.closed = true
	for i := range w.proxies {
		w.proxies[len(w.proxies)-1-i].Stop()
	}
	for _, t := range w.taps {
		t.Close()
	}
	w.err = w.tail.Close()
	return w.err
}
