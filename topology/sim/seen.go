package sim

import (
	"time"

	"labctl/report"
	"labctl/topology/policy"
)

// seen is what a report says of the workers of a service and of who waited for one,
// over all replicas and routes.
type seen struct{ policy.BulkheadSignals }

func (s *seen) take() {
	s.Admitted++
	s.InUse++
	s.MostInUse = max(s.MostInUse, s.InUse)
}

func (s *seen) wait() {
	s.Waiting++
	s.MostWaiting = max(s.MostWaiting, s.Waiting)
}

// leave counts one who left the queue without having been served.
func (s *seen) leave() {
	s.Waiting--
	s.Left++
}

// waited counts one who got a worker in the end.
func (s *seen) waited(d time.Duration) {
	s.Waiting--
	s.Queued++
	s.LongestWait = max(s.LongestWait, d)
	if s.QueueTime += d; s.QueueTime < 0 { // saturates
		s.QueueTime = policy.Longest
	}
}

// queue is that in the words of a report, and whether there is a limit at all.
func (s *service) queue() (q report.Bulkhead, is bool) {
	for i := range s.stations {
		is = is || s.stations[i].workers > 0
	}
	g := s.seen
	q = report.Bulkhead{
		Limit: s.Workers, InUse: g.MostInUse, Waiting: g.MostWaiting,
		Admitted: g.Admitted, Rejected: g.Rejected, Left: g.Left, Queued: g.Queued,
		LongestWaitMS: report.Milliseconds(g.LongestWait),
	}
	if g.Queued > 0 {
		q.MeanQueueMS = report.Milliseconds(g.QueueTime / time.Duration(g.Queued))
	}
	return q, is
}
