package faultserver

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
)

// A Server is a tail on a loopback port of its own.
type Server struct {
	*Handler
	URL string // http://127.0.0.1:port, without a slash at the end

	http    http.Server
	end     context.CancelCauseFunc
	served  sync.WaitGroup // done when no connection is accepted any more
	numbers Connections
	conns   sync.WaitGroup // connections whose handlers may still run
	unbind  func() error   // of a refusing server, else nil
}

// Listen starts a server on a free loopback port. With a program that refuses it
// keeps a port on which nothing listens; attempts on that one are not counted.
func Listen(c Config) (*Server, error) {
	s := &Server{Handler: New(c)}
	if c.Program.Refuses() {
		addr, unbind, err := reserve()
		if err != nil {
			return nil, fmt.Errorf("faultserver: cannot reserve a port to refuse on: %w; free some ports", err)
		}
		s.URL, s.unbind = "http://"+addr, sync.OnceValue(unbind)
		return s, nil
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("faultserver: cannot listen on loopback: %w; free some ports or descriptors", err)
	}
	s.URL = "http://" + l.Addr().String()
	s.serve(l)
	return s, nil
}

// Serve starts a server on listeners that are there already, such as fixed ports that are
// one tail together. Its URL is that of the first, and Close closes them all. A program
// that refuses resets here, as in a [Handler]: the ports are listening.
func Serve(c Config, listeners ...net.Listener) *Server {
	s := &Server{Handler: New(c), URL: "http://" + listeners[0].Addr().String()}
	s.serve(listeners...)
	return s
}

func (s *Server) serve(listeners ...net.Listener) {
	ctx, end := context.WithCancelCause(context.Background())
	s.end = end
	s.http = http.Server{
		Handler:     s.Handler,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: s.numbers.Context,
		ConnState:   s.track,
		Protocols:   new(http.Protocols),
	}
	s.http.Protocols.SetHTTP1(true)
	s.http.Protocols.SetUnencryptedHTTP2(true) // for clients that know beforehand
	for _, l := range listeners {
		s.served.Go(func() { s.http.Serve(l) })
	}
}

// track follows connections rather than hits, which costs a hit nothing. A connection
// counts as closed after its handler has returned.
func (s *Server) track(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.conns.Done()
	}
}

// Connections returns how many connections the server accepted since Listen, also those
// that never sent a request. No Reset begins it anew: see [Connections].
func (s *Server) Connections() int { return s.numbers.Accepted() }

// Close ends delays and hangs, closes all connections and returns when their handlers
// have. It does not wait for callers, as http.Server.Shutdown does even for connections
// that never said a word. Hits can be read afterwards; closing again does nothing.
func (s *Server) Close() error {
	if s.unbind != nil {
		return s.unbind()
	}
	s.end(http.ErrServerClosed) // first, so that hangs end as the server's doing
	err := s.http.Close()
	s.served.Wait()
	s.http.Close() // again, for a connection that was being accepted the first time
	s.conns.Wait()
	return err
}
