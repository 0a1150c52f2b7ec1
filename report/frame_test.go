package report

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// underway is a herd whose third wave is just arriving.
func underway() Underway {
	v := herdOf("jitter 50%", []int64{200, 0, 61, 72, 67, 0, 58, 41}, []int64{0, 0, 61, 72, 67, 0, 58, 41}, 200)
	v.Hits, v.Waves = 499, []int64{200, 99}
	return Underway{Title: "jitter-herd: jitter 50% (2 of 4)", ElapsedMS: 396, ExpectedMS: 1204, InFlight: 12, Variant: v}
}

// billions are bins that differ by nine digits.
func billions() Underway {
	bins := slices.Repeat([]int64{4_000_000_000, 1, 0, 987_654_321, 12, 0}, 20)
	retries := slices.Clone(bins)
	retries[0] = 0
	v := herdOf("a night", bins, retries, 4_000_000_000)
	v.BinMS, v.Hits, v.Waves = 1_000_000, total(bins), []int64{1, 19_753_086_440}
	return Underway{Title: "a night", ElapsedMS: 120_000_000, InFlight: 1_234_567, Variant: v}
}

func frame(u Underway, o Options) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(Frame(u, o), "\n")+"\n")
		return err
	}
}

// A frame that is wider or higher than the screen could not be drawn over.
func TestFramesFitTheScreen(t *testing.T) {
	long := underway()
	long.Title = strings.Repeat("名", 100)
	long.Variant.Name = strings.Repeat("n", 100)
	for _, u := range []Underway{underway(), billions(), long, {}} {
		for _, width := range []int{1, 5, 20, 40, 41, 60, 80, 120, 200} {
			for lines := 1; lines <= 60; lines++ {
				got := Frame(u, Options{Width: width, Lines: lines, Color: true})
				if len(got) > lines || len(got) == 0 {
					t.Errorf("%s: %d lines on a screen of %d", u.Title, len(got), lines)
				}
				for _, line := range got {
					if w := textWidth(line); w > width {
						t.Errorf("%s: %d columns on a screen of %d: %s", u.Title, w, width, line)
					}
				}
			}
		}
	}
}

// All bars of a series begin in one column, however wide their counts are.
func TestBarsAreAligned(t *testing.T) {
	for _, width := range []int{40, 60, 80, 120} {
		column := -1
		for _, line := range Frame(billions(), Options{Width: width, Lines: 60}) {
			if !strings.Contains(line, "–") {
				continue
			}
			at := strings.IndexAny(line, firstBlock+retryBlock)
			if at < 0 {
				continue // an empty bin
			}
			if at = textWidth(line[:at]); column >= 0 && at != column {
				t.Errorf("at %d: a bar begins in column %d, the one before in %d: %s", width, at, column, line)
			}
			column = at
		}
		if column < 0 {
			t.Errorf("at %d: no bars", width)
		}
	}
}
