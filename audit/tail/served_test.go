package tail_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"labctl/audit"
	"labctl/audit/tail"
)

func TestHits(t *testing.T) {
	tl := open(t, tail.Plan{Program: "503x2,ok,close"})
	first, second := dial(t, tl.URL()), dial(t, tl.URL())
	for i, got := range []int{
		first.ask("GET", ""),
		first.ask("POST", "12345", "Idempotency-Key: k1", "Amz-Sdk-Request: attempt=2; max=3"),
		second.ask("GET", "", "Range: bytes=10-", "Labctl-Attempt: 3", "X-Stainless-Retry-Count: 3"),
		first.ask("PUT", "1"),
	} {
		if want := []int{503, 503, 200, 0}[i]; got != want {
			t.Errorf("answer %d: got %d, want %d", i+1, got, want)
		}
	}
	if err := tl.Close(); err != nil {
		t.Error(err)
	}
	want := []audit.Hit{
		{Conn: 1, Turn: 1, Method: "GET", Status: 503, Complete: true},
		{Conn: 1, Turn: 2, Method: "POST", Status: 503, Body: 5, Complete: true, Key: "k1", Attempt: "2"},
		{Conn: 2, Turn: 1, Method: "GET", Status: 200, Complete: true, Range: "bytes=10-", Attempt: "4"},
		{Conn: 1, Turn: 3, Method: "PUT", Body: 1, Complete: true},
	}
	sameHits(t, tl.Hits(), want)
	if tl.Connections() != 2 || tl.Uncounted() != "" {
		t.Errorf("got %d connections, %q", tl.Connections(), tl.Uncounted())
	}
}

// sameHits compares all but instants, which it wants in order.
func sameHits(t *testing.T, got, want []audit.Hit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d hits, want %d: %+v", len(got), len(want), got)
	}
	for i, h := range got {
		if h.At <= 0 || h.End < h.At || i > 0 && h.At < got[i-1].At {
			t.Errorf("hit %d from %v to %v", i+1, h.At, h.End)
		}
		h.At, h.End = 0, 0
		if h.Target != "/" {
			t.Errorf("hit %d: target %q", i+1, h.Target)
		}
		h.Target = ""
		if h != want[i] {
			t.Errorf("hit %d: got %+v, want %+v", i+1, h, want[i])
		}
	}
}

// Connections differ from the accepted order by nothing that a test could know, so this
// one makes a request on each before the next.
func TestSeveralPortsAreOneTail(t *testing.T) {
	free := open(t, tail.Plan{Program: "ok"})
	other := open(t, tail.Plan{Program: "ok"})
	addrs := []string{host(free.URL()), host(other.URL())}
	free.Close()
	other.Close()

	tl := open(t, tail.Plan{Program: "503,ok", Addrs: addrs})
	if want := "http://" + addrs[0] + "/"; tl.URL() != want {
		t.Errorf("got %s, want %s", tl.URL(), want)
	}
	var statuses []int
	for i := range 4 {
		statuses = append(statuses, dial(t, "http://"+addrs[i%2]+"/").ask("GET", ""))
	}
	if got := fmt.Sprint(statuses); got != "[503 200 200 200]" {
		t.Errorf("got %s: the ports do not share a program", got)
	}
	if tl.Connections() != 4 || len(tl.Hits()) != 4 || tl.Hits()[3].Conn != 4 {
		t.Errorf("got %d connections and %+v", tl.Connections(), tl.Hits())
	}
}

// A hang is a hit while it lasts, one without an end of its own, and it ends with the tail.
func TestHangEndsWithTheTail(t *testing.T) {
	tl := open(t, tail.Plan{Program: "hang"})
	c := dial(t, tl.URL())
	done := make(chan int)
	go func() { done <- c.ask("GET", "") }()
	for len(tl.Hits()) == 0 && t.Context().Err() == nil {
		runtime.Gosched()
	}
	if h := tl.Hits()[0]; h.At <= 0 || h.End != h.At {
		t.Errorf("while it hangs: %+v", h)
	}
	if err := tl.Close(); err != nil {
		t.Error(err)
	}
	if got := <-done; got != 0 {
		t.Errorf("got %d, want no answer", got)
	}
	if h := tl.Hits()[0]; h.End <= h.At {
		t.Errorf("behind it: %+v", h)
	}
}

func TestSideBySide(t *testing.T) {
	var all sync.WaitGroup
	for i := range 32 {
		tl := open(t, tail.Plan{Program: "503"})
		all.Go(func() {
			c := dial(t, tl.URL())
			for range i {
				c.ask("GET", "")
			}
			if got := len(tl.Hits()); got != i {
				t.Errorf("tail %d: got %d hits", i, got)
			}
		})
	}
	all.Wait()
}

func TestCannotOpen(t *testing.T) {
	busy := open(t, tail.Plan{Program: "ok"})
	for _, tt := range []struct {
		plan tail.Plan
		want string
	}{
		{tail.Plan{Program: "5o3"}, "5o3"},
		{tail.Plan{}, "no steps"},
		{tail.Plan{Program: "ok", Addrs: []string{host(busy.URL())}}, "cannot open " + host(busy.URL()) + ": address already in use: end what uses it, or name another place"},
		{tail.Plan{Program: "refuse", Addrs: []string{host(busy.URL())}}, "address already in use"},
		{tail.Plan{Program: "refuse", Addrs: []string{"127.0.0.1:0", "nowhere"}}, "cannot open nowhere: "},
	} {
		tl, err := tail.Open(tt.plan)
		if err == nil {
			tl.Close()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v, want %s", tt.plan, err, tt.want)
		}
	}
}

func TestMeasureNoise(t *testing.T) {
	n, err := tail.MeasureNoise(t.Context(), 50)
	if err != nil || n.Samples != 50 || n.Median <= 0 || n.P99 < n.Median {
		t.Errorf("got %+v, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tail.MeasureNoise(ctx, 50); err == nil {
		t.Error("an ended context is no reason to stop")
	}
}
