package main

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/live"
)

const (
	// frameEvery is how often a frame is drawn, at most.
	frameEvery = 100 * time.Millisecond
	// frameShare keeps drawing to one part in so many of the time: the lab that is
	// watched runs on the same processors.
	frameShare = 20
)

// watcher draws what arrives while a live run goes on. Hits are added up as they
// come, so a frame costs as much after a million of them as after one.
type watcher struct {
	screen *screen
	color  bool
	brief  bool // leaves the screen after each run, since another engine's comes next

	mu       sync.Mutex
	run      report.Underway // what a hit does not change
	bins     *report.Bins
	released time.Time // reckoned from the first hit
	inFlight int64
}

// engine runs what o says, and draws it.
func (w *watcher) engine(o live.Options, title func() string) scenarios.Engine {
	o.Hit, o.Left = w.hit, w.left
	run := scenarios.LiveWith(o, w.tell)
	return func(ctx context.Context, r scenarios.Run) (report.Variant, []report.Warning, error) {
		w.begin(title(), r.Name, r.For("live").Run)
		stop := w.start(ctx)
		defer stop()
		return run(ctx, r)
	}
}

func (w *watcher) begin(title, name string, run topology.Run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.run = report.Underway{Title: title, Variant: report.Variant{
		Name: name, At: run.At,
		BinMS: report.Milliseconds(run.Bin), BinOffsetMS: report.Milliseconds(run.BinOffset),
	}}
	w.bins, w.released, w.inFlight = report.NewBins(run.Bin, run.BinOffset), time.Time{}, 0
}

func (w *watcher) hit(at time.Duration, first bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.released.IsZero() {
		w.released = time.Now().Add(-at)
	}
	w.inFlight++
	w.bins.Add(at, first)
}

func (w *watcher) left() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inFlight--
}

// tell is told how long the run takes in virtual time.
func (w *watcher) tell(_, expected int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.run.ExpectedMS = float64(expected)
}

// start draws until the returned function is called. On an interrupt it leaves the
// screen at once: the next one kills.
func (w *watcher) start(ctx context.Context) (stop func()) {
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		next := time.NewTimer(frameEvery)
		defer next.Stop()
		for {
			select {
			case <-next.C:
				begun := time.Now()
				w.draw()
				next.Reset(max(frameEvery, frameShare*time.Since(begun)))
			case <-ctx.Done():
				w.screen.leave()
				return
			case <-over:
				w.draw() // what came since the last frame
				if w.brief {
					w.screen.leave()
				}
				return
			}
		}
	}()
	return func() { close(over); <-gone }
}

// draw draws one frame, for the size that the terminal has now.
func (w *watcher) draw() {
	columns, lines := w.screen.size()
	w.screen.draw(report.Frame(w.now(), report.Options{Width: columns, Lines: lines, Color: w.color}))
}

// now is the run as far as it has come.
func (w *watcher) now() report.Underway {
	w.mu.Lock()
	defer w.mu.Unlock()
	u := w.run
	if w.bins.Total() == 0 {
		return u
	}
	u.ElapsedMS, u.InFlight = report.Milliseconds(time.Since(w.released)), w.inFlight
	v := &u.Variant
	v.Hits, v.FirstWave = w.bins.Total(), w.bins.FirstWave()
	v.Bins, v.RetryBins, v.Waves = w.bins.All(), w.bins.Retry(), w.bins.Waves()
	return u
}

// watchable refuses to watch what nobody could see.
func (f *labFlags) watchable(s streams, quiet bool) error {
	switch {
	case !f.watch:
		return nil
	case f.engine == engineSim:
		return errors.New("--watch shows hits as they arrive: run it with --engine live, since virtual time is over at once")
	case quiet:
		return errors.New("--quiet shows no progress, and --watch all of it: leave one out")
	case s.progress == nil && os.Getenv("TERM") == "dumb":
		return errors.New("--watch draws over and over, which this terminal cannot (TERM=dumb): leave it out")
	case s.progress == nil:
		return errors.New("--watch draws on the terminal, and stderr is none: leave it out")
	}
	return nil
}
