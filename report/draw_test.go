package report

import (
	"bytes"
	"strings"
	"testing"
)

func TestLongTreesSayWhatTheyLeaveOut(t *testing.T) {
	attempts := make([]Attempt, maxTreeLines+187)
	for i := range attempts {
		attempts[i] = Attempt{Depth: min(i, 1), Layer: "a", Number: i + 1, To: "b"}
	}
	var text bytes.Buffer
	if err := Tree(&text, attempts); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), "\n"); n != maxTreeLines+1 {
		t.Errorf("%d lines", n)
	}
	if want := "… 187 attempts more left out: the JSON has them all\n"; !strings.HasSuffix(text.String(), want) {
		t.Errorf("ends with %q", text.String()[text.Len()-80:])
	}
}

// Depths that no run gives must not bring the renderer down.
func TestOddTrees(t *testing.T) {
	for _, attempts := range [][]Attempt{nil, {{Depth: 1000}}, {{Depth: 5}, {Depth: -3}, {Depth: 900}}} {
		if err := Tree(&bytes.Buffer{}, attempts); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryHitIsSeen(t *testing.T) {
	s := series{total: []int64{1_000_000, 1, 0}, retries: []int64{1, 0, 0}, countWidth: 9}
	for row, want := range []string{"1,000,000 ███████▒", "        1 █", "        0 "} {
		if got := s.cell(row, 1_000_000, 8); got != want {
			t.Errorf("row %d is %q, want %q", row, got, want)
		}
	}
}

func TestHistogramsStayShort(t *testing.T) {
	for _, bins := range []int{1, 40, 41, 100, 999, 1000, 100_000} {
		v := Variant{Name: "v", BinMS: 50, Bins: make([]int64, bins)}
		for k := range v.Bins {
			v.Bins[k] = 1
		}
		if h := newHistogram([]Variant{v}, maxRows); len(h.lines) > maxRows || total(h.series[0].total) != int64(bins) {
			t.Errorf("%d bins make %d lines that hold %d hits", bins, len(h.lines), total(h.series[0].total))
		}
	}
}
