package control

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
)

// api is the control API: resources below /-/, which openapi.json describes.
type api struct {
	*Handler
	mux    *http.ServeMux
	guard  guard
	paging sync.Mutex // one copy of arrivals at a time
}

// A route is one operation.
type route struct {
	method, path string
	guarded      bool // asks for the token: it changes something or tells of strangers
	serve        func(http.ResponseWriter, *http.Request) error
}

func (a *api) routes() []route {
	return []route{
		{"GET", "/-/healthz", false, a.health},
		{"GET", "/-/openapi.json", false, a.document},
		{"GET", "/-/metrics", false, a.metrics},
		{"GET", "/-/v1", false, a.overview},
		{"POST", "/-/v1/reset", true, a.resetAll},
		{"GET", "/-/v1/tails", false, a.list},
		{"GET", "/-/v1/tails/{tail}", false, a.tail},
		{"PUT", "/-/v1/tails/{tail}", true, a.put},
		{"DELETE", "/-/v1/tails/{tail}", true, a.remove},
		{"POST", "/-/v1/tails/{tail}/reset", true, a.reset},
		{"GET", "/-/v1/tails/{tail}/arrivals", true, a.arrivals},
	}
}

func newAPI(h *Handler) *api {
	a := &api{Handler: h, mux: http.NewServeMux(), guard: newGuard(h.config)}
	for _, r := range a.routes() {
		a.mux.HandleFunc(r.method+" "+r.path, func(w http.ResponseWriter, req *http.Request) {
			err := a.guard.checkToken(req, r.guarded)
			if err == nil {
				err = r.serve(w, req)
			}
			answer(w, err)
		})
	}
	return a
}

// serve answers what is no operation itself, so that every error is a problem.
func (a *api) serve(w http.ResponseWriter, r *http.Request) {
	if err := a.guard.checkBrowser(r); err != nil {
		answer(w, err)
		return
	}
	if escaped := r.URL.EscapedPath(); path.Clean(escaped) != escaped {
		answer(w, noOperation(r))
		return
	}
	if _, pattern := a.mux.Handler(r); pattern == "" {
		answer(w, a.unknown(r))
		return
	}
	a.mux.ServeHTTP(w, r)
}

// unknown tells a wrong method from a wrong path.
func (a *api) unknown(r *http.Request) error {
	var allowed []string
	for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
		other := *r
		other.Method = method
		if _, pattern := a.mux.Handler(&other); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		return noOperation(r)
	}
	if slices.Contains(allowed, "GET") {
		allowed = slices.Insert(allowed, 1, "HEAD")
	}
	p := newProblem(http.StatusMethodNotAllowed, "wrong-method", fmt.Sprintf("%q cannot be had here: use %s", cut(r.Method, maxName), strings.Join(allowed, ", ")))
	p.header.Set("Allow", strings.Join(allowed, ", "))
	return p
}

func noOperation(r *http.Request) error {
	return newProblem(http.StatusNotFound, "no-operation", fmt.Sprintf("there is nothing at %q: /-/openapi.json says what there is", cut(r.URL.Path, maxTarget)))
}

// answer writes an error, if there is one.
func answer(w http.ResponseWriter, err error) {
	var p problem
	switch {
	case err == nil:
	case errors.As(err, &p):
		p.write(w)
	default:
		newProblem(http.StatusInternalServerError, "internal", err.Error()).write(w)
	}
}

func (a *api) health(w http.ResponseWriter, _ *http.Request) error {
	writeJSON(w, http.StatusOK, "application/json", map[string]string{"status": "ok"})
	return nil
}
