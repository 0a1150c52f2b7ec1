package main

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"labctl/report"
	"labctl/scenarios"
)

// paper keeps what is written, by runs side by side, while a test reads it.
type paper struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *paper) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(text)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

// last is the line that a terminal shows after all that was written to it.
func last(b *paper) string {
	text := strings.TrimRight(strings.ReplaceAll(b.String(), clearLine, "\r"), "\r ")
	return strings.TrimRight(text[strings.LastIndexByte(text, '\r')+1:], " ")
}

// One bar goes over all runs, and those in progress count for what is done of them.
func TestABarForManyRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w paper
		b := newBar(progress{&w}, 4)
		first := b.begin("first", "clients")
		first.tell(5, 10)
		if got := last(&w); got != "first" {
			t.Errorf("within a second there is %q", got)
		}
		time.Sleep(2 * time.Second)
		first.end()
		want := func(text string) {
			t.Helper()
			if got := last(&w); !strings.HasPrefix(got, text) {
				t.Errorf("the bar says %q, want %q", got, text)
			}
		}
		want("first  25% |")
		second, third := b.begin("second", "clients"), b.begin("third", "clients")
		time.Sleep(time.Second)
		second.tell(50, 100)
		want("second  37% |") // the text of one that began within the same tenth of a second
		time.Sleep(time.Second)
		third.tell(1, 2)
		want("second  50% |")
		time.Sleep(time.Second)
		third.end()
		time.Sleep(time.Second)
		second.end()
		want("second  75% |")
		b.begin("fourth", "clients").end()
		want("fourth 100% |")
		b.close()
		if !strings.HasSuffix(w.String(), clearLine) {
			t.Errorf("in the end there is %q", last(&w))
		}
	})
}

// Where runs are counted one by one, each has its own bar, with its rate.
func TestABarForOneRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w paper
		b := newBar(progress{&w}, 1)
		defer b.close()
		probes := b.begin("probes", "probes")
		time.Sleep(2 * time.Second)
		probes.tell(1, 40)
		time.Sleep(2 * time.Second)
		probes.tell(10, 40)
		if got := last(&w); !strings.HasPrefix(got, "probes  25% |") || !strings.Contains(got, "probes/s") {
			t.Errorf("the bar says %q", got)
		}
		repeats := b.begin("repeats", "trials")
		if got := last(&w); got != "repeats" {
			t.Errorf("the next bar begins with %q", got)
		}
		time.Sleep(2 * time.Second)
		repeats.tell(2, 2)
		repeats.tell(1, 10) // after a first look there are more
		if got := last(&w); !strings.HasPrefix(got, "repeats  10% |") {
			t.Errorf("the bar says %q", got)
		}
	})
}

// A bar that wraps could not be cleared.
func TestABarStaysOnItsLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w paper
		b := newBar(progress{&w}, 1)
		defer b.close()
		p := b.begin(strings.Repeat("long ", 40), "clients")
		time.Sleep(3 * time.Hour)
		p.tell(1, 1_000_000_000)
		if got := last(&w); len([]rune(got)) >= pageWidth {
			t.Errorf("%d columns: %q", len([]rune(got)), got)
		}
	})
}

// Runs side by side, as those of a sweep, tell the bar each for itself.
func TestWatchedRunsTellTheBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w paper
		b := newBar(progress{&w}, 2)
		defer b.close()
		engine := b.watch(scenarios.Plan{Scenario: scenarios.Scenario{Name: "lab"}}, 2, "clients", func(p scenarios.Progress) scenarios.Engine {
			return func(_ context.Context, r scenarios.Run) (report.Variant, []report.Warning, error) {
				time.Sleep(2 * time.Second)
				p(1, 2)
				time.Sleep(time.Second)
				return report.Variant{}, nil, nil
			}
		})
		go func() { _, _, _ = engine(t.Context(), scenarios.Run{Name: "a"}) }()
		time.Sleep(500 * time.Millisecond)
		go func() { _, _, _ = engine(t.Context(), scenarios.Run{Name: "b"}) }()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := last(&w); !strings.HasPrefix(got, "lab: b (2 of 2)  50% |") {
			t.Errorf("the bar says %q", got)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := last(&w); !strings.HasPrefix(got, "lab: b (2 of 2) 100% |") {
			t.Errorf("the bar says %q", got)
		}
	})
}
