package control

import (
	"maps"
	"net/http"
	"sync"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// A tail is one of many behind a port.
type tail struct {
	name    string
	keep    int
	all     *tails
	handler *faultserver.Handler

	// arriving is held for reading while a hit is counted, here and in the handler, so
	// that a reset comes before both or after both.
	arriving sync.RWMutex

	mu            sync.Mutex
	program       program.Program
	since         time.Time
	fresh, reused map[program.Kind]int
	ids           map[string]bool // that have a position under each:
}

func newTail(name string, keep int, p program.Program, all *tails) *tail {
	t := &tail{name: name, keep: keep, all: all, program: p}
	t.forget()
	t.handler = faultserver.New(faultserver.Config{
		Program:     p,
		Keep:        keep,
		Clock:       all.config.Clock,
		Headers:     headerNames(),
		BodyTimeout: bodyTimeout,
		Admit:       t.count,
		RequestID:   t.requestID,
	})
	return t
}

// serve lets the tail have a request, whose note it fills in.
func (t *tail) serve(w http.ResponseWriter, r *http.Request) {
	t.arriving.RLock() // until count
	t.handler.ServeHTTP(w, r)
}

// count is called once for each hit, in the order of turns.
func (t *tail) count(h faultserver.Hit) faultserver.Job {
	defer t.arriving.RUnlock()
	note := noteOf(h.Request)
	note.action, note.reused = h.Action, note.conn.hits.Add(1) > 1
	t.mu.Lock()
	defer t.mu.Unlock()
	if note.reused {
		t.reused[h.Action.Kind]++
	} else {
		t.fresh[h.Action.Kind]++
	}
	return faultserver.Job{}
}

// requestID is faultserver's, as long as there is room for a position under each:.
// Later ids share one, as requests without an id do.
func (t *tail) requestID(r *http.Request) string {
	id := faultserver.RequestID(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	if id == "" || !t.program.Each || t.ids[id] {
		return id
	}
	if t.all.positions.Add(1) > maxPositions {
		t.all.positions.Add(-1)
		return ""
	}
	t.ids[id] = true
	return id
}

// forget begins a new count. The caller holds mu, or nobody else knows the tail.
func (t *tail) forget() {
	t.all.positions.Add(-int64(len(t.ids)))
	t.since, t.ids = time.Now(), map[string]bool{}
	t.fresh, t.reused = map[program.Kind]int{}, map[program.Kind]int{}
}

// reset begins a new run: counts at zero, the program at its first step.
func (t *tail) reset() {
	t.arriving.Lock()
	defer t.arriving.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.handler.Reset()
	t.forget()
}

// setProgram replaces the program, which starts at its first step. Hits stay counted.
func (t *tail) setProgram(p program.Program) {
	t.arriving.Lock()
	defer t.arriving.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.handler.SetProgram(p)
	t.program = p
}

// A Tail is what one tail counted since it was made or reset.
type Tail struct {
	Name     string    `json:"name"` // its id, its path, or default
	Program  string    `json:"program"`
	Since    time.Time `json:"since"` // zero of its arrivals' times
	Hits     int       `json:"hits"`
	Fresh    int       `json:"fresh"`     // of them, on a connection that had carried no hit
	Reused   int       `json:"reused"`    // of them, on one that had
	Effects  int       `json:"effects"`   // hits that performed the side effect
	CutShort int       `json:"cut_short"` // hits whose caller left before the tail was done
	Kept     int       `json:"kept"`      // hits that arrivals tells about
	Dropped  int       `json:"dropped"`   // hits that were counted only
	Kinds    []Kind    `json:"kinds"`     // what was done to them
}

// A Kind is how many hits met an action of one kind.
type Kind struct {
	Kind   string `json:"kind"`
	Fresh  int    `json:"fresh"`
	Reused int    `json:"reused"`
}

// counted is what a tail counted. Its hits are of one instant; what became of those in
// progress may be a little later.
func (t *tail) counted() Tail {
	t.mu.Lock()
	out := Tail{Name: t.name, Program: t.program.String(), Since: t.since.UTC(), Kinds: []Kind{}}
	fresh, reused := maps.Clone(t.fresh), maps.Clone(t.reused)
	t.mu.Unlock()

	for k := range program.Kind(maxKinds) {
		if fresh[k]+reused[k] > 0 {
			out.Kinds = append(out.Kinds, Kind{k.String(), fresh[k], reused[k]})
		}
		out.Fresh += fresh[k]
		out.Reused += reused[k]
	}
	out.Hits = out.Fresh + out.Reused
	out.Kept = min(out.Hits, t.keep)
	out.Dropped = out.Hits - out.Kept
	out.Effects, out.CutShort = t.handler.Effects(), t.handler.CutShort()
	return out
}

// maxKinds is more than there are.
const maxKinds = 64
