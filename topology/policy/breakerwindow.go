package policy

import "time"

// lastFailures tells whether so many failures lie within a window. It is exact:
// it keeps the instants of the last ones.
type lastFailures struct {
	at   []Instant // grows to as many as count, then a ring
	next int       // the oldest, where the next will be
}

// add notes a failure and reports whether it is the last of count within the
// window, which holds its start and not its end.
func (l *lastFailures) add(now Instant, count int, window time.Duration) bool {
	if len(l.at) < count {
		l.at = append(l.at, now)
	} else {
		l.at[l.next] = now
		l.next = (l.next + 1) % count
	}
	return len(l.at) == count && now.Sub(l.at[l.next]) < window
}

func (l *lastFailures) clear() { l.at, l.next = l.at[:0], 0 }

// buckets is how many parts a rate's window has, as in Hystrix.
const buckets = 10

// failureRate counts calls and failures within a window. It forgets a tenth of
// the window at a time, so that its size does not depend on the traffic: an
// outcome counts for at least 9/10 of the window, and less than all of it.
type failureRate struct {
	parts [buckets]ratePart
}

type ratePart struct {
	number          int64 // of the part since the release of the run: tells whether the window still holds it
	calls, failures int64
}

// add notes an outcome and returns what the window then holds.
func (r *failureRate) add(now Instant, failed bool, window time.Duration) (calls, failures int64) {
	number := int64(max(now, 0)) / max(int64(window)/buckets, 1)
	p := &r.parts[number%buckets]
	if p.number != number {
		*p = ratePart{number: number}
	}
	p.calls++
	if failed {
		p.failures++
	}
	for i := range r.parts {
		if q := &r.parts[i]; q.number > number-buckets {
			calls, failures = calls+q.calls, failures+q.failures
		}
	}
	return calls, failures
}

func (r *failureRate) clear() { *r = failureRate{} }
