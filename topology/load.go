package topology

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Load is what the client has to do: a herd, or arrivals at a rate that do not
// wait for answers.
type Load struct {
	Herd   Herd
	Rate   Rate   // when it has steps, instead of the herd
	Method string // of every request; empty: GET
	Key    bool   // every request carries an idempotency key
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
}

// PerClient is the number of logical requests of one client.
func (h Herd) PerClient() int { return max(h.Requests, 1) }

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
	return l.Herd.check()
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
	if err := h.Think.check("load.herd.think"); err != nil {
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
