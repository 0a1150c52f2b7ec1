package report

import (
	"bytes"
	"slices"
	"testing"
	"time"
)

func logEdges() *Edges {
	return NewEdges(3300*time.Microsecond, 10*ms, 33*ms, 100*ms, 333*ms, time.Second, 3*time.Second, 10*time.Second, 33*time.Second)
}

// Fast requests were once reported as slower than 33 seconds: what lies below
// the first edge has a row of its own.
func TestEdgesKeepFastRequestsFast(t *testing.T) {
	e := logEdges()
	for n, d := range map[int]time.Duration{412: 2 * ms, 86: 5 * ms, 2: 10164 * time.Microsecond} {
		for range n {
			e.Add(d)
		}
	}
	if want := []int64{412, 86, 2, 0, 0, 0, 0, 0, 0, 0}; !slices.Equal(e.counts, want) {
		t.Errorf("got %v, want %v", e.counts, want)
	}
	var text bytes.Buffer
	if err := e.Write(&text, 50); err != nil {
		t.Fatal(err)
	}
	want := `  below 3.3ms  412  ██████████████████████████████
 3.3ms – 10ms   86  ██████
  10ms – 33ms    2  █
 33ms – 100ms    0
100ms – 333ms    0
   333ms – 1s    0
      1s – 3s    0
     3s – 10s    0
    10s – 33s    0
 33s and more    0
`
	if text.String() != want {
		t.Errorf("got\n%s", text.String())
	}
}

func TestEdgesHoldTheirStart(t *testing.T) {
	e := logEdges()
	for range 10 {
		e.Add(10 * ms)
	}
	if row := e.Rows()[2]; row.From != 10*ms || row.To != 33*ms || row.Count != 10 {
		t.Errorf("got %+v", row)
	}
}

func TestNoEdges(t *testing.T) {
	e := NewEdges()
	e.Add(ms)
	if rows := e.Rows(); len(rows) != 1 || rows[0].Label() != "all" || rows[0].Count != 1 {
		t.Errorf("got %+v", rows)
	}
}
