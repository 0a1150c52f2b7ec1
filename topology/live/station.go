package live

import (
	"container/list"
	"net/http"
	"sync"
	"time"

	"labctl/faultserver"
	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// crew is what the workers of a service, over all its replicas and routes, came to.
type crew struct {
	topology.Capacity
	now  func() policy.Instant
	gone func(path string) bool // nobody waits for the request any more

	mu      sync.Mutex // of all stations
	signals policy.BulkheadSignals
}

// station is the workers of one replica, or of one route on it, and who waits for
// one. Without a number of workers there is always one more.
type station struct {
	*crew
	workers int
	busy    int
	waiting list.List // of *place
}

// place is one request at a station.
type place struct {
	station *station
	path    string
	since   policy.Instant
	waits   *list.Element  // nil when it does not
	work    time.Duration  // that it takes
	end     policy.Instant // by which it has to be done; Never: at any time
	turn    chan turn
	full    bool // there was no place
}

// turn is what becomes of a request when its turn comes.
type turn uint8

const (
	served  turn = iota // a worker turns to it
	dropped             // it is passed over: nobody waits for it any more
	tooLate             // it is passed over: it could not be done in time
)

// come takes a worker, a place in the queue, or finds the queue full.
func (s *station) come(path string, work time.Duration, end policy.Instant) *place {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &place{station: s, path: path, work: work, end: end}
	switch {
	case (s.workers == 0 || s.busy < s.workers) && p.late():
		s.signals.Left++
		p.turn = make(chan turn, 1)
		p.turn <- tooLate
	case s.workers == 0 || s.busy < s.workers:
		s.take()
	case s.Queue == topology.Full || s.Queue > 0 && s.waiting.Len() >= s.Queue:
		p.full = true
		s.signals.Rejected++
	default:
		p.since, p.turn = s.now(), make(chan turn, 1)
		p.waits = s.waiting.PushBack(p)
		s.signals.Waiting++
		s.signals.MostWaiting = max(s.signals.MostWaiting, s.signals.Waiting)
	}
	return p
}

func (s *station) take() {
	s.busy++
	s.signals.InUse++
	s.signals.MostInUse = max(s.signals.MostInUse, s.signals.InUse)
	s.signals.Admitted++
}

// wait waits for a worker.
func (p *place) wait(w http.ResponseWriter, r *http.Request) faultserver.Verdict {
	if p.turn == nil {
		return faultserver.Proceed
	}
	var t turn
	select {
	case t = <-p.turn:
	case <-r.Context().Done():
		if p.leaves() {
			return faultserver.Left
		}
		t = <-p.turn // at this very moment
	}
	switch t {
	case dropped:
		return passOver(w, r)
	case tooLate:
		return passLate(w, r)
	}
	return faultserver.Proceed
}

// late reports whether the work would not be done in time.
func (p *place) late() bool { return p.end < policy.Never && p.station.now().Add(p.work) > p.end }

// leaves takes the request out of the queue, if it is there still.
func (p *place) leaves() bool {
	s := p.station
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.waits == nil {
		return false
	}
	s.unqueue(p)
	s.signals.Left++
	return true
}

func (s *station) unqueue(p *place) {
	s.waiting.Remove(p.waits)
	p.waits = nil
	s.signals.Waiting--
}

// leave frees a worker and lets the next request begin.
func (s *station) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.signals.InUse--
	for s.busy < s.workers && s.waiting.Len() > 0 {
		next := s.waiting.Front()
		if s.Order == topology.LIFO {
			next = s.waiting.Back()
		}
		s.call(next.Value.(*place))
	}
}

// call lets somebody who waits have a turn.
func (s *station) call(p *place) {
	s.unqueue(p)
	switch {
	case s.Drop != topology.DropNone && s.gone(p.path):
		s.signals.Left++
		p.turn <- dropped
		return
	case p.late():
		s.signals.Left++
		p.turn <- tooLate
		return
	}
	waited := s.now().Sub(p.since)
	s.signals.Queued++
	s.signals.QueueTime += waited
	s.signals.LongestWait = max(s.signals.LongestWait, waited)
	s.take()
	p.turn <- served
}

// report is what the workers came to, so far.
func (c *crew) report() report.Bulkhead {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.signals
	out := report.Bulkhead{
		Limit: c.Workers, InUse: s.MostInUse, Waiting: s.MostWaiting,
		Admitted: s.Admitted, Rejected: s.Rejected, Left: s.Left, Queued: s.Queued,
		LongestWaitMS: report.Milliseconds(s.LongestWait),
	}
	if s.Queued > 0 {
		out.MeanQueueMS = report.Milliseconds(s.QueueTime / time.Duration(s.Queued))
	}
	return out
}
