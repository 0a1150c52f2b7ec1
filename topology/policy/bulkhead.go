package policy

import "time"

// Bulkhead is the settings of a limit on concurrent calls. As a bulkhead it
// keeps one slow dependency from taking everything (Nygard, Release It!, 2007);
// as a pool it is the connections that calls share, first come, first served.
//
// With a queue it makes callers wait instead of failing, which is how a pool runs
// dry without a single error: watch waiting and time in queue, not the error rate.
//
// A place is taken until the work inside ends, and not only as long as somebody
// waits for it: a caller's timeout frees it only where cancellation is passed down.
type Bulkhead struct {
	Limit int           // calls in flight; 1 and more
	Queue int           // callers that may wait; 0: no limit, NoQueue: none, they are rejected at once
	Wait  time.Duration // longest wait in the queue; 0: no limit
	Per   Key           // one for the edge, or one per replica or route
}

// NoQueue as Bulkhead.Queue lets nobody wait.
const NoQueue = -1

// BulkheadSignals is what a bulkhead or a pool saw, of all its keys together.
// When all calls have ended, Admitted, Rejected, TimedOut and Left are the number
// of calls, and a place that is still InUse has leaked.
type BulkheadSignals struct {
	Limit                  int // of each key
	InUse, Waiting         int // now
	MostInUse, MostWaiting int
	Admitted               int64
	Rejected               int64         // found the queue full
	TimedOut               int64         // waited too long
	Left                   int64         // were cancelled while they waited
	Queued                 int64         // had to wait, admitted in the end
	QueueTime              time.Duration // that these waited, in all
	LongestWait            time.Duration // of one of these
}

// New returns an empty bulkhead for one edge.
func (s Bulkhead) New() *BulkheadState {
	s.Limit = max(s.Limit, 1) // with none, whoever waits would wait for ever
	return &BulkheadState{Bulkhead: s, signals: BulkheadSignals{Limit: s.Limit}}
}

// BulkheadState is a bulkhead at work.
type BulkheadState struct {
	Bulkhead
	keys    []places // of each replica or route that was called
	signals BulkheadSignals
}

// places is the state of one key. A place is free only when nobody waits.
type places struct {
	inUse int
	queue waiters
}

// Signals is what it saw so far.
func (s *BulkheadState) Signals() BulkheadSignals { return s.signals }

// On implements [Policy]. The frame's number is its place in the queue, and rest
// the instant at which it began to wait. Done is where a place comes back, and the
// only event that does: a cancelled frame still hears of its child's end.
func (s *BulkheadState) On(f *Frame, ev Event, now Instant) Step {
	p := s.placesOf(f)
	switch ev.Kind {
	case Start:
		return s.start(p, f, now)
	case Granted:
		return s.granted(p, f, now)
	case Done:
		return s.handOver(p, returned(ev.Outcome))
	case Timer:
		s.leave(p, f, &s.signals.TimedOut)
		return returned(Failed(Rejected))
	default:
		s.leave(p, f, &s.signals.Left)
		return returned(Failed(Cancelled))
	}
}

func (s *BulkheadState) placesOf(f *Frame) *places {
	i := s.Per.of(f)
	for i >= len(s.keys) {
		s.keys = append(s.keys, places{})
	}
	return &s.keys[i]
}

// start takes a place, or a place in the queue.
func (s *BulkheadState) start(p *places, f *Frame, now Instant) Step {
	if p.inUse < s.Limit {
		p.inUse++
		s.signals.InUse++
		s.signals.MostInUse = max(s.signals.MostInUse, s.signals.InUse)
		return s.admit()
	}
	if s.Queue < 0 || s.Queue > 0 && p.queue.count >= s.Queue {
		s.signals.Rejected++
		return returned(Failed(Rejected))
	}
	f.number, f.rest = p.queue.push(f.self), time.Duration(now)
	s.signals.Waiting++
	s.signals.MostWaiting = max(s.signals.MostWaiting, s.signals.Waiting)
	step := Step{Do: Park}
	if s.Wait > 0 {
		step.Do, step.At = Park|Arm, now.Add(s.Wait)
	}
	return step
}

func (s *BulkheadState) admit() Step {
	s.signals.Admitted++
	return Step{Do: Call, Child: 1}
}

// granted goes in with the place of another. A caller that was cancelled between
// the other's end and this event has no use for it and hands it on.
func (s *BulkheadState) granted(p *places, f *Frame, now Instant) Step {
	if f.is(hasReturned) {
		s.signals.Left++
		return s.handOver(p, Step{})
	}
	waited := now.Sub(Instant(f.rest))
	s.signals.Queued++
	s.signals.QueueTime = addDurations(s.signals.QueueTime, waited)
	s.signals.LongestWait = max(s.signals.LongestWait, waited)
	return s.admit()
}

// handOver gives a place to the first in the queue, so that nobody who comes at
// the same instant can overtake; with nobody there, it frees the place.
func (s *BulkheadState) handOver(p *places, step Step) Step {
	if p.queue.count == 0 {
		p.inUse--
		s.signals.InUse--
		return step
	}
	s.signals.Waiting--
	step.Do, step.Granted = step.Do|Grant, p.queue.pop()
	return step
}

// leave takes a frame that waits out of the queue. One that does not wait either
// has a place, which Done gives back, or will be granted one, which it hands on.
func (s *BulkheadState) leave(p *places, f *Frame, why *int64) {
	if p.queue.remove(f.number, f.self) {
		s.signals.Waiting--
		*why++
	}
}
