package topology

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Load is what the client has to do: a herd, or arrivals at a rate that do not
// wait for answers.
type Load struct {
	Herd   Herd
	Others []Herd        // further herds, each with a route of its own
	Rate   Rate          // when it has steps, instead of the herds
	For    time.Duration // no request begins at or after it, and a client without a number of requests asks until then; 0: no end
	Method string        // of every request; empty: GET
	Key    bool          // every request carries an idempotency key
}

// Herd is clients that start at one instant, the release. With several requests
// each it is a closed loop: a client asks again only after its answer, so it
// stops asking just when the service stalls.
type Herd struct {
	Clients   int           // independent callers
	Requests  int           // logical requests that each makes, one after the other; 0: 1
	NoBarrier bool          // start each client as soon as it exists, on a cold connection
	Smear     time.Duration // spread the starts uniformly over this time
	Think     Distribution  // between an answer and the client's next request
	Pause     Distribution  // likewise after a failure; zero: as Think
	Route     string        // what its requests ask for, as a path in HTTP; empty: the service as such
	Start     time.Duration // after the release
}

// PerClient is the number of logical requests of one client of a herd.
func (l Load) PerClient(h Herd) int {
	if h.Requests == 0 && l.For > 0 {
		return math.MaxInt32
	}
	return max(h.Requests, 1)
}

// Herds lists all herds.
func (l Load) Herds() []Herd { return append([]Herd{l.Herd}, l.Others...) }

// Clients is the number of clients of all herds.
func (l Load) Clients() int {
	n := l.Herd.Clients
	for _, h := range l.Others {
		n += h.Clients
	}
	return n
}

// HerdOf is the herd of a client. The clients of all herds are numbered through.
func (l *Load) HerdOf(client int) *Herd {
	if client < l.Herd.Clients || len(l.Others) == 0 {
		return &l.Herd
	}
	client -= l.Herd.Clients
	for i := range l.Others {
		if client < l.Others[i].Clients {
			return &l.Others[i]
		}
		client -= l.Others[i].Clients
	}
	return &l.Others[len(l.Others)-1]
}

// Horizon is when the last request begins at the latest: the end of the load, or
// of the run; 0: neither has one.
func (t *Topology) Horizon() time.Duration {
	switch {
	case t.Load.For == 0:
		return t.Run.Until
	case t.Run.Until == 0:
		return t.Load.For
	}
	return min(t.Load.For, t.Run.Until)
}

// Routes lists the routes of the herds; the first one's comes first.
func (t *Topology) Routes() []string {
	var routes []string
	for _, h := range t.Load.Herds() {
		if !slices.Contains(routes, h.Route) {
			routes = append(routes, h.Route)
		}
	}
	return routes
}

// Route is the number of a route: its place in Routes.
func (t *Topology) Route(name string) uint8 {
	return uint8(max(slices.Index(t.Routes(), name), 0))
}

// Rate is an open loop: requests come when they come, whether earlier ones were
// answered or not.
type Rate struct {
	Steps   []RateStep      // changes of the rate over time, in order
	Poisson bool            // independent arrivals; otherwise evenly spaced
	At      []time.Duration // the instants themselves, sorted, instead of steps
	Workers int             // requests in flight at most; later ones go out as soon as one ends; 0: no limit
	// FromSend times a request from when it was sent and not from when it was
	// due. That forgets the wait behind a stalled service ("coordinated
	// omission"); it is here to be compared.
	FromSend bool
}

// RateStep is a constant rate from an instant on.
type RateStep struct {
	From  time.Duration
	Milli int64 // requests per 1000 seconds: 280 per second are 280 000
}

// Open reports whether the load is an open loop.
func (l Load) Open() bool { return len(l.Rate.Steps) > 0 || len(l.Rate.At) > 0 }

func (l Load) check() error {
	if l.Method != "" && !slices.Contains(methods, l.Method) {
		return fmt.Errorf("load.method: %q: choose %s", l.Method, strings.Join(methods, ", "))
	}
	if l.Open() {
		return l.Rate.check()
	}
	if l.For < 0 || l.For > MaxDuration {
		return checkDuration("load.for", l.For)
	}
	if len(l.Others) >= MaxHerds {
		return fmt.Errorf("load.others: %d further herds are over the limit of %d", len(l.Others), MaxHerds-1)
	}
	for i, h := range l.Herds() {
		if i > 0 && h.Clients == 0 {
			continue // left out of this variant
		}
		if err := h.check(); err != nil {
			return err
		}
	}
	if n := l.Clients(); n > MaxClients {
		return fmt.Errorf("load: %d clients in all are over the limit of %d", n, MaxClients)
	}
	return nil
}

var methods = []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPut, http.MethodDelete, http.MethodPost, http.MethodPatch}

func (h Herd) check() error {
	switch {
	case h.Clients < 1:
		return fmt.Errorf("load.herd.clients: %d would send nothing: say 1 or more", h.Clients)
	case h.Clients > MaxClients:
		return fmt.Errorf("load.herd.clients: %d is over the limit of %d", h.Clients, MaxClients)
	case h.Requests < 0 || h.Requests > MaxRequests:
		return fmt.Errorf("load.herd.requests: %d is not from 1 to %d", h.Requests, MaxRequests)
	}
	if err := h.Think.Check("load.herd.think"); err != nil {
		return err
	}
	if err := h.Pause.Check("load.herd.pause"); err != nil {
		return err
	}
	if h.Route != "" {
		if err := checkName(h.Route); err != nil {
			return fmt.Errorf("load.herd.route: %w", err)
		}
	}
	if err := checkDuration("load.herd.start", h.Start); err != nil {
		return err
	}
	return checkDuration("load.herd.smear", h.Smear)
}

func (r Rate) check() error {
	var last time.Duration
	for _, s := range r.Steps {
		switch {
		case s.From < last:
			return fmt.Errorf("load.rate: the step at %v stands after one at %v: write steps in order", s.From, last)
		case s.Milli < 0 || s.Milli > MaxRate*1000:
			return fmt.Errorf("load.rate: %g requests per second are not from 0 to %d", float64(s.Milli)/1000, MaxRate)
		}
		last = s.From
	}
	switch {
	case r.Workers < 0 || r.Workers > MaxWorkers:
		return fmt.Errorf("load.rate.workers: %d is not from 0 (no limit) to %d", r.Workers, MaxWorkers)
	case len(r.At) > 0 && len(r.Steps) > 0:
		return fmt.Errorf("load.rate: both steps and instants are given: choose one")
	case !slices.IsSorted(r.At):
		return fmt.Errorf("load.rate.at: the instants are not in order: sort them")
	}
	for _, at := range r.At {
		if err := checkDuration("load.rate.at", at); err != nil {
			return err
		}
	}
	return nil
}
