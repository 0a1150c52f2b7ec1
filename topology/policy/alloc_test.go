package policy

import (
	"testing"
	"time"
)

// failThrice runs one call of three attempts on an edge: the tail refuses all.
func failThrice(e *Edge, luck Luck, list []Action) []Action {
	now := Instant(0)
	_, list = e.Start(Request{Luck: luck, Repeatable: true}, now, list[:0])
	for i := 0; i < len(list); i++ {
		switch a := list[i]; a.Kind {
		case Send:
			now = now.Add(time.Millisecond)
			list = e.Done(a.Ref, unavailable, now, list)
		case Wake:
			if a.Rest {
				now = max(now, a.At)
				list = e.Timer(a.Ref, a.Arming, now, list)
			}
		}
	}
	return list
}

// usual is the stack that most people run: retries around a timeout.
func usual() []Policy {
	return []Policy{
		&Retry{Attempts: 3, Rest: Rest{Base: 100 * time.Millisecond, Backoff: Backoff{Growth: Exponential}, Jitter: Jitter{Law: Full}}},
		&TimeoutAfter{Limit: time.Second},
	}
}

// TestNoAllocations: once an edge has grown to its load, a call costs no memory.
func TestNoAllocations(t *testing.T) {
	for _, passes := range []bool{false, true} {
		e := NewEdge(1, usual(), passes)
		list := failThrice(e, 1, nil)
		equal(t, "last action", script(list[len(list)-2:]), "answer 503, end")
		var luck Luck
		equal(t, "allocations of a call", testing.AllocsPerRun(1000, func() {
			luck++
			list = failThrice(e, luck, list)
		}), 0)
		equal(t, "allocations of a cancelled call", testing.AllocsPerRun(1000, func() {
			var root Ref
			root, list = e.Start(Request{}, 0, list[:0])
			send := list[1].Ref
			list = e.Cancel(root, 1, list[:0])
			list = e.Done(send, Failed(Cancelled), 1, list[:0])
		}), 0)
		equal(t, "calls", e.Calls(), 0)
		equal(t, "frames", len(e.frames) <= 4, true)
	}
}

func BenchmarkCallOf3Attempts(b *testing.B) {
	e := NewEdge(1, usual(), true)
	list := failThrice(e, 1, nil)
	var luck Luck
	b.ReportAllocs()
	for b.Loop() {
		luck++
		list = failThrice(e, luck, list)
	}
}
