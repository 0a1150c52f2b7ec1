package sim

import (
	"labctl/topology"
	"labctl/topology/policy"
)

// spans tells what happens to requests, attempts and hits, for who wants to see each.
// What is in progress lies beside the jobs.
type spans struct {
	tell func(topology.Span)
	jobs []traced // by job
}

// traced is the attempt that a job serves, and its hit.
type traced struct {
	attempt, hit          topology.Span
	isAttempt, hasArrived bool // it is in progress
}

// sent begins an attempt.
func (s *spans) sent(e *engine, i int32, over, number int32) {
	j, ed, q := &e.jobs[i], &e.edges[over], e.request(i)
	for int(i) >= len(s.jobs) {
		s.jobs = append(s.jobs, traced{})
	}
	at := topology.Span{
		Kind: topology.AttemptSpan, Service: int(ed.from), Edge: int(over), Client: uint64(q.client), Request: uint64(q.number),
		Parent: e.luckOf(over, j.caller), Luck: j.luck, Number: int(number), Start: e.now,
	}
	s.jobs[i] = traced{attempt: at, isAttempt: true}
}

// arrived begins the hit of an attempt.
func (s *spans) arrived(e *engine, i int32) {
	t := &s.jobs[i]
	t.hit, t.hasArrived = t.attempt, true
	t.hit.Kind, t.hit.Service, t.hit.Start = topology.HitSpan, int(e.jobs[i].service)+1, e.now
}

// heard ends an attempt whose caller gets an outcome at an instant.
func (s *spans) heard(i int32, o policy.Outcome, at policy.Instant) {
	if t := &s.jobs[i]; t.isAttempt {
		t.isAttempt = false
		s.end(t.attempt, o, at, false)
	}
}

// left ends the hit of a job, if that has not ended.
func (s *spans) left(i int32, o policy.Outcome, at policy.Instant) {
	if t := &s.jobs[i]; t.hasArrived {
		t.hasArrived = false
		s.end(t.hit, o, at, false)
	}
}

// cut ends what the end of the run finds in progress.
func (s *spans) cut(at policy.Instant) {
	for i := range s.jobs {
		t := &s.jobs[i]
		if t.isAttempt {
			s.end(t.attempt, policy.Failed(policy.Cancelled), at, true)
		}
		if t.hasArrived {
			s.end(t.hit, policy.Failed(policy.Cancelled), at, true)
		}
		*t = traced{}
	}
}

// ended tells of a client's request.
func (s *spans) ended(c *clients, i int32, o policy.Outcome, at policy.Instant, open bool) {
	q := &c.e.demands.list[i]
	s.end(topology.Span{
		Kind: topology.RequestSpan, Client: uint64(q.client), Request: uint64(q.number), Luck: c.luck(i), Start: q.at,
	}, o, at, open)
}

func (s *spans) end(of topology.Span, o policy.Outcome, at policy.Instant, open bool) {
	of.Outcome, of.End, of.Open = o, max(at, of.Start), open
	s.tell(of)
}
