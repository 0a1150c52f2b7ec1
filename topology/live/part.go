package live

import (
	"context"
	"time"
)

// part is what a process has of a run that many processes make together: one
// service, or some of the clients.
type part struct {
	patience time.Duration // of an attempt, before its answer begins

	// Of clients.
	first, count int       // whose numbers these are
	release      time.Time // at which they all begin
}

// sinceHeader says how long ago the release was when an attempt was sent. With the
// first request a service learns of the release by it, but for the time on the way.
const sinceHeader = "Labctl-Since"

// has reports whether a client is one of this process.
func (p *part) has(client int) bool {
	return p == nil || p.first <= client && client < p.first+p.count
}

// clients is how many of n clients, of which the first has a number, are of this
// process.
func (p *part) clients(first, n int) int {
	if p == nil {
		return n
	}
	return max(min(first+n, p.first+p.count)-max(first, p.first), 0)
}

// appointed waits for the instant that several herds have agreed on. Without such
// an instant it has come.
func (h *herd) appointed(ctx context.Context) bool {
	return h.lab.part == nil || pause(ctx, time.Until(h.lab.part.release))
}
