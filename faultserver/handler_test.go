package faultserver_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

func TestHitsTakeTurns(t *testing.T) {
	h := handler("503x2,429+retry-after=2,ok")
	var got []int
	for range 5 {
		got = append(got, hit(h, ""))
	}
	equal(t, "statuses", fmt.Sprint(got), "[503 503 429 200 200]")
	equal(t, "hits", h.Hits(), 5)
}

func TestArrival(t *testing.T) {
	instants := []time.Duration{10 * time.Millisecond, 15 * time.Millisecond}
	clock := func() time.Duration {
		now := instants[0]
		instants = instants[1:]
		return now
	}
	h := faultserver.New(faultserver.Config{Program: program.MustParse("503"), Clock: clock})
	r := httptest.NewRequest("POST", "/pay?amount=3", strings.NewReader("twelve bytes"))
	r.Header.Set(faultserver.PathHeader, "c7.r1/0:1/2:3")
	r.RemoteAddr = "10.0.0.1:4242"
	h.ServeHTTP(httptest.NewRecorder(), r)

	want := faultserver.Arrival{
		At: 10 * time.Millisecond, End: 15 * time.Millisecond,
		Method: "POST", Target: "/pay?amount=3", ID: "c7.r1", Path: "c7.r1/0:1/2:3", Remote: "10.0.0.1:4242",
		Body: 12, Complete: true, Kind: program.Status, Status: 503,
	}
	if got := h.Arrivals()[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The instant is taken before anything else, so a caller's slow body is no part of it.
func TestStampComesFirst(t *testing.T) {
	var order []string
	h := faultserver.New(faultserver.Config{
		Clock:     func() time.Duration { order = append(order, "stamp"); return 0 },
		RequestID: func(*http.Request) string { order = append(order, "id"); return "" },
		Next:      http.HandlerFunc(func(http.ResponseWriter, *http.Request) { order = append(order, "next") }),
	})
	body := readerFunc(func([]byte) (int, error) { order = append(order, "body"); return 0, errors.New("cut off") })
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", body))
	equal(t, "order", strings.Join(order, " "), "stamp id body next stamp")
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Hits that pass the lock the other way round are listed by instant all the same.
func TestArrivalsAreInOrderOfInstant(t *testing.T) {
	instants := make(chan time.Duration, 4)
	for _, at := range []time.Duration{20, 25, 10, 15} {
		instants <- at
	}
	h := faultserver.New(faultserver.Config{Clock: func() time.Duration { return <-instants }})
	hit(h, "counted-first")
	hit(h, "arrived-first")
	equal(t, "first", h.Arrivals()[0].ID, "arrived-first")
}

func TestRequestID(t *testing.T) {
	for _, tt := range []struct{ path, requestID, want string }{
		{"c1/0:2/1:1", "other", "c1"},
		{"c1", "", "c1"},
		{"", "req-9", "req-9"},
		{"", "", ""},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		for name, value := range map[string]string{faultserver.PathHeader: tt.path, "X-Request-Id": tt.requestID} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		equal(t, fmt.Sprintf("%+v", tt), faultserver.RequestID(r), tt.want)
	}
}

func TestAttempts(t *testing.T) {
	h := handler("each:503x2,ok")
	var got []int
	for _, path := range []string{"a/1", "b/1", "a/2", "a/3", "b/2"} {
		got = append(got, hit(h, path))
	}
	equal(t, "statuses", fmt.Sprint(got), "[503 503 503 200 503]")
	if attempts := h.Attempts(); !maps.Equal(attempts, map[string]int{"a": 3, "b": 2}) {
		t.Errorf("attempts: got %v", attempts)
	}
}

// The luck of hit n belongs to n: the first number is 1, and a Reset begins again.
func TestLuck(t *testing.T) {
	var asked []int
	h := faultserver.New(faultserver.Config{
		Program: program.MustParse("503:50%"),
		Luck: func(hit int, _ *http.Request) uint64 {
			asked = append(asked, hit)
			return uint64(hit%2) << 63 // odd hits are lucky
		},
	})
	got := []int{hit(h, ""), hit(h, "")}
	h.Reset()
	got = append(got, hit(h, ""))
	h.SetProgram(program.MustParse("503"))
	got = append(got, hit(h, ""))
	equal(t, "statuses", fmt.Sprint(got), "[200 503 200 503]")
	equal(t, "asked for", fmt.Sprint(asked), "[1 2 1]")
}

// Two tails with the default luck agree, and it is near the chance.
func TestDefaultLuckRepeats(t *testing.T) {
	a, b, failed := handler("503:30%"), handler("503:30%"), 0
	for range 1000 {
		first, second := hit(a, ""), hit(b, "")
		if first != second {
			t.Fatal("two runs of one program differ")
		}
		if first == 503 {
			failed++
		}
	}
	if failed < 250 || failed > 350 {
		t.Errorf("%d of 1000 hits failed, want about 300", failed)
	}
}

func TestKeepBoundsDetailsNotCounts(t *testing.T) {
	h := faultserver.New(faultserver.Config{Keep: 2})
	for i := range 5 {
		hit(h, fmt.Sprint(i))
	}
	equal(t, "hits, arrivals, dropped", fmt.Sprint(h.Hits(), len(h.Arrivals()), h.Dropped()), "5 2 3")
	equal(t, "effects", h.Effects(), 5)
	if size := unsafe.Sizeof(faultserver.Arrival{}); size > 160 {
		t.Errorf("an arrival takes %d bytes; a million hits should fit in 160 MB", size)
	}
}

// Beyond a chunk of records now and then, counting leaves nothing to the garbage collector.
func TestCountingDoesNotAllocate(t *testing.T) {
	h := handler("503x1000000000,ok")
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
	r.Header.Set(faultserver.PathHeader, "c1.r1/0:1")
	w.WriteHeader(http.StatusOK) // so that the recorder does not copy headers each time
	if n := testing.AllocsPerRun(5000, func() { h.ServeHTTP(w, r) }); n != 0 {
		t.Errorf("%v allocations per hit", n)
	}
}

func TestLongTextIsClipped(t *testing.T) {
	h := handler("ok")
	hit(h, strings.Repeat("p", 10*faultserver.MaxText))
	a := h.Arrivals()[0]
	equal(t, "bytes of path and id", fmt.Sprint(len(a.Path), len(a.ID)), fmt.Sprint(faultserver.MaxText, faultserver.MaxText))
}

func TestReset(t *testing.T) {
	h := handler("503,ok")
	hit(h, "a")
	hit(h, "a")
	h.Reset()
	equal(t, "hits, arrivals, effects", fmt.Sprint(h.Hits(), len(h.Arrivals()), h.Effects()), "0 0 0")
	equal(t, "first status of the new run", hit(h, "a"), 503)
}

func TestSetProgramKeepsHits(t *testing.T) {
	h := handler("503,ok")
	hit(h, "")
	h.SetProgram(program.MustParse("429,ok"))
	equal(t, "status", hit(h, ""), 429)
	equal(t, "hits", h.Hits(), 2)
}

func TestWait(t *testing.T) {
	h := handler("ok")
	done := make(chan error)
	go func() { done <- h.Wait(t.Context(), 3) }()
	for range 3 {
		hit(h, "")
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := h.Wait(t.Context(), 3); err != nil {
		t.Errorf("waiting for what is there: %v", err)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err := h.Wait(ended, 4)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "3 of 4 hits") {
		t.Errorf("waiting for a hit that does not come: %v", err)
	}
}

// Everything that can be asked while hits arrive, for the race detector.
func TestConcurrentUse(t *testing.T) {
	h := handler("each:503:50%,ok")
	const callers, each = 8, 300
	var group sync.WaitGroup
	for c := range callers {
		group.Go(func() {
			for range each {
				hit(h, fmt.Sprint("caller", c))
			}
		})
	}
	group.Go(func() {
		for h.Hits() < callers*each {
			h.Arrivals()
			h.Attempts()
			h.Dropped()
			h.SetProgram(program.MustParse("each:503:50%,ok"))
		}
	})
	if err := h.Wait(t.Context(), callers*each); err != nil {
		t.Error(err)
	}
	group.Wait()
	equal(t, "hits", h.Hits(), callers*each)
	equal(t, "attempts of one caller", h.Attempts()["caller3"], each)
}
