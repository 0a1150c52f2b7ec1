package node

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"labctl/faultserver/control"
	"labctl/topology"
	"labctl/topology/live"
)

// Config says which service of which lab a server is.
type Config struct {
	Lab      string // the same for all processes of a run: see [Identity]
	Topology topology.Topology
	Service  string
	Peers    Peers
	Token    string // that results ask for; empty: none
	AnyHost  bool   // see control.Config
}

// A Server is one service of a topology as a process of its own.
type Server struct {
	config Config
	clock  Clock
	mux    *http.ServeMux
	http   http.Server
	end    context.CancelCauseFunc

	mu      sync.RWMutex
	node    *live.Node // since the last reset
	pauses  []Pause
	shot    *live.Record // that pages are read from
	shots   int
	ready   atomic.Bool
	closing atomic.Bool
	helpers sync.WaitGroup
}

// How long strangers may hold a connection. A herd holds the heads of its requests
// back until the release, for which it opens them shortly before.
const (
	headTimeout = 2 * time.Minute
	idleTimeout = 5 * time.Minute
	maxHead     = 64 << 10
)

// New makes the server of a service of a valid topology that live.SupportsNodes lets
// pass.
func New(c Config) (*Server, error) {
	s := &Server{config: c, clock: NewClock()}
	var err error
	if s.node, err = s.newNode(); err != nil {
		return nil, err
	}
	s.mux = s.routes()
	return s, nil
}

func (s *Server) newNode() (*live.Node, error) {
	return live.NewNode(s.config.Topology, s.config.Service, live.NodeOptions{Peers: s.config.Peers, Began: s.clock.Began})
}

// Serve answers on a listener until the context ends. It then takes no new request,
// lets those in progress end for at most so long, and returns when all have ended.
func (s *Server) Serve(ctx context.Context, l net.Listener, grace time.Duration) error {
	base, end := context.WithCancelCause(context.Background())
	defer end(nil)
	s.http = http.Server{
		Handler:           s,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: headTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHead,
		ErrorLog:          log.New(io.Discard, "", 0), // connections that die are the subject here
	}
	helping, stop := context.WithCancel(ctx)
	s.helpers.Go(func() { s.becomeReady(helping) })
	s.helpers.Go(func() { s.watchPauses(helping) })
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(l) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		s.closing.Store(true)
		s.shutDown(grace, end)
		<-failed
	}
	stop()
	s.helpers.Wait()
	return err
}

// shutDown lets what is in progress end, and ends what does not.
func (s *Server) shutDown(grace time.Duration, end context.CancelCauseFunc) {
	bounded, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if s.http.Shutdown(bounded) != nil {
		end(http.ErrServerClosed) // so that hangs end as the server's doing
		s.http.Close()
	}
}

// Close ends the calls that nobody waits for any more. What was seen can still be read.
func (s *Server) Close() { s.current().Close() }

func (s *Server) current() *live.Node {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.node
}

// ServeHTTP counts a request, unless it is for the control part.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if control.IsAPI(r.URL.Path) {
		s.mux.ServeHTTP(w, r)
		return
	}
	s.current().ServeHTTP(w, r)
}

// reset begins a new run. Requests in progress go on and count for neither.
func (s *Server) reset() error {
	next, err := s.newNode()
	if err != nil {
		return err
	}
	s.mu.Lock()
	before := s.node
	s.node, s.pauses, s.shot = next, nil, nil
	s.mu.Unlock()
	s.helpers.Go(before.Close)
	return nil
}

// Result is what the server saw so far.
func (s *Server) Result() Result {
	record := s.current().Record()
	s.mu.RLock()
	defer s.mu.RUnlock()
	return Result{
		Schema: Schema, Lab: s.config.Lab, Process: s.clock.Process,
		Pauses: append([]Pause(nil), s.pauses...), Record: record,
	}
}
