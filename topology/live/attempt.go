package live

import (
	"context"

	"labctl/topology/policy"
)

// attempt is one request on its way. It is the context of that request as well, in
// which a dial finds it.
type attempt struct {
	context.Context
	cancel context.CancelFunc // nil where it ends with its caller only
	*request
	flight   *flight
	path     string // down to the attempt
	number   int32  // 1 is the first of its call
	start    *held  // of a client's first attempt before the release
	ref      policy.Ref
	host     int16
	deadline policy.Deadline // to send along
	luck     policy.Luck
	began    policy.Instant
	left     policy.Instant // when its caller stopped waiting
	isLeft   bool
}

func newAttempt(e *edge, f *flight, a *policy.Action) *attempt {
	try := &attempt{
		request: f.request, flight: f, ref: a.Ref, host: a.Host, number: a.Number, deadline: a.Deadline, luck: a.Luck,
		path:  policy.ExtendPath(f.path, e.from, e.to, int(a.Number)),
		began: e.lab.clock.now(),
	}
	if f.start != nil && a.Number == 1 && !e.lab.clock.started() {
		try.start = &held{f.start, f.start.after + e.client.latency.Draw(a.Luck.Draw(policy.ForRequest))}
		try.began = policy.Instant(f.start.after)
	}
	return try
}

type attemptKey struct{}

// Value finds the attempt itself, for dial.
func (a *attempt) Value(key any) any {
	if key == (attemptKey{}) {
		return a
	}
	return a.Context.Value(key)
}
