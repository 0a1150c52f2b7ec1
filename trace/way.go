package trace

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// way is a service as it is reached by one way from a root, and what was seen of that.
type way struct {
	service string
	from    *way // nil: a root
	next    map[string]*way
	depth   int

	requests, attempts, bare int64
	repeats
}

// repeats is what was repeated on the calls from one service to another.
type repeats struct {
	calls, most, retries, inferred, overlapping int64
	hidden, unheard, missing                    int64
	on                                          map[string]int64
	rests                                       []time.Duration
}

func (w *way) to(service string) *way {
	n := w.next[service]
	if n == nil {
		n = &way{service: service, from: w, next: map[string]*way{}, depth: w.depth + 1}
		n.on = map[string]int64{}
		w.next[service] = n
	}
	return n
}

// called counts the attempts at a service that belong to one request of its caller.
func (w *way) called(calls []call) {
	w.attempts += int64(len(calls))
	for i := range calls {
		if c := &calls[i]; c.bare {
			w.bare++
		} else if n := int64(len(c.arrivals)); n == 0 {
			w.unheard++
		} else {
			w.hidden += n - 1
		}
	}
	running := int64(0) // the end of what began so far
	for i, c := range chainsOf(calls) {
		w.calls++
		w.missing += c.missing
		w.most = max(w.most, int64(len(c.attempts))+c.missing)
		first := c.attempts[0].span
		if i > 0 && first.Start < running {
			w.overlapping++
		}
		running = max(running, first.End)
		for n := 1; n < len(c.attempts); n++ {
			w.again(c.attempts[n-1].span, c.attempts[n])
		}
	}
}

// again counts one attempt that followed another one of its call.
func (w *way) again(before *Span, c *call) {
	if c.span.Start < before.End {
		w.overlapping++
		return
	}
	if code, is := before.number(HTTPStatus, oldStatusCode); is && code >= 300 && code < 400 {
		return // a redirect is followed and not retried
	}
	w.retries++
	if c.resends == 0 {
		w.inferred++
	}
	w.on[before.outcome()]++
	w.rests = append(w.rests, time.Duration(c.span.Start-before.End))
}

func (r *repeats) add(o *repeats) {
	r.calls += o.calls
	r.most = max(r.most, o.most)
	r.retries += o.retries
	r.inferred += o.inferred
	r.overlapping += o.overlapping
	r.hidden += o.hidden
	r.unheard += o.unheard
	r.missing += o.missing
	for what, n := range o.on {
		r.on[what] += n
	}
	r.rests = append(r.rests, o.rests...)
}

func (r *repeats) counts() []Count {
	out := []Count{}
	for what, n := range r.on {
		out = append(out, Count{what, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.What, b.What)) })
	return out
}

func (r *repeats) rest() *Rest {
	if len(r.rests) == 0 {
		return nil
	}
	slices.Sort(r.rests)
	at := func(i int) float64 { return float64(r.rests[i]) / float64(time.Millisecond) }
	return &Rest{Min: at(0), Median: at((len(r.rests) - 1) / 2), Max: at(len(r.rests) - 1)}
}

// all lists a way and all that go on from it, by name.
func (w *way) all(to []*way) []*way {
	to = append(to, w)
	for _, service := range slices.Sorted(maps.Keys(w.next)) {
		to = w.next[service].all(to)
	}
	return to
}
