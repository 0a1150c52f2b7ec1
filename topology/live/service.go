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
	"labctl/topology/policy"
)

// service is one running layer: a server whose handler counts, applies the fault
// program, and where that says ok calls the next layer.
type service struct {
	lab     *lab
	name    string
	next    *edge // nil for the tail
	refuses bool  // its port is closed
	addr    string
	tail    *faultserver.Handler
	server  *http.Server
	served  chan struct{}  // closed when no connection is accepted any more
	serving sync.WaitGroup // the accept loop, and connections whose handlers may still run
	hits    []hit          // of lab.hits, once it was asked
	arrive  func()         // told of every request; nil: nobody asks
}

// newService makes a service that listens but does not serve yet.
func newService(l *lab, s topology.Service) (*service, net.Listener, error) {
	faults, err := program.Parse(s.Fault)
	if s.Fault == "" {
		faults, err = program.Parse("ok")
	}
	if err != nil {
		return nil, nil, err
	}
	listener, err := l.net.Listen()
	if err != nil {
		return nil, nil, err
	}
	svc := &service{lab: l, name: s.Name, addr: listener.Addr().String(), refuses: faults.Refuses()}
	config := faultserver.Config{Program: faults, Clock: l.clock.since, Luck: l.faultLuck, Keep: topology.MaxHits}
	if len(s.Calls) > 0 {
		config.Next = http.HandlerFunc(svc.forward)
	}
	svc.tail = faultserver.New(config)
	if svc.refuses {
		return svc, nil, listener.Close()
	}
	return svc, listener, nil
}

// serve answers until stop.
func (s *service) serve(l net.Listener) {
	s.server = &http.Server{
		Handler:     s,
		BaseContext: func(net.Listener) context.Context { return s.lab.ctx },
		ConnState:   s.track,
		ErrorLog:    log.New(io.Discard, "", 0), // connections that die are the subject here
	}
	s.served = make(chan struct{})
	s.serving.Go(func() {
		defer close(s.served)
		_ = s.server.Serve(l)
	})
}

// track lets stop wait for handlers, which http.Server.Close does not: a
// connection is closed only after its handler has returned. New ones are
// reported by the accept loop, which is waited for as well, so that none is
// added behind stop's back.
func (s *service) track(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.serving.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.serving.Done()
	}
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.arrive != nil {
		s.arrive()
	}
	s.tail.ServeHTTP(w, r)
}

// forward calls the next layer and answers as a gateway would.
func (s *service) forward(w http.ResponseWriter, r *http.Request) {
	text := r.Header.Get(faultserver.PathHeader)
	path, err := policy.ParsePath(text)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	o := s.next.call(r.Context(), request{
		method: r.Method,
		key:    r.Header.Get(keyHeader),
		path:   text,
		luck:   path.Luck(s.lab.topo.Run.Seed),
		traced: s.lab.traces(path),
	}, s.lab.clock.now())
	w.WriteHeader(gatewayStatus(o))
}

// gatewayStatus is what a service answers when its own call ended so: the
// status as it came, or the gateway's words for no answer (RFC 9110, section
// 15.6). 499 is nginx's for a caller that left; nobody reads it.
func gatewayStatus(o policy.Outcome) int {
	switch o.Kind {
	case policy.Answered:
		return int(o.Status)
	case policy.Timeout:
		return http.StatusGatewayTimeout
	case policy.Cancelled:
		return 499
	case policy.Rejected:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadGateway
}

// stop closes the server and returns when its handlers have.
func (s *service) stop() {
	if s.server == nil {
		return
	}
	_ = s.server.Close()
	<-s.served
	_ = s.server.Close() // again, for a connection that was just being accepted
	s.serving.Wait()
}
