package faultserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"labctl/faultserver/program"
)

// pause waits as long as the job takes or the action hangs its request, and reports
// whether the caller stayed.
func (h *hit) pause(ctx context.Context) bool {
	if h.action.Kind == program.Hang {
		<-ctx.Done()
		return false
	}
	d := h.action.Delay
	if h.job.Time != nil {
		d = h.job.Time()
	}
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// serverClosed tells a server that ends from a caller that left.
func serverClosed(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), http.ErrServerClosed)
}

// perform does what the action says after its delay.
func (h *Handler) perform(w http.ResponseWriter, r *http.Request, hit *hit) {
	switch hit.action.Kind {
	case program.OK:
		h.ok(w, r, hit)
	case program.Status:
		defer h.leave(hit, false)
		h.answer(w, hit.action)
	case program.Slow:
		h.slow(w, r, hit)
	case program.Truncate, program.HalfReset, program.Stall:
		h.truncate(w, r, hit)
	case program.Malformed, program.BadChunk:
		h.garble(w, r, hit)
	default:
		if hit.action.Kind.Works() { // lost
			h.work(r, hit)
		}
		h.leave(hit, false)
		drop(w, hit.action.Kind)
	}
}

// drop ends the connection, with an RST where the fault is one. Where the connection
// cannot be had, as in HTTP/2, net/http aborts the stream.
func drop(w http.ResponseWriter, kind program.Kind) {
	conn := hijack(w)
	switch kind {
	case program.Reset, program.HalfReset, program.Lost, program.Refuse:
		reset(conn)
	}
	conn.Close()
}

// hijack takes the connection over, or aborts the answer.
func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}

// reset makes closing send RST. In-process connections have no such thing and may
// offer a Reset of their own; under TLS it is the connection below that matters, or
// the farewell of TLS would go out first.
func reset(conn net.Conn) {
	if secure, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = secure.NetConn()
	}
	switch conn := conn.(type) {
	case interface{ Reset() error }:
		conn.Reset()
	case interface{ SetLinger(sec int) error }: // *net.TCPConn
		conn.SetLinger(0)
	}
	conn.Close()
}
