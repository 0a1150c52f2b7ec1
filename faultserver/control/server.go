package control

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// How long a client may take. They are beyond what a working client needs, so that they
// change no measurement.
const (
	headTimeout = 10 * time.Second // for the head of a request, and the handshake of TLS
	bodyTimeout = 30 * time.Second // for its body
	idleTimeout = 5 * time.Minute  // between requests, beyond the usual Retry-After
	sendTimeout = 30 * time.Second // for what it receives, above the time that the program takes

	maxHead    = 16 << 10 // bytes of the head of a request
	maxStreams = 100      // of one HTTP/2 connection, at a time
)

// A Server is a Handler on a listener.
type Server struct {
	*Handler
	http   http.Server
	end    context.CancelCauseFunc
	served chan struct{} // closed when no connection is accepted any more
	failed error         // why that is, once it is
}

// Serve starts a server on the listener, with TLS if the configuration is not nil. It
// speaks HTTP/1.1 and HTTP/2, without TLS only with clients that know that it does.
func (h *Handler) Serve(l net.Listener, secure *tls.Config) *Server {
	ctx, end := context.WithCancelCause(context.Background())
	s := &Server{Handler: h, end: end, served: make(chan struct{})}
	s.http = http.Server{
		Handler:                      h,
		BaseContext:                  func(net.Listener) context.Context { return ctx },
		ConnContext:                  h.gate.context,
		ConnState:                    h.gate.track,
		TLSConfig:                    secure,
		ReadHeaderTimeout:            headTimeout,
		IdleTimeout:                  idleTimeout,
		WriteTimeout:                 h.config.MaxHang + bodyTimeout + sendTimeout,
		MaxHeaderBytes:               maxHead,
		DisableGeneralOptionsHandler: true,                       // OPTIONS * is a hit like any other
		ErrorLog:                     log.New(io.Discard, "", 0), // of broken handshakes and the like there may be any number
		Protocols:                    new(http.Protocols),
		HTTP2:                        &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
	}
	s.http.Protocols.SetHTTP1(true)
	s.http.Protocols.SetHTTP2(true)
	s.http.Protocols.SetUnencryptedHTTP2(true)
	go func() {
		defer close(s.served)
		if secure != nil {
			s.failed = s.http.ServeTLS(h.gate.guard(l), "", "")
		} else {
			s.failed = s.http.Serve(h.gate.guard(l))
		}
	}()
	return s
}

// Wait returns nil when the context ends, or why the server ended before that.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.served:
		return s.failed
	}
}

// Close ends delays and hangs, closes all connections and returns when their handlers
// have. Counts can be read afterwards.
func (s *Server) Close() error {
	s.end(http.ErrServerClosed) // first, so that hangs end as the server's doing
	err := s.http.Close()
	<-s.served
	s.http.Close() // again, for a connection that was being accepted the first time
	s.gate.ended.Wait()
	return err
}
