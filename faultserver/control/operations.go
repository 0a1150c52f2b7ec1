package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"labctl/faultserver/program"
)

// Bounds of what the API reads and writes at a time.
const (
	maxBody      = 16 << 10
	defaultLimit = 100
	maxLimit     = 1000
)

// An Overview is what all tails and their server counted.
type Overview struct {
	Connections Connections `json:"connections"`
	Hits        int         `json:"hits"` // of the tails that there are
	Fresh       int         `json:"fresh"`
	Reused      int         `json:"reused"`
	Effects     int         `json:"effects"`
	IDs         int         `json:"ids"`
	IDLimit     int         `json:"id_limit"`
	NoRoom      int         `json:"no_room"` // requests that were answered 507 for want of room for their id
}

// Overview returns what was counted in all.
func (h *Handler) Overview() Overview {
	o := Overview{Connections: h.gate.counted(), IDs: h.tails.idCount(), IDLimit: h.config.IDs, NoRoom: int(h.tails.noRoom.Load())}
	for _, t := range h.tails.list() {
		c := t.counted()
		o.Hits += c.Hits
		o.Fresh += c.Fresh
		o.Reused += c.Reused
		o.Effects += c.Effects
	}
	return o
}

// Tails returns what each tail counted: the default tail, the paths, the ids.
func (h *Handler) Tails() []Tail {
	var out []Tail
	for _, t := range h.tails.list() {
		out = append(out, t.counted())
	}
	return out
}

func (a *api) overview(w http.ResponseWriter, _ *http.Request) error {
	writeJSON(w, http.StatusOK, "application/json", a.Overview())
	return nil
}

func (a *api) resetAll(w http.ResponseWriter, _ *http.Request) error {
	for _, t := range a.tails.list() {
		t.reset()
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// list pages by name, in the order of the list, so that a tail which is gone is as good
// a place to go on from as any.
func (a *api) list(w http.ResponseWriter, r *http.Request) error {
	limit, err := number(r, "limit", defaultLimit, 1, maxLimit)
	if err != nil {
		return err
	}
	after := r.URL.Query().Get("after")
	page := struct {
		Tails []Tail `json:"tails"`
		Next  string `json:"next,omitempty"`
	}{Tails: []Tail{}}
	for _, t := range a.tails.list() {
		switch {
		case after != "" && !laterInList(t.name, after):
		case len(page.Tails) == limit:
			page.Next = page.Tails[limit-1].Name
		default:
			page.Tails = append(page.Tails, t.counted())
		}
	}
	writeJSON(w, http.StatusOK, "application/json", page)
	return nil
}

// laterInList reports whether a name comes after another: default, paths, ids.
func laterInList(name, other string) bool {
	class := func(name string) int {
		switch {
		case name == defaultName:
			return 0
		case strings.HasPrefix(name, "/"):
			return 1
		}
		return 2
	}
	if a, b := class(name), class(other); a != b {
		return a > b
	}
	return name > other
}

// named finds the tail that a path of the API names.
func (a *api) named(r *http.Request) (*tail, error) {
	name := r.PathValue("tail")
	if t := a.tails.find(name); t != nil {
		return t, nil
	}
	return nil, newProblem(http.StatusNotFound, "unknown-tail",
		fmt.Sprintf("there is no tail %q: its first request makes it, or PUT /-/v1/tails/ID; GET /-/v1/tails lists those that there are", cut(name, maxName)))
}

func (a *api) tail(w http.ResponseWriter, r *http.Request) error {
	t, err := a.named(r)
	if err == nil {
		writeJSON(w, http.StatusOK, "application/json", t.counted())
	}
	return err
}

// put gives a tail a program, and makes an id that is not there.
func (a *api) put(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("tail")
	p, err := a.readProgram(w, r)
	if err != nil {
		return err
	}
	t, status := a.tails.find(name), http.StatusOK
	if t == nil {
		if err := checkID(name); err != nil {
			return noTail(a.config, err)
		}
		made := false
		if t, made, err = a.tails.obtain(name, p); err != nil {
			return noTail(a.config, err)
		}
		if made {
			status = http.StatusCreated
			w.Header().Set("Location", "/-/v1/tails/"+name)
		}
	}
	if status == http.StatusOK {
		t.setProgram(p)
	}
	writeJSON(w, status, "application/json", t.counted())
	return nil
}

// readProgram reads {"program": "503x2,ok"}.
func (a *api) readProgram(w http.ResponseWriter, r *http.Request) (program.Program, error) {
	var none program.Program
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return none, newProblem(http.StatusUnsupportedMediaType, "not-json", `the body is not said to be JSON: send {"program": "503x2,ok"} with Content-Type: application/json, as curl --json does`)
	}
	var body struct {
		Program *string `json:"program"`
	}
	in := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	in.DisallowUnknownFields()
	err := in.Decode(&body)
	if err == nil {
		if _, more := in.Token(); more != io.EOF {
			err = errors.New("something stands behind the object")
		}
	}
	if err != nil || body.Program == nil {
		return none, newProblem(http.StatusBadRequest, "bad-body", `the body is not what it should be: send {"program": "503x2,ok"}`)
	}
	p, err := program.Parse(*body.Program)
	if err == nil {
		err = a.config.checkProgram(p)
	}
	if err != nil {
		return none, newProblem(http.StatusUnprocessableEntity, "bad-program", err.Error())
	}
	return p, nil
}

func (a *api) remove(w http.ResponseWriter, r *http.Request) error {
	t, err := a.named(r)
	if err != nil {
		return err
	}
	if a.tails.remove(t) != nil {
		return newProblem(http.StatusConflict, "fixed-tail", fmt.Sprintf("%s was there from the start and stays: POST /-/v1/tails/…/reset forgets what it counted", t.name))
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *api) reset(w http.ResponseWriter, r *http.Request) error {
	t, err := a.named(r)
	if err != nil {
		return err
	}
	t.reset()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// number reads a number of the query.
func number(r *http.Request, name string, otherwise, least, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, newProblem(http.StatusBadRequest, "bad-query", fmt.Sprintf("%s=%s: say a number from %d to %d", name, cut(text, maxName), least, most))
	}
	return n, nil
}
