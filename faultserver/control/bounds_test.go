package control

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

func newHandler(t testing.TB, c Config) *Handler {
	t.Helper()
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// hit sends a request to a tail and returns the status.
func hit(h *Handler, path string, change ...func(*http.Request)) int {
	r := httptest.NewRequest("GET", path, nil)
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}

func same[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// Ten thousand ids are no more than there may be, and the rest is told so.
func TestIDsAreBounded(t *testing.T) {
	const most, keep = 100, 1000
	h := newHandler(t, Config{IDs: most, Keep: keep})
	var got [600]int
	for i := range 10_000 {
		got[hit(h, fmt.Sprintf("/p/id%d/", i))]++
	}
	same(t, "answers", fmt.Sprint(got[200], got[507]), "100 9900")
	o := h.Overview()
	same(t, "hits, ids, no room", fmt.Sprint(o.Hits, o.IDs, o.NoRoom), "100 100 9900")

	for range keep {
		hit(h, "/p/id7/")
		hit(h, "/")
	}
	kept := 0
	for _, tail := range h.tails.list() {
		n := len(tail.handler.Arrivals())
		same(t, tail.name+": kept as counted", n, tail.counted().Kept)
		kept += n
	}
	same(t, "kept of id7, the default and the others", kept, 5+keep/2+most-1)

	h.tails.remove(h.tails.find("id7"))
	same(t, "room again", hit(h, "/p/new/"), 200)
	same(t, "and none again", hit(h, "/p/newer/"), 507)
}

// Under each: the request ids are a stranger's, and share one position when there are
// too many of them.
func TestPositionsAreBounded(t *testing.T) {
	h := newHandler(t, Config{Program: program.MustParse("each:503,ok"), Keep: 2 * DefaultIDs})
	id := func(n int) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("X-Request-Id", fmt.Sprint(n)) }
	}
	for i := range maxPositions {
		if hit(h, "/", id(i)) != 503 {
			t.Fatalf("request id %d does not begin with the first step", i)
		}
	}
	same(t, "one more", hit(h, "/", id(-1)), 503)
	same(t, "shares its position with the next", hit(h, "/p/a/", id(-2))+hit(h, "/", id(-3)), 503+200)
	same(t, "the first goes on", hit(h, "/", id(0)), 200)
	same(t, "positions", h.tails.positions.Load(), maxPositions)
	h.tails.find(defaultName).reset()
	same(t, "positions after a reset", h.tails.positions.Load(), 0)
	same(t, "there is room again", hit(h, "/", id(-1))+hit(h, "/", id(-2)), 2*503)
	hit(h, "/p/b/", id(1))
	same(t, "positions with b", h.tails.positions.Load(), 3)
	h.tails.remove(h.tails.find("b"))
	same(t, "positions without b", h.tails.positions.Load(), 2)
}

// Text of strangers is short, also all of it together.
func TestTextIsBounded(t *testing.T) {
	h := newHandler(t, Config{})
	long := strings.Repeat("x", 8000)
	var sent http.Header
	same(t, "status", hit(h, "/"+long, func(r *http.Request) {
		for _, known := range headers {
			r.Header.Set(known.name, long[:200])
		}
		r.Header.Set(faultserver.PathHeader, long)
		r.Method, sent = long, r.Header
	}), 200)
	a := h.tails.fixed[0].handler.Arrivals()[0]
	total := 0
	for _, value := range a.Headers {
		total += len(value)
	}
	same(t, "target, method, path, id, headers", fmt.Sprint(len(a.Target), len(a.Method), len(a.Path), len(a.ID), total),
		fmt.Sprint(maxTarget, maxName, maxName, maxName, maxHeaderText))
	same(t, "the first headers are whole", fmt.Sprint(len(a.Headers[0]), len(a.Headers[1])), "200 200")
	same(t, "the caller's header", len(sent[faultserver.PathHeader][0]), len(long))
}

// A reset comes before a hit or after it, and not when it is half counted. So does a
// program.
func TestResetsWaitForHits(t *testing.T) {
	tail := newHandler(t, Config{}).tails.fixed[0]
	for what, act := range map[string]func(){
		"reset": tail.reset, "program": func() { tail.setProgram(program.Program{}) },
	} {
		tail.arriving.RLock() // as a hit does
		done := make(chan struct{})
		go func() { defer close(done); act() }()
		for tail.arriving.TryRLock() { // until somebody waits for it
			tail.arriving.RUnlock()
			select {
			case <-done:
				t.Fatalf("%s: done while a hit arrives", what)
			default:
				runtime.Gosched()
			}
		}
		tail.arriving.RUnlock()
		<-done
	}
}

// What is counted beside the handler agrees with it, whenever a reset comes.
func TestResetsWhileHitsCome(t *testing.T) {
	h := newHandler(t, Config{Program: program.MustParse("each:ok")})
	tail := h.tails.fixed[0]
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 500 {
				hit(h, "/", func(r *http.Request) { r.Header.Set("X-Request-Id", fmt.Sprint(i)) })
				switch i % 50 {
				case 0:
					tail.reset()
				case 10:
					tail.setProgram(program.MustParse("503,ok"))
				case 20:
					tail.setProgram(program.MustParse("each:503,ok"))
				}
				tail.counted()
			}
		})
	}
	all.Wait()
	same(t, "hits", tail.counted().Hits, tail.handler.Hits())
	tail.reset()
	same(t, "hits, positions", fmt.Sprint(tail.counted().Hits, h.tails.positions.Load()), "0 0")
}
