package main

import (
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// barAfter is how long a run may take before it gets a bar: what is over in a
// blink needs none.
const barAfter = time.Second

// bar shows how far a run is, with its rate and the time that is left, where
// progress is shown at all.
type bar struct {
	p progress

	mu    sync.Mutex
	text  string
	unit  string // what is counted
	since time.Time
	drawn *progressbar.ProgressBar
	over  bool
}

// begin starts anew for another run.
func (b *bar) begin(text, unit string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text, b.unit, b.since, b.drawn = text, unit, time.Now(), nil
	b.p.show(text)
}

// tell is told from many goroutines how much of all is done. One that finds
// another drawing leaves it at that.
func (b *bar) tell(done, all int64) {
	if b.p.w == nil || !b.mu.TryLock() {
		return
	}
	defer b.mu.Unlock()
	if b.over || time.Since(b.since) < barAfter {
		return
	}
	if b.drawn == nil {
		b.p.clear()
		b.drawn = progressbar.NewOptions64(all,
			progressbar.OptionSetWriter(b.p.w),
			progressbar.OptionSetDescription(oneLine(b.text)),
			progressbar.OptionSetWidth(20),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(b.unit),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond),
		)
	}
	_ = b.drawn.Set64(min(done, all)) // a terminal that is gone is no reason to stop
}

// close takes the bar away. Nobody draws after it.
func (b *bar) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	b.p.clear()
}
