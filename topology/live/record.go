package live

import (
	"time"

	"labctl/report"
	"labctl/topology/ledger"
	"labctl/topology/policy"
)

// A Record is what one process of a run saw: a node, or a herd. It is all that
// [Merge] wants to know of it. Instants are since its own release.
type Record struct {
	Service  string        `json:"service"`
	Released time.Duration `json:"released"` // since the process began; 0: nothing has begun
	Hits     []Hit         `json:"hits,omitempty"`
	Dropped  int           `json:"dropped,omitempty"` // hits that were counted without keeping what they were
	Calls    []CallRecord  `json:"calls"`             // in the order of the topology
	Tries    []Try         `json:"tries,omitempty"`   // all attempts that came to their end
	Layer    report.Layer  `json:"layer"`             // what its policies and workers saw
	Working  int64         `json:"working,omitempty"` // requests and calls in progress
	Herd     *HerdRecord   `json:"herd,omitempty"`
}

// A Hit is one request that arrived.
type Hit struct {
	At     time.Duration `json:"at"`
	End    time.Duration `json:"end"` // -1: it is in progress
	Path   string        `json:"path"`
	Route  uint8         `json:"route,omitempty"`
	Worked bool          `json:"worked,omitempty"` // the side effect was performed
	Cut    bool          `json:"cut,omitempty"`    // ended because its caller left
}

// A CallRecord is what happened on one call of a service.
type CallRecord struct {
	To       string                    `json:"to"`
	Sent     int64                     `json:"sent"`
	Stopped  int64                     `json:"stopped,omitempty"` // of these, before they had an answer
	Took     time.Duration             `json:"took"`
	Notes    []int64                   `json:"notes"`
	Left     []Departure               `json:"left,omitempty"`
	Asked    map[string]policy.Instant `json:"asked,omitempty"` // by path: before which an attempt was asked not to come
	Outcomes map[string]policy.Outcome `json:"outcomes,omitempty"`
	Refused  []Hit                     `json:"refused,omitempty"` // attempts that found a closed port
	Failed   string                    `json:"failed,omitempty"`  // the first dial that failed in another way
}

// A Try is one attempt that came to its end.
type Try struct {
	Path    string         `json:"path"`
	Start   policy.Instant `json:"start"`
	End     policy.Instant `json:"end"`
	Outcome policy.Outcome `json:"outcome"`
}

// A Departure says that from an instant on nobody waited for an attempt.
type Departure struct {
	Path string        `json:"path"`
	At   time.Duration `json:"at"`
}

// A HerdRecord is what the clients of one process saw.
type HerdRecord struct {
	First    int             `json:"first"` // their numbers: from this one on
	Clients  int             `json:"clients"`
	Requests []Request       `json:"requests"`
	Issued   []time.Duration `json:"issued"` // when the first wave was let go
	Ended    string          `json:"ended,omitempty"`
}

// A Request is one logical request of a client that came to its end.
type Request struct {
	Client  uint64         `json:"client"`
	Number  uint64         `json:"number,omitempty"` // from 0, of the client's
	Outcome policy.Outcome `json:"outcome"`
	Start   policy.Instant `json:"start"`
	Sent    policy.Instant `json:"sent"`
	End     policy.Instant `json:"end"`
	Route   uint8          `json:"route,omitempty"`
	Wave    bool           `json:"wave,omitempty"`
}

// Shift puts a record on a clock that was ahead by so much at its zero.
func (r *Record) Shift(by time.Duration) {
	for i := range r.Hits {
		r.Hits[i].shift(by)
	}
	for i := range r.Tries {
		r.Tries[i].Start += policy.Instant(by)
		r.Tries[i].End += policy.Instant(by)
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		for j := range c.Left {
			c.Left[j].At += by
		}
		for path := range c.Asked {
			c.Asked[path] += policy.Instant(by)
		}
		for j := range c.Refused {
			c.Refused[j].shift(by)
		}
	}
	if r.Herd != nil {
		r.Herd.shift(by)
	}
}

func (h *Hit) shift(by time.Duration) {
	h.At += by
	if h.End != inProgress {
		h.End += by
	}
}

func (h *HerdRecord) shift(by time.Duration) {
	for i := range h.Requests {
		q := &h.Requests[i]
		q.Start, q.Sent, q.End = q.Start+policy.Instant(by), q.Sent+policy.Instant(by), q.End+policy.Instant(by)
	}
	for i := range h.Issued {
		h.Issued[i] += by
	}
}

// record is what a service of the lab saw, by its place; the client is the first.
func (l *lab) record(service int) Record {
	r := Record{Service: l.topo.Services[service].Name, Released: time.Duration(l.clock.release.Load())}
	books := ledger.New(l.topo)
	for i, e := range l.edges {
		if e.from == r.Service {
			r.Calls = append(r.Calls, e.record())
			e.mu.Lock()
			books.Watch(i, e.core.Stack(), l.clock.now(), l.flying.Load() == 0)
			for _, t := range e.tried {
				r.Tries = append(r.Tries, Try{t.path, t.start, t.end, t.outcome})
			}
			e.mu.Unlock()
		}
	}
	if service > 0 {
		s := l.services[service-1]
		for _, h := range s.counted() {
			r.Hits = append(r.Hits, h.record())
		}
		if r.Dropped = s.dropped(); s.limited() {
			books.Queue(service-1, s.crew.report())
		}
	}
	v, _ := books.Variant("live")
	r.Layer = v.Layers[service]
	return r
}

func (h hit) record() Hit {
	return Hit{At: h.at, End: h.end, Path: h.path, Route: h.route, Worked: h.worked, Cut: h.cut}
}

func (e *edge) record() CallRecord {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := CallRecord{
		To: e.to, Sent: e.sent, Stopped: e.stopped, Took: e.took, Notes: append([]int64(nil), e.notes[:]...),
		Asked: map[string]policy.Instant{}, Outcomes: map[string]policy.Outcome{},
	}
	for path, at := range e.asked {
		c.Asked[path] = at
	}
	for path, o := range e.outcomes {
		c.Outcomes[path] = o
	}
	for _, a := range e.abandoned {
		c.Left = append(c.Left, Departure{a.path, time.Duration(a.at)})
	}
	e.client.mu.Lock()
	defer e.client.mu.Unlock()
	for _, r := range e.client.refused {
		c.Refused = append(c.Refused, Hit{At: r.at, End: r.at, Path: r.path, Route: r.route})
	}
	if e.client.failed != nil {
		c.Failed = e.client.failed.Error()
	}
	return c
}

// clientPlace is that of the client among the services.
const clientPlace = 0
