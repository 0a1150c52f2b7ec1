package main

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// scripted is a tail whose hits come at these instants and take a while.
type scripted struct {
	begun time.Time
	hits  []time.Duration
	takes time.Duration
}

func (s scripted) glance(context.Context) (sight, error) {
	var out sight
	for _, at := range s.hits {
		if since := time.Since(s.begun); since >= at {
			out.count++
			out.busy = out.busy || since < at+s.takes
		}
	}
	return out, nil
}

func (s scripted) where() string                           { return "" }
func (s scripted) program() string                         { return "503" }
func (s scripted) forget(context.Context) error            { return nil }
func (s scripted) look(ctx context.Context) (sight, error) { return s.glance(ctx) }
func (s scripted) pace() time.Duration                     { return 20 * time.Millisecond }
func (s scripted) close()                                  {}

// each are the instants of so many hits, at this distance.
func each(d time.Duration, n int) (at []time.Duration) {
	for i := range n {
		at = append(at, time.Duration(i)*d)
	}
	return at
}

func TestUntilQuiet(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name        string
		hits        []time.Duration
		takes       time.Duration
		while, most time.Duration
		after       time.Duration
		want        ending
	}{
		{"no hit", nil, 0, 3 * s, 20 * s, 3 * s, quiet},
		{"retries in the background", each(2*s, 3), 0, 3 * s, 20 * s, 7 * s, quiet},
		{"a hit in progress", each(s, 1), 5 * s, 3 * s, 20 * s, 8 * s, quiet},
		{"a rest that is longer", each(10*s, 2), 0, 3 * s, 20 * s, 3 * s, quiet},
		{"in progress for ever", each(s, 1), time.Hour, 3 * s, 20 * s, 20 * s, busy},
		{"in progress until a moment ago", each(s, 1), 19 * s, 3 * s, 20 * s, 20 * s, busy},
		{"arriving for ever", each(s, 100), 0, 3 * s, 20 * s, 20 * s, arriving},
		{"arriving and in progress", each(s, 100), time.Hour, 3 * s, 20 * s, 20 * s, arriving},
		{"a while that is longer than the most", each(s, 1), 0, 30 * s, 20 * s, 30 * s, quiet},
	} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			got, err := untilQuiet(t.Context(), scripted{begun, tt.hits, tt.takes}, tt.while, tt.most)
			if took := time.Since(begun); got != tt.want || err != nil || took < tt.after-50*time.Millisecond || took > tt.after+50*time.Millisecond {
				t.Errorf("%s: ending %v after %v, %v, want %v after %v", tt.name, got, took, err, tt.want, tt.after)
			}
		})
	}
}

// A probe that takes long says what it waits for, on a terminal only.
func TestTellHits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w paper
		tail := scripted{time.Now(), each(time.Second, 100), 0}
		stop := tellHits(t.Context(), progress{&w}, tail, "at most 1m0s for the answer")
		time.Sleep(900 * time.Millisecond)
		synctest.Wait()
		if w.String() != "" {
			t.Errorf("within a second there is %q", w.String())
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := last(&w); got != "3 hits so far; 2s of at most 1m0s for the answer" {
			t.Errorf("the line says %q", got)
		}
		stop()
		if !strings.HasSuffix(w.String(), clearLine) {
			t.Errorf("in the end there is %q", last(&w))
		}
		tellHits(t.Context(), progress{}, tail, "nothing")()
	})
}
