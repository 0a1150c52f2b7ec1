package faultserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
)

// pool is one worker, and as many places, with and without the worker. Channels are made
// with the first hit, since they have to belong to its bubble.
func pool(limit int) func(faultserver.Hit) faultserver.Job {
	var worker, places chan struct{}
	return func(hit faultserver.Hit) faultserver.Job {
		if hit.Number == 1 {
			worker, places = make(chan struct{}, 1), make(chan struct{}, limit)
		}
		select {
		case places <- struct{}{}:
		default:
			return faultserver.Job{Wait: func(w http.ResponseWriter, _ *http.Request) faultserver.Verdict {
				http.Error(w, "busy", http.StatusTooManyRequests)
				return faultserver.TurnedAway
			}}
		}
		return faultserver.Job{
			Wait: func(_ http.ResponseWriter, r *http.Request) faultserver.Verdict {
				select {
				case worker <- struct{}{}:
					return faultserver.Proceed
				case <-r.Context().Done():
					<-places
					return faultserver.Left
				}
			},
			Done: func() { <-worker; <-places },
		}
	}
}

// Requests wait for the one worker, and who has no place is turned away. Who leaves, from
// the queue or from the work, sets a place free.
func TestWorkers(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		why      string
		c        faultserver.Config
		requests []sent
		want     string
		effects  int
	}{
		{"one after the other", faultserver.Config{}, []sent{{0, 0}, {s, 0}, {7 * s, 0}}, "200@3s 200@6s 200@10s", 3},
		{"no place", faultserver.Config{}, []sent{{0, 0}, {s, 0}, {2 * s, 0}, {4 * s, 0}}, "200@3s 200@6s 429@2s 200@9s", 3},
		{"left the queue", faultserver.Config{}, []sent{{0, 0}, {s, 2 * s}, {2500 * time.Millisecond, 0}}, "200@3s left@2s 200@6s", 2},
		{"left the worker", faultserver.Config{}, []sent{{0, 2 * s}, {s, 0}}, "left@2s 200@5s", 1},
		{"a worker looks at the key", faultserver.Config{Idempotency: idempotency.ReserveFirst}, []sent{{0, 0}, {s, 0}}, "200@3s r200@3s", 1},
		{"whom it keeps from working still had one", faultserver.Config{Idempotency: idempotency.StoreAfter}, []sent{{0, 0}, {4 * s, 0}, {4 * s, 0}, {5 * s, 0}}, "200@3s r200@4s r200@4s r200@5s", 1},
	} {
		t.Run(tt.why, func(t *testing.T) {
			tt.c.Program, tt.c.Admit = program.MustParse("delay=3s"), pool(2)
			h, got := keyed(t, tt.c, tt.requests...)
			equal(t, "answers", got, tt.want)
			equal(t, "hits, effects", fmt.Sprint(h.Hits(), h.Effects()), fmt.Sprint(len(tt.requests), tt.effects))
			for i, a := range h.Arrivals() {
				said := strings.Fields(got)[i]
				equal(t, said+": turned away, cut short", fmt.Sprint(a.TurnedAway, a.CutShort), fmt.Sprint(said[0] == '4', said[0] == 'l'))
			}
		})
	}
}

// Time takes the place of the delay, and is asked when the work begins; a hang has none.
func TestTime(t *testing.T) {
	var asked []time.Duration
	var h *faultserver.Handler
	start := time.Time{}
	admit := pool(9)
	h, got := keyed(t, faultserver.Config{
		Program: program.MustParse("delay=3s,ok,hang"),
		Admit: func(hit faultserver.Hit) faultserver.Job {
			if hit.Number == 1 {
				start = time.Now()
			}
			job := admit(hit)
			job.Time = func() time.Duration {
				asked = append(asked, time.Since(start))
				return 2*hit.Action.Delay + time.Second
			}
			return job
		},
	}, sent{0, 0}, sent{time.Second, 0}, sent{2 * time.Second, 20 * time.Second})
	equal(t, "answers", got, "200@7s 200@8s left@20s")
	equal(t, "asked at", fmt.Sprint(asked), "[0s 7s]")
	equal(t, "effects, cut short", fmt.Sprint(h.Effects(), h.CutShort()), "2 1")
}

// Admit sees hits in the order of their turns, whoever comes at the same time, and may ask
// the Handler.
func TestAdmitIsInOrderOfTurns(t *testing.T) {
	const callers, each = 8, 100
	var numbers, statuses []int
	var h *faultserver.Handler
	h = faultserver.New(faultserver.Config{
		Program: program.MustParse("500x400,501x400"),
		Admit: func(hit faultserver.Hit) faultserver.Job {
			numbers, statuses = append(numbers, hit.Number), append(statuses, hit.Action.Status)
			if h.Hits() != hit.Number {
				t.Errorf("hit %d of %d", hit.Number, h.Hits())
			}
			return faultserver.Job{}
		},
	})
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for range each {
				hit(h, "")
			}
		})
	}
	group.Wait()
	equal(t, "hits", len(numbers), callers*each)
	equal(t, "numbers and statuses are in order", fmt.Sprint(slices.IsSorted(numbers), slices.IsSorted(statuses)), "true true")
}

// A worker is free after a fault that ends the connection and after a panic.
func TestDoneComesAlways(t *testing.T) {
	free := 0
	h := faultserver.New(faultserver.Config{
		Program: program.MustParse("reset,ok"),
		Next:    http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		Admit:   func(faultserver.Hit) faultserver.Job { return faultserver.Job{Done: func() { free++ }} },
	})
	for range 2 {
		func() {
			defer func() { recover() }() // there is no connection to drop
			hit(h, "")
		}()
	}
	equal(t, "workers that became free", free, 2)
	equal(t, "effects", h.Effects(), 0)
}

// Two replicas know what either did, and go on knowing it.
func TestSharedKeys(t *testing.T) {
	keys := faultserver.NewKeys(idempotency.ReserveFirst)
	var replicas []*faultserver.Handler
	for _, text := range []string{"503,ok", "ok"} {
		replicas = append(replicas, faultserver.New(faultserver.Config{Program: program.MustParse(text), Keys: keys}))
	}
	ask := func(replica int, key string) string {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set(faultserver.KeyHeader, key)
		w := httptest.NewRecorder()
		replicas[replica].ServeHTTP(w, r)
		return fmt.Sprint(w.Code, w.Header().Get(faultserver.ReplayHeader))
	}
	got := []string{ask(0, "a"), ask(1, "a"), ask(0, "a"), ask(0, "b")}
	replicas[1].Reset()
	got = append(got, ask(1, "a"), ask(1, "c"))
	equal(t, "answers", strings.Join(got, " "), "503 200 200true 200 200true 200")
}

// A Next that leaves with its caller did no work, and another attempt may do it.
func TestNextThatAborts(t *testing.T) {
	h, got := keyed(t, faultserver.Config{
		Idempotency: idempotency.ReserveFirst,
		Next: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(3 * time.Second):
			case <-r.Context().Done():
				panic(http.ErrAbortHandler)
			}
		}),
	}, sent{0, time.Second}, sent{2 * time.Second, 0}, sent{6 * time.Second, 0})
	equal(t, "answers", got, "left@1s 200@5s r200@6s")
	equal(t, "effects", h.Effects(), 1)
}
