package main

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"labctl/report"
	"labctl/scenarios"
)

// progress is one line on a terminal, written over and over, that says what is
// being run. Without a writer it is silent.
type progress struct{ w io.Writer }

// clearLine goes back to the start of the line and empties it.
const clearLine = "\r\x1b[K"

// longestProgress keeps the line from wrapping, since only its last row could be
// cleared again.
const longestProgress = 72

func (p progress) show(text string) {
	if p.w == nil {
		return
	}
	if runes := []rune(oneLine(text)); len(runes) > longestProgress {
		text = string(runes[:longestProgress-1]) + "…"
	}
	fmt.Fprint(p.w, clearLine, text)
}

func (p progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, clearLine)
	}
}

// watch shows each of so many runs of a plan before it starts.
func (b *bar) watch(plan scenarios.Plan, runs int, unit string, engine scenarios.Engine) scenarios.Engine {
	var started atomic.Int64
	return func(ctx context.Context, r scenarios.Run) (report.Variant, []report.Warning, error) {
		b.begin(fmt.Sprintf("%s: %s (%d of %d)", plan.Scenario.Name, r.Name, started.Add(1), runs), unit)
		return engine(ctx, r)
	}
}
