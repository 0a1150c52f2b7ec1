package live

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/program"
	"labctl/topology"
)

// replica is one server of a service.
type replica struct {
	service   *service
	addr      string
	listener  net.Listener // nil: its port is closed, unless it is another process's
	elsewhere bool
	plain     *desk                  // of requests whose route is nothing special
	routes    map[string]*desk       // of the others, by path
	tails     []*faultserver.Handler // of the desks

	server  *http.Server
	served  chan struct{}  // closed when no connection is accepted any more
	serving sync.WaitGroup // the accept loop, and connections whose handlers may still run
	arrive  func()         // told of every request; nil: nobody asks
	seen    func(at time.Duration, first bool)
	left    func()
}

func newReplica(s *service, n int) (*replica, error) {
	r := &replica{service: s, routes: map[string]*desk{}}
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
	if s.lab.part != nil { // what listens is not the lab's
		r.elsewhere = true
		return r, nil
	}
	r.addr, r.listener, err = listen(s.lab.net, faults.Refuses())
	return r, err
}

// handle makes the desks of all routes. A route without a fault program of its
// own takes its turn in the service's.
func (r *replica) handle(faults program.Program) error {
	s := r.service
	r.plain = &desk{s, r.tail(faults), s.Time, &station{crew: s.crew, workers: s.Workers}}
	for _, route := range s.Routes {
		d := *r.plain
		if route.Fault != "" {
			own, err := parseFaults(route.Fault)
			if err != nil {
				return err
			}
			d.tail = r.tail(own)
		}
		if !route.Time.IsZero() {
			d.time = route.Time
		}
		if route.Workers > 0 {
			d.station = &station{crew: s.crew, workers: route.Workers}
		}
		r.routes["/"+route.Route] = &d
	}
	return nil
}

// tail makes what counts the hits that meet a fault program, and does to them what
// that says.
func (r *replica) tail(faults program.Program) *faultserver.Handler {
	s := r.service
	c := faultserver.Config{
		Program: faults, Keys: s.keys,
		Clock: s.since, Now: s.wall, Luck: s.lab.faultLuck, Keep: topology.MaxHits,
	}
	if len(s.Calls) > 0 {
		c.Next = http.HandlerFunc(s.forward)
	}
	if s.takesTime() {
		c.Admit = func(hit faultserver.Hit) faultserver.Job { return r.desk(hit.Request).admit(hit) }
	}
	tail := faultserver.New(c)
	r.tails = append(r.tails, tail)
	return tail
}

// desk is where a request is served.
func (r *replica) desk(q *http.Request) *desk {
	if len(r.routes) > 0 {
		if special := r.routes[q.URL.Path]; special != nil {
			return special
		}
	}
	return r.plain
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
	if r.seen != nil {
		t, _ := follow(header(q.Header, faultserver.PathHeader), r.service.lab.topo.Run.Seed)
		r.seen(r.service.lab.clock.since(), t.first)
	}
	if r.left != nil {
		defer r.left()
	}
	r.desk(q).tail.ServeHTTP(w, q)
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
