package policy

import (
	"fmt"
	"time"
)

// The policies of this file exist only in tests. They show what the vocabulary
// carries, and make the composer do what no real policy does yet.

// hedgeAfter sends one copy when the first has taken a while.
func hedgeAfter(d time.Duration) Policy { return Hedge{Delay: d}.New() }

// gate answers every nth call itself, at once: what a breaker or a cache does.
type gate struct {
	every   int
	outcome Outcome
	calls   int
}

func (g *gate) On(_ *Frame, ev Event, _ Instant) Step {
	switch ev.Kind {
	case Start:
		if g.calls++; g.calls%g.every == 0 {
			return returned(g.outcome)
		}
		return Step{Do: Call, Child: 1}
	case Done:
		return returned(ev.Outcome)
	default:
		return returned(Failed(Cancelled))
	}
}

// spy passes everything on and remembers what its frames were told.
type spy struct {
	name string
	log  *[]string
	luck []Luck
	told map[Ref]string // S, D, C for Start, Done, Cancel
}

func newSpy(name string, log *[]string) *spy {
	return &spy{name: name, log: log, told: map[Ref]string{}}
}

func (s *spy) On(f *Frame, ev Event, _ Instant) Step {
	word := map[EventKind]string{Start: "start", Done: "done", Timer: "timer", Granted: "granted", Cancel: "cancel"}[ev.Kind]
	s.told[f.self] += map[EventKind]string{Start: "S", Done: "D", Timer: "T", Granted: "G", Cancel: "C"}[ev.Kind]
	if ev.Kind == Done {
		word += fmt.Sprintf(" %v", ev.Outcome)
		s.luck = append(s.luck, ev.Luck)
	}
	if s.log != nil {
		*s.log = append(*s.log, s.name+" "+word)
	}
	switch ev.Kind {
	case Start:
		return Step{Do: Call, Child: 1}
	case Done:
		return returned(ev.Outcome)
	default:
		return returned(Failed(Cancelled))
	}
}

// quitter returns after a while without dropping what it called.
type quitter struct {
	after time.Duration
	heard []Outcome // of its child
}

func (q *quitter) On(_ *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		return Step{Do: Call | Arm, Child: 7, At: now.Add(q.after)}
	case Done:
		q.heard = append(q.heard, ev.Outcome)
	}
	return returned(Failed(Timeout))
}
