package faultserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"labctl/faultserver/program"
)

// pause waits as long as the action delays or hangs its request, and reports whether the
// caller stayed.
func pause(ctx context.Context, a program.Action) bool {
	switch {
	case a.Kind == program.Hang:
		<-ctx.Done()
		return false
	case a.Delay <= 0:
		return true
	}
	timer := time.NewTimer(a.Delay)
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

// drop ends the connection without an answer. Where it cannot be had, as in HTTP/2,
// net/http aborts the stream.
func drop(w http.ResponseWriter, kind program.Kind) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if kind == program.Reset || kind == program.Refuse {
		reset(conn)
	}
	conn.Close()
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

// answer writes the answer of an ok or status action.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, a program.Action) {
	if a.RetryAfter > 0 {
		w.Header().Set("Retry-After", h.retryAfter(a))
	}
	if a.Close {
		w.Header().Set("Connection", "close")
	}
	if a.Kind == program.OK && h.config.Next != nil {
		h.config.Next.ServeHTTP(w, r)
		return
	}
	if a.Body > 0 {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", strconv.FormatInt(a.Body, 10))
	}
	w.WriteHeader(a.Status)
	fill(w, a.Body)
}

// retryAfter writes the header in seconds or as a date. Dates have whole seconds and
// are rounded up: never earlier than the program asks.
func (h *Handler) retryAfter(a program.Action) string {
	if !a.RetryAfterDate {
		return strconv.FormatInt(int64(a.RetryAfter/time.Second), 10)
	}
	date := h.config.Now().Add(a.RetryAfter).Add(time.Second - time.Nanosecond)
	return date.UTC().Format(http.TimeFormat)
}

var filler = func() (block [32 << 10]byte) {
	for i := range block {
		block[i] = 'x'
	}
	return block
}()

// fill writes n bytes, or fewer when the caller wants none, as after HEAD.
func fill(w io.Writer, n int64) {
	for n > 0 {
		written, err := w.Write(filler[:min(n, int64(len(filler)))])
		if err != nil {
			return
		}
		n -= int64(written)
	}
}
