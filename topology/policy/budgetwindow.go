package policy

import "time"

// budgetWindow counts what happened within a window, a tenth of it at a time.
type budgetWindow struct {
	parts [buckets]budgetPart
}

// budgetPart is one tenth, or several added up.
type budgetPart struct {
	number                     int64 // of the tenth since the release of the run, plus 1: 0 is none
	requests, retries, byFloor int64
}

// tenth numbers the tenth of a window that an instant lies in.
func tenth(now Instant, window time.Duration) int64 {
	return int64(max(now, 0))/max(int64(window)/buckets, 1) + 1
}

// part is the tenth that is now.
func (w *budgetWindow) part(now Instant, window time.Duration) *budgetPart {
	number := tenth(now, window)
	p := &w.parts[number%buckets]
	if p.number != number {
		*p = budgetPart{number: number}
	}
	return p
}

// sum is what the window holds: this tenth and the nine before.
func (w *budgetWindow) sum(now Instant, window time.Duration) (all budgetPart) {
	oldest := tenth(now, window) - buckets
	for i := range w.parts {
		if p := &w.parts[i]; p.number > oldest {
			all.requests += p.requests
			all.retries += p.retries
			all.byFloor += p.byFloor
		}
	}
	return all
}
