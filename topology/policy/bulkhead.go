package policy

import "time"

// Bulkhead is the settings of a limit on concurrent calls. As a bulkhead it
// keeps one slow dependency from taking everything; as a pool it is the
// connections that calls share, first come, first served.
//
// With a queue it makes callers wait instead of failing, which is how a pool runs
// dry without a single error: watch waiting and time in queue, not the error rate.
type Bulkhead struct {
	Limit int           // calls in flight; 1 and more
	Queue int           // callers that may wait; 0: no limit, NoQueue: none, they are rejected at once
	Wait  time.Duration // longest wait in the queue; 0: no limit
	Per   Key           // one for the edge, or one per replica or route
}

// NoQueue as Bulkhead.Queue lets nobody wait.
const NoQueue = -1

// BulkheadSignals is what a bulkhead or a pool saw, of all its keys together.
type BulkheadSignals struct {
	Limit                  int
	InUse, Waiting         int // now
	MostInUse, MostWaiting int
	Admitted               int64
	Rejected               int64         // found the queue full
	TimedOut               int64         // waited too long
	Left                   int64         // were cancelled while they waited
	Queued                 int64         // had to wait, admitted in the end
	QueueTime              time.Duration // that these waited, in all
	LongestWait            time.Duration
}

// New returns an empty bulkhead for one edge.
func (s Bulkhead) New() *BulkheadState { return &BulkheadState{Bulkhead: s} }

// BulkheadState is a bulkhead at work.
type BulkheadState struct {
	Bulkhead
	signals BulkheadSignals
}

// Signals is what it saw so far.
func (s *BulkheadState) Signals() BulkheadSignals { return s.signals }

// On implements [Policy].
func (s *BulkheadState) On(f *Frame, ev Event, now Instant) Step { return passOn(ev) }
