package faultserver

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// drain reads the request body within its time. It returns the request for Next, whose
// body is whole again.
func (h *Handler) drain(hit *hit, w http.ResponseWriter, r *http.Request) *http.Request {
	if r.Body == nil || r.Body == http.NoBody {
		hit.whole = true
		return r
	}
	if h.config.BodyTimeout <= 0 {
		r, _ = h.read(hit, r)
		return r
	}
	limit := http.NewResponseController(w)
	limit.SetReadDeadline(time.Now().Add(h.config.BodyTimeout))
	r, err := h.read(hit, r)
	// Later the deadline would strike Next, or look as if the caller had left. One that has
	// struck stays: it keeps net/http from waiting for the rest of the body, and so the
	// connection is given up.
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		limit.SetReadDeadline(time.Time{})
	}
	return r
}

// read reads the body up to MaxDrain, keeps it if somebody is to have it afterwards, and
// returns what went wrong.
func (h *Handler) read(hit *hit, r *http.Request) (*http.Request, error) {
	if h.config.Next == nil || !hit.action.Kind.Works() {
		return r, hit.read(io.Discard, r.Body)
	}
	var read bytes.Buffer
	err := hit.read(&read, r.Body)
	again := r.WithContext(r.Context()) // a handler leaves the caller's request as it was
	again.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(&read, r.Body), r.Body}
	return again, err
}

// read copies up to MaxDrain bytes and one more, which tells a body of exactly that size
// from a longer one.
func (h *hit) read(w io.Writer, body io.Reader) error {
	n, err := io.CopyN(w, body, MaxDrain+1)
	h.body = min(n, MaxDrain)
	h.whole = err == io.EOF
	return err
}
