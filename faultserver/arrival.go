package faultserver

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
)

// An Arrival is what is known of one hit.
type Arrival struct {
	At         time.Duration // when it arrived, since the release
	End        time.Duration // when the tail was done with it, -1 while it is not
	Method     string
	Target     string             // as in the request line
	ID         string             // of the logical request, "" when the caller gave none
	Path       string             // the PathHeader as it came
	Remote     string             // the caller's address
	Conn       int                // its connection, from 1 in the order of accepting; 0: unknown, for want of [Connections]
	Turn       int                // which request on that connection it is, from 1: above, it came on a reused one
	Headers    []string           // first values of the headers that [Config.Headers] names, in that order; nil when it names none
	Body       int64              // bytes of request body read, at most MaxDrain
	Status     int                // of the action that the program had for it; Next may have answered otherwise
	Kind       program.Kind       // of that action, which a hit did not meet that its key kept from running
	Complete   bool               // the request body was read to its end
	CutShort   bool               // the caller left during a delay, hang or slow body, or while it waited
	TurnedAway bool               // by its [Job]: it met neither its key nor its action
	Worked     bool               // it performed the side effect: its action works, see program.Kind.Works, and its delay came to an end
	Keyed      idempotency.Answer // what its idempotency key made of it: Run, also without one, Replay, Conflict, or Wait if it left waiting
}

// inProgress is the End of a hit that the tail still works on.
const inProgress = -1

// finish publishes the fields that a hit learns on its way. End is stored last and
// atomically, which spares the hot path a second lock: see snapshot.
func (a *Arrival) finish(end time.Duration, h *hit, cutShort bool) {
	a.Body, a.Complete, a.CutShort, a.TurnedAway, a.Worked, a.Keyed = h.body, h.whole, cutShort, h.turnedAway, h.worked, h.answer
	if end == inProgress {
		end++ // an instant before the release that looks like the mark
	}
	atomic.StoreInt64((*int64)(&a.End), int64(end))
}

// snapshot copies a record that its hit may be finishing at this moment: an End that
// is still the mark means that the late fields are not to be read yet.
func (a *Arrival) snapshot() Arrival {
	if atomic.LoadInt64((*int64)(&a.End)) != inProgress {
		return *a
	}
	return Arrival{
		At: a.At, End: inProgress, Method: a.Method, Target: a.Target, ID: a.ID, Path: a.Path,
		Remote: a.Remote, Conn: a.Conn, Turn: a.Turn, Headers: a.Headers, Kind: a.Kind, Status: a.Status,
	}
}

// chunkSize balances waste in a lab of many small tails against allocations in a big one.
const chunkSize = 512

// A book holds arrivals in chunks, so that growing never copies and the address
// of a record is good for as long as its hit needs it.
type book struct {
	chunks []*[chunkSize]Arrival
	length int
}

// add returns the next free record.
func (b *book) add() *Arrival {
	i := b.length % chunkSize
	if i == 0 {
		b.chunks = append(b.chunks, new([chunkSize]Arrival))
	}
	b.length++
	return &b.chunks[len(b.chunks)-1][i]
}

// each calls f with every record in the order of counting.
func (b book) each(f func(*Arrival)) {
	for i := range b.length {
		f(&b.chunks[i/chunkSize][i%chunkSize])
	}
}

// byInstant puts hits in order of arrival. They were counted in nearly that order: two
// that came together may have passed the lock the other way round.
func byInstant(arrivals []Arrival) {
	earlier := func(a, b Arrival) int { return cmp.Compare(a.At, b.At) }
	if !slices.IsSortedFunc(arrivals, earlier) {
		slices.SortStableFunc(arrivals, earlier)
	}
}

// keepHeaders copies the headers that are to be kept.
func (h *Handler) keepHeaders(r *http.Request) []string {
	if len(h.config.Headers) == 0 {
		return nil
	}
	values := make([]string, len(h.config.Headers))
	for i, name := range h.config.Headers {
		values[i] = clip(header(r, name))
	}
	return values
}

// clip bounds a stranger's text. The clone lets go of the long original.
func clip(text string) string {
	if len(text) <= MaxText {
		return text
	}
	return strings.Clone(text[:MaxText])
}
