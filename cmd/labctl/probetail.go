package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"labctl/audit"
	"labctl/audit/infer"
	"labctl/faultserver"
	"labctl/faultserver/program"
)

// probeTail is where the hits are counted.
type probeTail interface {
	where() string
	program() string                       // of its faults
	forget(context.Context) error          // what was counted so far
	glance(context.Context) (sight, error) // the count, and whether a hit is in progress
	look(context.Context) (sight, error)   // all of it
	pace() time.Duration                   // between two glances
	close()
}

// sight is what a tail counted.
type sight struct {
	count   int
	busy    bool
	hits    []audit.Hit
	targets []string // "GET /orders", each once, at most a few
	met     []string // what the program had for them, each once: "503", "reset", "ok"
}

// probeKeep is how many hits are kept in detail.
const probeKeep = 100_000

// unwrapURL drops the method and URL from an error of the HTTP client: they were typed.
func unwrapURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func (f *probeFlags) open(ctx context.Context, faultSaid bool) (probeTail, error) {
	p, err := program.Parse(f.fault)
	if err != nil {
		return nil, fmt.Errorf("--fault: %w", err)
	}
	if f.tail != "" {
		return openRemote(ctx, f.tail, remoteToken(f.token), f.fault, faultSaid)
	}
	if p.Refuses() {
		return nil, errors.New("--fault: refused connections cannot be counted: write reset for connections that die")
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return nil, fmt.Errorf("%w; if that is a labctl serve, count there: --tail http://%s", cannotListen(f.listen, err), f.listen)
	}
	var names []string
	for _, n := range faultserver.AttemptHeaders() {
		names = append(names, n.Header)
	}
	server := faultserver.Serve(faultserver.Config{
		Program: p, Headers: names, Keep: probeKeep, BodyTimeout: f.timeout,
	}, l)
	return localTail{server, urlOf(l.Addr(), false), f.fault, names}, nil
}

func remoteToken(flag string) string {
	if flag != "" {
		return flag
	}
	return os.Getenv("LABCTL_TOKEN")
}

// localTail is one of this process.
type localTail struct {
	server     *faultserver.Server
	url, fault string
	headers    []string // whose values are in Arrival.Headers
}

func (t localTail) where() string                { return t.url }
func (t localTail) program() string              { return t.fault }
func (t localTail) pace() time.Duration          { return 20 * time.Millisecond }
func (t localTail) close()                       { t.server.Close() }
func (t localTail) forget(context.Context) error { t.server.Reset(); return nil }

// glance does without the copy of very many hits, whose end nobody needs to wait for.
func (t localTail) glance(ctx context.Context) (sight, error) {
	if n := t.server.Hits(); n > infer.MaxFactored {
		return sight{count: n}, nil
	}
	return t.look(ctx)
}

func (t localTail) look(context.Context) (sight, error) {
	s := sight{count: t.server.Hits()}
	for _, a := range t.server.Arrivals() {
		h := audit.Hit{At: a.At, End: a.End, Conn: a.Conn, Turn: a.Turn, Method: a.Method, Body: a.Body, Complete: a.Complete}
		h.Attempt = attemptText(func(name string) string { return a.Headers[slices.Index(t.headers, name)] })
		s.add(h, a.Target, a.Kind.String(), a.Status)
	}
	return s, nil
}

// attemptText is the number that an attempt gives itself in a header, "" where it has none.
func attemptText(value func(header string) string) string {
	n, _, ok := faultserver.AttemptNumber(value)
	if !ok {
		return ""
	}
	return strconv.Itoa(n)
}

// add adds a hit and what it met; one without an end is in progress.
func (s *sight) add(h audit.Hit, target, kind string, status int) {
	if kind == program.Status.String() {
		kind = strconv.Itoa(status)
	}
	if !slices.Contains(s.met, kind) {
		s.met = append(s.met, kind)
	}
	if h.End < h.At {
		h.End, s.busy = h.At, true
	}
	s.hits = append(s.hits, h)
	if seen := h.Method + " " + oneLine(target); len(s.targets) < 5 && !slices.Contains(s.targets, seen) {
		s.targets = append(s.targets, seen)
	}
}
