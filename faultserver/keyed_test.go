package faultserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
)

// sent is a request with the key k: when it comes, when its caller leaves, if ever.
type sent struct{ at, leave time.Duration }

// keyed plays requests to a tail in a bubble and returns what became of each, as
// "answer status end", with an r for a replay and "left" for one that was cut short.
func keyed(t *testing.T, c faultserver.Config, requests ...sent) (h *faultserver.Handler, got string) {
	synctest.Test(t, func(t *testing.T) {
		h = faultserver.New(c)
		newPipes().serve(h, func(client *http.Client) {
			said := make([]string, len(requests))
			var group sync.WaitGroup
			for i, s := range requests {
				group.Go(func() {
					time.Sleep(s.at)
					ctx, leave := context.WithCancel(t.Context())
					defer leave()
					if s.leave > 0 {
						time.AfterFunc(s.leave-s.at, leave)
					}
					said[i] = post(ctx, client)
				})
			}
			group.Wait()
			synctest.Wait()
			for i, a := range h.Arrivals() {
				said[i] += fmt.Sprint("@", a.End)
			}
			got = strings.Join(said, " ")
		})
	})
	return h, got
}

func post(ctx context.Context, client *http.Client) string {
	r, _ := http.NewRequestWithContext(ctx, "POST", "http://tail/", strings.NewReader("order"))
	r.Header.Set(faultserver.KeyHeader, "k")
	res, err := client.Do(r)
	switch {
	case ctx.Err() != nil:
		return "left"
	case err != nil:
		return "reset"
	}
	defer res.Body.Close()
	io.Copy(io.Discard, res.Body)
	if res.Header.Get(faultserver.ReplayHeader) == "true" {
		return fmt.Sprint("r", res.StatusCode)
	}
	return fmt.Sprint(res.StatusCode)
}

// One request, several attempts. The first three are case A19: a handler that works for
// three seconds, and attempts that come a second apart because their client does not wait.
func TestIdempotency(t *testing.T) {
	const (
		none, after = idempotency.None, idempotency.StoreAfter
		first, wait = idempotency.ReserveFirst, idempotency.ReserveAndWait
		s           = time.Second
	)
	for _, tt := range []struct {
		why      string
		mode     idempotency.Mode
		program  string
		requests []sent
		want     string
		effects  int
	}{
		{"A19, stored after", after, "delay=3s", []sent{{0, 0}, {s, 0}, {2 * s, 0}}, "200@3s 200@4s 200@5s", 3},
		{"A19, reserved first", first, "delay=3s", []sent{{0, 0}, {s, 0}, {2 * s, 0}}, "200@3s 409@1s 409@2s", 1},
		{"A19, reserved and waited for", wait, "delay=3s", []sent{{0, 0}, {s, 0}, {2 * s, 0}}, "200@3s r200@3s r200@3s", 1},
		{"no mode, no memory", none, "ok", []sent{{0, 0}, {s, 0}}, "200@0s 200@1s", 2},
		{"a later attempt gets what was stored", after, "delay=3s", []sent{{0, 0}, {4 * s, 0}}, "200@3s r200@4s", 1},
		{"every hit takes a turn, replayed or not", after, "ok,ok,503", []sent{{0, 0}, {s, 0}, {2 * s, 0}}, "200@0s r200@1s r200@2s", 1},
		{"an answer that is lost is stored", first, "lost,ok", []sent{{0, 0}, {s, 0}}, "reset@0s r200@1s", 1},
		{"a crash in front of the work is not", first, "delay=3s+reset,ok", []sent{{0, 0}, {s, 0}, {4 * s, 0}}, "reset@3s 409@1s 200@4s", 1},
		{"nor is a failure", first, "503,ok", []sent{{0, 0}, {s, 0}, {2 * s, 0}}, "503@0s 200@1s r200@2s", 1},
		{"a caller that leaves releases the key", first, "delay=3s", []sent{{0, s}, {2 * s, 0}}, "left@1s 200@5s", 1},
		{"after a crash one of those who wait runs", wait, "delay=3s+reset,delay=3s", []sent{{0, 0}, {s, 0}, {2 * s, 0}}, "reset@3s 200@6s r200@6s", 1},
		{"and so it is when the caller leaves", wait, "delay=3s", []sent{{0, 2 * s}, {s, 0}}, "left@2s 200@5s", 1},
		{"who leaves while waiting is passed over", wait, "delay=3s+503,delay=3s", []sent{{0, 0}, {s, 2 * s}, {2500 * time.Millisecond, 0}}, "503@3s left@2s 200@6s", 1},
		{"a slow body is not waited for", wait, "slow+over=3s", []sent{{0, 0}, {s, 0}}, "200@3s r200@1s", 1},
	} {
		t.Run(tt.why, func(t *testing.T) {
			h, got := keyed(t, faultserver.Config{Program: program.MustParse(tt.program), Idempotency: tt.mode}, tt.requests...)
			equal(t, "answers", got, tt.want)
			equal(t, "hits, effects", fmt.Sprint(h.Hits(), h.Effects()), fmt.Sprint(len(tt.requests), tt.effects))
			worked := 0
			for _, a := range h.Arrivals() {
				if a.Worked {
					worked++
				}
			}
			equal(t, "hits that worked", worked, tt.effects)
		})
	}
}

