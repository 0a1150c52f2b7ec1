package lab

import (
	"encoding/binary"
	"net/http"
	"strconv"

	"labctl/topology"
	"labctl/topology/policy"
	"labctl/trace"
)

// epoch is the release, as traces give instants: 2000-01-01 00:00 UTC. That it is
// always the same makes the same run the same file.
const epoch int64 = 946684800e9

// Recorder writes the spans of one run. Its Span method is what the engines tell. It is
// not safe for concurrent use.
type Recorder struct {
	to       *trace.Writer
	topo     topology.Topology
	edges    []topology.Edge
	method   string
	timeouts []int64 // of attempts, by edge; 0: none
	err      error   // the first
}

// NewRecorder returns one for a run of t.
func NewRecorder(to *trace.Writer, t topology.Topology) *Recorder {
	r := &Recorder{to: to, topo: t, edges: t.Edges(), method: t.Load.Method}
	if r.method == "" {
		r.method = http.MethodGet
	}
	for _, e := range r.edges {
		r.timeouts = append(r.timeouts, int64(e.AttemptTimeout()))
	}
	return r
}

// Span takes what an engine tells. After an error it takes nothing more.
func (r *Recorder) Span(s topology.Span) {
	if r.err == nil {
		r.err = r.to.Write(r.translate(s))
	}
}

// Close writes what is left, and returns the first error of all.
func (r *Recorder) Close() error {
	if r.err == nil {
		r.err = r.to.Flush()
	}
	return r.err
}

// The ids of spans at one place, which is a luck, by what they are of.
const (
	idTraceHigh policy.Purpose = 1<<32 + iota // far from the draws of a run
	idTraceLow
	idRequest
	idAttempt
	idHit
)

func (r *Recorder) translate(s topology.Span) trace.Span {
	root := policy.RootLuck(r.topo.Run.Seed, s.Client, s.Request)
	out := trace.Span{
		Service: r.topo.Services[s.Service].Name, Kind: trace.Internal, Name: "request",
		Start: epoch + int64(s.Start), End: epoch + int64(s.End),
	}
	binary.BigEndian.PutUint64(out.Trace[:8], root.Draw(idTraceHigh))
	binary.BigEndian.PutUint64(out.Trace[8:], root.Draw(idTraceLow))
	switch s.Kind {
	case topology.RequestSpan:
		out.ID = spanID(root, idRequest)
		out.Attributes = append(out.Attributes, trace.Attribute{Key: "labctl.request", Value: policy.RootPath(s.Client, s.Request)})
	case topology.AttemptSpan:
		r.attempt(&out, s, root)
	case topology.HitSpan:
		out.Kind, out.Name = trace.Server, r.method
		out.ID, out.Parent = spanID(s.Luck, idHit), spanID(s.Luck, idAttempt)
		out.Attributes = append(out.Attributes, trace.Attribute{Key: trace.HTTPMethod, Value: r.method})
	}
	if s.Open {
		out.Attributes = append(out.Attributes, trace.Attribute{Key: "labctl.unfinished", Value: true})
	}
	end(&out, r.outcome(s))
	return out
}

func (r *Recorder) attempt(out *trace.Span, s topology.Span, root policy.Luck) {
	out.Kind, out.Name = trace.Client, r.method
	out.ID, out.Parent = spanID(s.Luck, idAttempt), spanID(s.Parent, idHit)
	if s.Parent == root {
		out.Parent = spanID(root, idRequest)
	}
	to := r.topo.Services[r.edges[s.Edge].To].Name
	out.Attributes = append(out.Attributes, trace.Attribute{Key: trace.HTTPMethod, Value: r.method}, trace.Attribute{Key: trace.ServerAddress, Value: to})
	if s.Number > 1 {
		out.Attributes = append(out.Attributes, trace.Attribute{Key: trace.ResendCount, Value: int64(s.Number - 1)})
	}
}

// outcome is that of a span. A caller that left an attempt at its timeout timed out:
// engines only know that it left.
func (r *Recorder) outcome(s topology.Span) policy.Outcome {
	o := s.Outcome
	if s.Kind != topology.AttemptSpan || s.Open || o.Kind != policy.Cancelled {
		return o
	}
	if limit := r.timeouts[s.Edge]; limit > 0 && int64(s.End-s.Start) >= limit {
		return policy.Failed(policy.Timeout)
	}
	return o
}

// end puts an outcome into the words of the conventions: of an answer the status and,
// where it is an error to that side, that as the type of the error too.
func end(s *trace.Span, o policy.Outcome) {
	fails := !o.OK() && o.Kind != policy.Degraded
	status := int64(0)
	switch {
	case o.Kind == policy.Answered:
		status = int64(o.Status)
		fails = fails && (s.Kind != trace.Server || status >= 500)
	case o.Kind == policy.Degraded:
		status = http.StatusOK
		s.Attributes = append(s.Attributes, trace.Attribute{Key: "labctl.degraded", Value: true})
	}
	if status > 0 {
		s.Attributes = append(s.Attributes, trace.Attribute{Key: trace.HTTPStatus, Value: status})
	}
	if fails {
		kind := o.String()
		if status > 0 {
			kind = strconv.FormatInt(status, 10)
		}
		s.Attributes = append(s.Attributes, trace.Attribute{Key: trace.ErrorType, Value: kind})
		s.Status = trace.Error
	}
}

func spanID(l policy.Luck, what policy.Purpose) (id trace.SpanID) {
	binary.BigEndian.PutUint64(id[:], l.Draw(what))
	return id
}
