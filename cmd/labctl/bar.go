package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"

	"labctl/report"
	"labctl/scenarios"
)

// barAfter is how long something may take before it gets a bar: what is over in a
// blink needs none. No bar is redrawn more often than redraw says.
const (
	barAfter = time.Second
	redraw   = 100 * time.Millisecond
)

// bar shows how far a command is, and the time that is left, where progress is shown
// at all. One for several runs goes on from each to the next, and those in progress
// count for what is done of them; one for a single run says its rate too.
type bar struct {
	p      progress
	runs   int    // up to 1: each begin is about something else
	screen screen // of frames; while it is shown no bar is

	mu    sync.Mutex
	text  string
	unit  string // of what is counted in a single run
	since time.Time
	named time.Time // when the bar got its text
	ended int
	parts []*part // in progress
	drawn *progressbar.ProgressBar
	over  bool
}

// part is one run of those that a bar is about.
type part struct {
	bar       *bar
	done, all atomic.Int64
}

func newBar(p progress, runs int) *bar {
	return &bar{p: p, runs: runs, screen: screen{w: p.w, size: func() (int, int) { return terminalSize(p.w) }}}
}

// wholeRun is what a run counts for in a bar for several.
const wholeRun = 1000

// begin begins a run.
func (b *bar) begin(text, unit string) *part {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := &part{bar: b}
	if b.runs <= 1 {
		b.since, b.drawn, b.parts = time.Now(), nil, nil
	}
	if b.since.IsZero() {
		b.since = time.Now()
	}
	b.text, b.unit, b.parts = text, unit, append(b.parts, t)
	switch {
	case b.screen.shown:
	case b.drawn == nil:
		b.p.show(text)
	case time.Since(b.named) >= redraw:
		b.named = time.Now()
		b.drawn.Describe(b.description()) // which draws at once
	}
	return t
}

// tell is told from many goroutines how much of all is done. One that finds another
// drawing leaves it at that.
func (t *part) tell(done, all int64) {
	t.done.Store(done)
	t.all.Store(all)
	if b := t.bar; b.p.w != nil && b.mu.TryLock() {
		defer b.mu.Unlock()
		b.draw()
	}
}

// end says that the run is over.
func (t *part) end() {
	b := t.bar
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended++
	for i, other := range b.parts {
		if other == t {
			b.parts = append(b.parts[:i], b.parts[i+1:]...)
			break
		}
	}
	if b.runs > 1 {
		b.draw()
	}
}

// draw draws the bar once it has been long enough. The caller holds mu.
func (b *bar) draw() {
	done, all := b.state()
	if b.p.w == nil || b.over || b.screen.shown || all <= 0 || time.Since(b.since) < barAfter {
		return
	}
	if b.drawn == nil || b.drawn.GetMax64() != all { // an audit repeats more than it meant to at first
		b.p.clear()
		b.drawn = b.make(all)
	}
	_ = b.drawn.Set64(min(done, all)) // a terminal that is gone is no reason to stop
}

// state is how much is done, of a single run in its unit, of several in parts of a
// run each.
func (b *bar) state() (done, all int64) {
	if b.runs <= 1 {
		if len(b.parts) == 0 {
			return 0, 0
		}
		return b.parts[0].done.Load(), b.parts[0].all.Load()
	}
	share := float64(b.ended)
	for _, t := range b.parts {
		if all := t.all.Load(); all > 0 {
			share += min(1, float64(t.done.Load())/float64(all))
		}
	}
	return int64(share * wholeRun), int64(b.runs) * wholeRun
}

// The widths of a bar, and of the numbers and signs around it.
const (
	mostBarWidth  = 20
	leastBarWidth = 5
	besideBar     = 30
	besideRate    = 20 // more, where there is a rate
)

func (b *bar) make(all int64) *progressbar.ProgressBar {
	text := b.description()
	o := []progressbar.Option{
		progressbar.OptionSetWriter(b.p.w),
		progressbar.OptionSetDescription(text),
		progressbar.OptionSetWidth(max(leastBarWidth, min(mostBarWidth, b.room()-utf8.RuneCountInString(text)))),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(redraw),
	}
	if b.runs <= 1 {
		o = append(o, progressbar.OptionShowIts(), progressbar.OptionSetItsString(b.unit))
	}
	return progressbar.NewOptions64(all, o...)
}

// description is the text in what room there is beside the bar: a line that wraps
// could not be cleared again.
func (b *bar) description() string {
	return shorten(b.text, max(b.room()-leastBarWidth, 1))
}

// room is what the line leaves to the bar and its text.
func (b *bar) room() int {
	if b.runs <= 1 {
		return b.p.room() - besideBar - besideRate
	}
	return b.p.room() - besideBar
}

// close takes bar and frames away. Nobody draws after it.
func (b *bar) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.over {
		b.over = true
		b.screen.leave()
		b.p.clear()
	}
}

// watch shows each of so many runs of a plan, by the engine that is told whom to tell.
func (b *bar) watch(plan scenarios.Plan, runs int, unit string, engine func(scenarios.Progress) scenarios.Engine) scenarios.Engine {
	var started atomic.Int64
	return func(ctx context.Context, r scenarios.Run) (report.Variant, []report.Warning, error) {
		t := b.begin(fmt.Sprintf("%s: %s (%d of %d)", plan.Scenario.Name, r.Name, started.Add(1), runs), unit)
		defer t.end()
		return engine(t.tell)(ctx, r)
	}
}

// title is what was begun last.
func (b *bar) title() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text
}
