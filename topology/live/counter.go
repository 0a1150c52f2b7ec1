package live

import (
	"io"
	"net/http"
	"sync"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
)

// counter counts the hits that meet one fault program at a replica of a service
// with a capacity. It does what a faultserver.Handler does without one, but leaves the delay of an action to the
// desk, which has to put it behind the wait for a worker, and at the service's
// speed. The actions themselves are performed by fault servers.
type counter struct {
	service *service
	next    http.Handler // where the program says ok; nil for a tail

	mu     sync.Mutex
	faults *program.State
	lucky  bool
	hits   records[arrival]
	number int
	acts   map[program.Action]http.Handler
}

// arrival is one hit.
type arrival struct {
	at, end     time.Duration // end is inProgress until then
	path, route string
	cut, worked bool
}

const inProgress = -1

func newCounter(s *service, faults program.Program, next http.Handler) *counter {
	return &counter{
		service: s, next: next,
		faults: program.NewState(faults), lucky: faults.Lucky(),
		acts: map[program.Action]http.Handler{},
	}
}

// visit is a hit on its way through a service.
type visit struct {
	*arrival
	action program.Action
	work   time.Duration
	place  *place
	key    string // empty where the service does not look at it
	word   word
	runs   bool // its key waits for word of it
}

// ServeHTTP makes a counter a handler, for desks.
func (c *counter) ServeHTTP(http.ResponseWriter, *http.Request) { panic("live: a counter has a desk") }

// arrive counts a hit, takes its turn in the program, and takes a place at the
// station.
func (c *counter) arrive(r *http.Request, d *desk) *visit {
	l := c.service.lab
	at := l.clock.since()
	path := header(r.Header, faultserver.PathHeader)
	t, known := follow(path, l.topo.Run.Seed)

	c.mu.Lock()
	defer c.mu.Unlock()
	c.number++
	if !known {
		t.luck = l.foreignLuck(c.number)
	}
	v := &visit{arrival: c.hits.next(arrival{at: at, end: inProgress, path: path, route: r.URL.Path})}
	v.action = c.fate(path, at+c.service.Skew, t)
	v.work = d.draw(t.luck) + v.action.Delay
	if c.service.Idempotency != idempotency.None {
		v.key = header(r.Header, keyHeader)
	}
	v.place = d.station.come(path)
	return v
}

// performer is the fault server that does what an action says, at once.
func (c *counter) performer(a program.Action) http.Handler {
	a.Delay = 0
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.acts[a]
	if h == nil {
		h = faultserver.New(faultserver.Config{
			Program: program.Program{Steps: []program.Step{{Action: a}}},
			Next:    c.next, Now: c.service.wall, Keep: 1,
		})
		c.acts[a] = h
	}
	return h
}

// drain reads what a request brings: a server sees that a caller left only after
// the body was read to its end.
func drain(r *http.Request) {
	if r.Body != http.NoBody {
		_, _ = io.CopyN(io.Discard, r.Body, faultserver.MaxDrain)
	}
}