// What the key made of each hit is on its record; the action is what the program had.
func TestKeyedArrivals(t *testing.T) {
	h, _ := keyed(t, faultserver.Config{Program: program.MustParse("delay=3s,503"), Idempotency: idempotency.ReserveAndWait},
		sent{0, 0}, sent{time.Second, 2 * time.Second}, sent{2500 * time.Millisecond, 0}, sent{4 * time.Second, 0})
	var got []string
	for _, a := range h.Arrivals() {
		got = append(got, fmt.Sprint(a.Keyed, " ", a.Status, " ", a.CutShort))
	}
	equal(t, "keyed, status, cut short", strings.Join(got, ", "), "run 200 false, wait 503 true, replay 503 false, replay 503 false")
	equal(t, "cut short", h.CutShort(), 1)
}

// With a service behind the tail its status is stored, and its failure is not.
func TestNextIsStored(t *testing.T) {
	statuses := []int{502, 201}
	h, got := keyed(t, faultserver.Config{
		Idempotency: idempotency.ReserveFirst,
		Next: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints) // announces an answer and is none
			w.WriteHeader(statuses[0])
			w.(http.Flusher).Flush()
			statuses = statuses[1:]
		}),
	}, sent{0, 0}, sent{time.Second, 0}, sent{2 * time.Second, 0})
	equal(t, "answers", got, "502@0s 201@1s r201@2s")
	equal(t, "effects", h.Effects(), 2) // a service that fails may well have done its part
}

// Keys are apart, requests without one are free, and a Reset forgets.
func TestKeysAreApart(t *testing.T) {
	h := faultserver.New(faultserver.Config{Idempotency: idempotency.StoreAfter})
	ask := func(key string) string {
		r := httptest.NewRequest("POST", "/", nil)
		if key != "" {
			r.Header.Set(faultserver.KeyHeader, key)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return fmt.Sprint(w.Code, w.Header().Get(faultserver.ReplayHeader))
	}
	got := []string{ask("a"), ask("b"), ask(""), ask(""), ask("a")}
	h.Reset()
	got = append(got, ask("a"))
	equal(t, "answers", strings.Join(got, " "), "200 200 200 200 200true 200")
	equal(t, "effects", h.Effects(), 1)
}

// A server that ends lets those go who wait, and not as callers that left.
func TestCloseEndsWaiting(t *testing.T) {
	tail, err := faultserver.Listen(faultserver.Config{Program: program.MustParse("hang"), Idempotency: idempotency.ReserveAndWait})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			r, _ := http.NewRequest("POST", tail.URL, nil)
			r.Header.Set(faultserver.KeyHeader, "k")
			if res, err := newClient(t).Do(r); err == nil {
				res.Body.Close()
				t.Error("a waiting request was answered")
			}
		})
	}
	tail.Await(t, 3)
	if err := tail.Close(); err != nil {
		t.Error(err)
	}
	group.Wait()
	equal(t, "cut short, effects", fmt.Sprint(tail.CutShort(), tail.Effects()), "0 0")
}

// Many attempts at once, for the race detector: one effect for every key.
func TestConcurrentKeys(t *testing.T) {
	h := faultserver.New(faultserver.Config{Program: program.MustParse("delay=uniform(0s..1ms)"), Idempotency: idempotency.ReserveAndWait})
	const keys, attempts = 50, 8
	var group sync.WaitGroup
	for range attempts {
		group.Go(func() {
			for k := range keys {
				r := httptest.NewRequest("POST", "/", nil)
				r.Header.Set(faultserver.KeyHeader, fmt.Sprint(k))
				w := httptest.NewRecorder()
				if h.ServeHTTP(w, r); w.Code != http.StatusOK {
					t.Errorf("answered %d", w.Code)
				}
			}
		})
	}
	group.Wait()
	equal(t, "hits, effects", fmt.Sprint(h.Hits(), h.Effects()), fmt.Sprint(keys*attempts, keys))
}
