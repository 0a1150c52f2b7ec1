package live

import (
	"container/list"
	"context"
	"sync"
	"time"

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
	waits   *list.Element // nil when it does not
	turn    chan bool     // true: a worker turns to it; false: it is passed over
	full    bool          // there was no place
}

// come takes a worker, a place in the queue, or finds the queue full.
func (s *station) come(path string) *place {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &place{station: s, path: path}
	switch {
	case s.workers == 0 || s.busy < s.workers:
		s.take()
	case s.Queue == topology.Full || s.Queue > 0 && s.waiting.Len() >= s.Queue:
		p.full = true
		s.signals.Rejected++
	default:
		p.since, p.turn = s.now(), make(chan bool, 1)
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

// fate is what became of a wait.
type fate uint8

const (
	served fate = iota // a worker turned to it, which leave frees
	gone               // the caller left the queue
	passed             // nobody waited any more when its turn came
)

// wait waits for a worker.
func (p *place) wait(ctx context.Context) fate {
	if p.turn == nil {
		return served
	}
	select {
	case served := <-p.turn:
		return p.called(served)
	case <-ctx.Done():
	}
	s := p.station
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.waits == nil {
		return p.called(<-p.turn) // at this very moment
	}
	s.unqueue(p)
	s.signals.Left++
	return gone
}

func (p *place) called(isServed bool) fate {
	if isServed {
		return served
	}
	return passed
}

func (s *station) unqueue(p *place) {
	s.waiting.Remove(p.waits)
	p.waits = nil
	s.signals.Waiting--
}

// leave frees the worker and lets the next begin.
func (p *place) leave() {
	s := p.station
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
	if s.Drop && s.gone(p.path) {
		s.signals.Left++
		p.turn <- false
		return
	}
	waited := s.now().Sub(p.since)
	s.signals.Queued++
	s.signals.QueueTime += waited
	s.signals.LongestWait = max(s.signals.LongestWait, waited)
	s.take()
	p.turn <- true
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
