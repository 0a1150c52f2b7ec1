package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"time"

	"labctl/audit"
	"labctl/audit/infer"
	"labctl/faultserver"
	"labctl/faultserver/program"
)

// probeTail is where the hits are counted.
type probeTail interface {
	where() string
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
}

// attemptHeaders carry the number that an attempt gives itself.
var attemptHeaders = []string{"X-Envoy-Attempt-Count", faultserver.AttemptHeader}

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
		return nil, cannotListen(f.listen, err)
	}
	server := faultserver.Serve(faultserver.Config{
		Program: p, Headers: attemptHeaders, Keep: probeKeep, BodyTimeout: f.timeout,
	}, l)
	return localTail{server, urlOf(l.Addr(), false)}, nil
}

func remoteToken(flag string) string {
	if flag != "" {
		return flag
	}
	return os.Getenv("LABCTL_TOKEN")
}

// localTail is one of this process.
type localTail struct {
	server *faultserver.Server
	url    string
}

func (t localTail) where() string                { return t.url }
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
		for _, value := range a.Headers {
			if h.Attempt == "" {
				h.Attempt = value
			}
		}
		s.add(h, a.Target)
	}
	return s, nil
}

// add adds a hit; one without an end is in progress.
func (s *sight) add(h audit.Hit, target string) {
	if h.End < h.At {
		h.End, s.busy = h.At, true
	}
	s.hits = append(s.hits, h)
	if seen := h.Method + " " + oneLine(target); len(s.targets) < 5 && !slices.Contains(s.targets, seen) {
		s.targets = append(s.targets, seen)
	}
}
