package control

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// A Handler is many tails and the API that controls them. It is safe for concurrent use.
// [Handler.Serve] gives it a server; in one of your own all hits would count as fresh.
type Handler struct {
	config Config
	tails  *tails
	gate   *gate
	api    *api
}

// New returns a Handler whose tails are at the first steps of their programs.
func New(c Config) (*Handler, error) {
	c = c.settled()
	if err := c.check(); err != nil {
		return nil, err
	}
	h := &Handler{config: c, tails: newTails(c), gate: newGate(c.Connections)}
	h.api = newAPI(h)
	return h, nil
}

// ServeHTTP lets the API answer below /-/, and the tail of the path everywhere else.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := connOf(r)
	first := !c.seen.Swap(true)
	if strings.HasPrefix(r.URL.Path, apiPrefix) {
		if first {
			h.gate.api.Add(1)
		}
		h.api.serve(w, r)
		return
	}
	t, err := h.tails.at(r.URL.Path)
	if err != nil {
		noTail(h.config, err).write(w)
		return
	}
	h.hit(t, c, w, r)
}

// noTail says why a path leads to no tail.
func noTail(c Config, err error) problem {
	if errors.Is(err, errFull) {
		return full(c.IDs)
	}
	return newProblem(http.StatusBadRequest, "bad-id", err.Error())
}

// hit lets a tail have a request, but not for ever.
func (h *Handler) hit(t *tail, c *conn, w http.ResponseWriter, r *http.Request) {
	n := &note{conn: c}
	ctx, cancel := context.WithTimeoutCause(r.Context(), h.config.MaxHang, http.ErrServerClosed)
	defer cancel()
	r = r.WithContext(context.WithValue(ctx, noteKey{}, n))
	shorten(r)
	if h.config.Log != nil {
		defer func() { // a fault in HTTP/2 panics on its way out
			h.config.Log(Hit{
				Tail: t.name, Method: r.Method, Target: r.RequestURI, Remote: r.RemoteAddr,
				Reused: n.reused, Action: n.action,
			})
		}()
	}
	t.serve(w, r)
}

// A note goes with a request and says what became of it.
type note struct {
	conn   *conn
	reused bool
	action program.Action
}

type noteKey struct{}

func noteOf(r *http.Request) *note { return r.Context().Value(noteKey{}).(*note) }

// How much text of an arrival is kept, in bytes: it is a stranger's.
const (
	maxTarget     = 256
	maxName       = 128 // of a method, path or request id
	maxHeaderText = 512 // of all headers together
)

// shorten cuts what the tail would keep of a request of our own.
func shorten(r *http.Request) {
	r.Method, r.RequestURI = cut(r.Method, maxName), cut(r.RequestURI, maxTarget)
	r.Header = maps.Clone(r.Header) // a handler leaves the caller's headers as they were
	shortenHeader(r.Header, faultserver.PathHeader, maxName)
	shortenHeader(r.Header, "X-Request-Id", maxName)
	room := maxHeaderText
	for _, h := range headers {
		room -= shortenHeader(r.Header, h.name, room)
	}
}

// shortenHeader cuts a header, and returns what is left of it.
func shortenHeader(h http.Header, name string, most int) int {
	values := h[name]
	if len(values) == 0 {
		return 0
	}
	if len(values[0]) > most {
		h[name] = []string{cut(values[0], most)}
	}
	return len(h[name][0])
}

// cut bounds a text. The clone lets go of the long original.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.Clone(text[:most])
}
