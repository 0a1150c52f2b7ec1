package main

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"labctl/topology"
)

// watching is a watcher with a terminal, and a run that begins.
func watching(t *testing.T, columns, lines int) (*terminal, *watcher) {
	t.Helper()
	term := newTerminal("$ labctl run herd --watch")
	s := &screen{w: term, size: func() (int, int) { return columns, lines }}
	w := &watcher{screen: s}
	w.begin("herd: plain (1 of 1)", "plain", topology.Run{Bin: 50 * time.Millisecond})
	return term, w
}

// arrive is a herd of ten whose requests fail at once, twice, 100 ms apart.
func arrive(w *watcher) {
	for wave := range 2 {
		at := time.Duration(wave) * 100 * time.Millisecond
		for range 10 {
			w.hit(at+time.Millisecond, wave == 0)
		}
		for range 9 {
			w.left()
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func TestFramesShowWhatHasArrived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term, w := watching(t, 60, 20)
		stop := w.start(t.Context())
		w.tell(0, 400)
		time.Sleep(150 * time.Millisecond)
		synctest.Wait()
		if got, want := term.shows(), "herd: plain (1 of 1)\nno hit yet\n"; got != want {
			t.Errorf("before the first hit:\n%swant\n%s", got, want)
		}
		arrive(w)
		synctest.Wait()
		const want = `herd: plain (1 of 1)
151 ms of about 400 ms   20 hits   2 in flight
first wave 10   waves 10

hits at the tail per 50 ms   █ first attempts   ▒ retries

            plain
   0–50 ms  10 ████████████████████████████████████████
 50–100 ms   0
100–150 ms  10 ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
`
		if got := term.shows(); got != want {
			t.Errorf("the last frame:\n%swant\n%s", got, want)
		}
		stop()
		w.screen.leave()
		if got, want := term.shows(), "$ labctl run herd --watch\n"; got != want {
			t.Errorf("in the end: %q, want %q", got, want)
		}
	})
}

// A frame is made for the size that the terminal has when it is drawn.
func TestFramesFollowTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term, w := watching(t, 80, 24)
		var columns, lines atomic.Int64
		columns.Store(80)
		lines.Store(24)
		w.screen.size = func() (int, int) { return int(columns.Load()), int(lines.Load()) }
		defer w.start(t.Context())()
		arrive(w)
		time.Sleep(frameEvery / 2) // between two frames
		synctest.Wait()
		for _, size := range []struct{ columns, lines int }{{40, 24}, {120, 50}, {80, 9}, {20, 4}, {1, 1}, {80, 24}} {
			columns.Store(int64(size.columns))
			lines.Store(int64(size.lines))
			time.Sleep(frameEvery)
			synctest.Wait()
			if !term.fits(size.columns, size.lines) {
				t.Errorf("%d × %d does not hold\n%s", size.columns, size.lines, term.shows())
			}
		}
	})
}

// slow is a terminal that takes its time.
type slow struct {
	*terminal
	takes time.Duration
}

func (s slow) Write(p []byte) (int, error) {
	time.Sleep(s.takes)
	return s.terminal.Write(p)
}

// Drawing takes no more of the processors than its share.
func TestFrameRateIsBounded(t *testing.T) {
	frames := map[time.Duration]int{0: 101, 5 * time.Millisecond: 97, 50 * time.Millisecond: 11} // and the last one, after the run
	for takes, most := range frames {
		synctest.Test(t, func(t *testing.T) {
			term, w := watching(t, 80, 24)
			w.screen.w = slow{term, takes}
			stop := w.start(t.Context())
			time.Sleep(10*time.Second + time.Millisecond)
			stop()
			if term.drawn > most || term.drawn < most-2 {
				t.Errorf("%v a frame: %d frames in ten seconds, want %d", takes, term.drawn, most)
			}
		})
	}
}

// An interrupt leaves the screen before the run has ended: the next one kills.
func TestInterruptLeavesTheScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term, w := watching(t, 80, 24)
		ctx, cancel := context.WithCancel(t.Context())
		stop := w.start(ctx)
		time.Sleep(10*frameEvery + frameEvery/2)
		synctest.Wait()
		if !term.alternate {
			t.Fatal("no frame was drawn")
		}
		cancel()
		synctest.Wait()
		if term.alternate {
			t.Error("the terminal still shows frames")
		}
		time.Sleep(time.Second)
		if stop(); term.drawn != 10 {
			t.Errorf("%d frames, want the 10 before the interrupt", term.drawn)
		}
	})
}

// Nothing is watched that nobody could see.
func TestWatchIsRefused(t *testing.T) {
	var term bytes.Buffer
	for _, c := range []struct {
		args string
		s    streams
		want string
	}{
		{"run layers --watch", streams{}, "stderr is none: leave it out"},
		{"run layers --watch --engine sim", streams{progress: &term}, "run it with --engine live"},
		{"run layers --watch --quiet", streams{progress: &term}, "leave one out"},
		{"run layers --watch --count 12", streams{progress: &term}, "leave out --watch"},
	} {
		var out, err bytes.Buffer
		c.s.out, c.s.err = &out, &err
		code := run(t.Context(), strings.Fields(c.args), c.s)
		if code != exitUsage || out.Len()+term.Len() > 0 || !strings.Contains(err.String(), "--watch") || !strings.Contains(err.String(), c.want) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", c.args, code, out.String(), err.String())
		}
	}
}
