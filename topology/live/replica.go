package live

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"sync"

	"labctl/faultserver"
	"labctl/faultserver/program"
	"labctl/topology"
)

// replica is one server of a service.
type replica struct {
	service  *service
	addr     string
	listener net.Listener            // nil: its port is closed
	plain    http.Handler            // of requests whose route is nothing special
	routes   map[string]http.Handler // of the others, by path
	tails    []*faultserver.Handler  // that count hits here
	counters []*counter              // likewise, where the service has a capacity

	server  *http.Server
	served  chan struct{}  // closed when no connection is accepted any more
	serving sync.WaitGroup // the accept loop, and connections whose handlers may still run
	arrive  func()         // told of every request; nil: nobody asks
}

func newReplica(s *service, n int) (*replica, error) {
	r := &replica{service: s, routes: map[string]http.Handler{}}
	text := s.Fault
	if n < len(s.Replica) && s.Replica[n].Fault != "" {
		text = s.Replica[n].Fault
	}
	faults, err := parseFaults(text)
	if err != nil {
		return nil, err
	}
	if err := r.handle(faults); err != nil {
		return nil, err
	}
	r.addr, r.listener, err = listen(s.lab.net, faults.Refuses())
	return r, err
}

// handle makes the handlers of all routes. A route without a fault program of its
// own takes its turn in the service's.
func (r *replica) handle(faults program.Program) error {
	s := r.service
	workers := &station{crew: s.crew, workers: s.Workers}
	counts := r.counts(faults)
	r.plain = r.desk(counts, s.Time, workers)
	for _, route := range s.Routes {
		here, work, at := counts, s.Time, workers
		if route.Fault != "" {
			own, err := parseFaults(route.Fault)
			if err != nil {
				return err
			}
			here = r.counts(own)
		}
		if !route.Time.IsZero() {
			work = route.Time
		}
		if route.Workers > 0 {
			at = &station{crew: s.crew, workers: route.Workers}
		}
		r.routes["/"+route.Route] = r.desk(here, work, at)
	}
	return nil
}

// counts makes what counts the hits that meet a fault program.
func (r *replica) counts(faults program.Program) http.Handler {
	s := r.service
	var next http.Handler
	if len(s.Calls) > 0 {
		next = http.HandlerFunc(s.forward)
	}
	if !s.plain() {
		c := newCounter(s, faults, next)
		r.counters = append(r.counters, c)
		return c
	}
	tail := faultserver.New(faultserver.Config{
		Program: faults, Next: next, Idempotency: s.Idempotency,
		Clock: s.lab.clock.since, Luck: s.lab.faultLuck, Keep: topology.MaxHits,
	})
	r.tails = append(r.tails, tail)
	return tail
}

// desk is what a counter becomes for the routes of one service time and one group
// of workers.
func (r *replica) desk(counts http.Handler, work topology.Distribution, at *station) http.Handler {
	if c, is := counts.(*counter); is {
		return &desk{c, work, at}
	}
	return counts
}

// serve answers until stop.
func (r *replica) serve() {
	if r.listener == nil {
		return
	}
	r.server = &http.Server{
		Handler:     r,
		BaseContext: func(net.Listener) context.Context { return r.service.lab.ctx },
		ConnState:   r.track,
		ErrorLog:    log.New(io.Discard, "", 0), // connections that die are the subject here
	}
	r.served = make(chan struct{})
	r.serving.Go(func() {
		defer close(r.served)
		_ = r.server.Serve(r.listener)
	})
}

// track lets stop wait for handlers, which http.Server.Close does not: a
// connection is closed only after its handler has returned. New ones are
// reported by the accept loop, which is waited for as well, so that none is
// added behind stop's back.
func (r *replica) track(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		r.serving.Add(1)
	case http.StateClosed, http.StateHijacked:
		r.serving.Done()
	}
}

func (r *replica) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if r.arrive != nil {
		r.arrive()
	}
	h := r.plain
	if len(r.routes) > 0 {
		if special := r.routes[q.URL.Path]; special != nil {
			h = special
		}
	}
	h.ServeHTTP(w, q)
}

// stop closes the server and returns when its handlers have.
func (r *replica) stop() {
	if r.server == nil {
		return
	}
	_ = r.server.Close()
	<-r.served
	_ = r.server.Close() // again, for a connection that was just being accepted
	r.serving.Wait()
}
