package faultserver

import (
	"bytes"
	"io"
	"net/http"
)

// drain reads the request body up to MaxDrain and notes what came. It returns the
// request for Next, whose body is whole again.
func (h *Handler) drain(hit *hit, r *http.Request) *http.Request {
	if r.Body == nil || r.Body == http.NoBody {
		hit.whole = true
		return r
	}
	if h.config.Next == nil || !hit.action.Kind.Works() {
		hit.read(io.Discard, r.Body)
		return r
	}
	var read bytes.Buffer
	hit.read(&read, r.Body)
	again := r.WithContext(r.Context()) // a handler leaves the caller's request as it was
	again.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(&read, r.Body), r.Body}
	return again
}

// read copies up to MaxDrain bytes and one more, which tells a body of exactly that size
// from a longer one.
func (h *hit) read(w io.Writer, body io.Reader) {
	n, err := io.CopyN(w, body, MaxDrain+1)
	h.body = min(n, MaxDrain)
	h.whole = err == io.EOF
}
