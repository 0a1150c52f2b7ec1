package policy

// MaxLimits is how many entries AdaptiveSignals.Over has at most: enough for a
// chart, whatever the run does.
const MaxLimits = 10_000

// LimitAt is an adaptive limit from an instant on.
type LimitAt struct {
	At    Instant
	Limit int
}

// limits is a limit over time. When it is full it halves its resolution in time:
// of the changes within one step only the last is kept, so that it ends with what
// is. Peaks between are lost here, and kept in Lowest and Highest.
type limits struct {
	at   []LimitAt
	step Instant // in nanoseconds; 0 counts as 1
}

// add notes a change. Instants do not go back.
func (l *limits) add(c LimitAt) {
	l.step = max(l.step, 1)
	if last := len(l.at) - 1; last >= 0 && l.at[last].At/l.step == c.At/l.step {
		l.at[last] = c
		return
	}
	l.at = append(l.at, c)
	for len(l.at) == MaxLimits {
		l.halve()
	}
}

// halve doubles the step. Full steps may have been far apart, so that it may take
// several times before two of them meet.
func (l *limits) halve() {
	l.step *= 2
	kept := l.at[:0]
	for _, c := range l.at {
		if last := len(kept) - 1; last >= 0 && kept[last].At/l.step == c.At/l.step {
			kept[last] = c
		} else {
			kept = append(kept, c)
		}
	}
	l.at = kept
}
