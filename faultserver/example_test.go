package faultserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"labctl/faultserver"
	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
)

// fetch is a client with three attempts.
func fetch(url string) (status int) {
	for range 3 {
		res, err := http.Get(url)
		if err != nil {
			continue
		}
		res.Body.Close()
		if status = res.StatusCode; status < 500 {
			break
		}
	}
	return status
}

func ExampleListen() {
	tail, err := faultserver.Listen(faultserver.Config{Program: program.MustParse("503x2,ok")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tail.Close()

	status := fetch(tail.URL)
	fmt.Println(status, "after", tail.Hits(), "hits")
	// Output: 200 after 3 hits
}

// In a test the server ends with the test, and a bad program fails it.
func ExampleStart() {
	_ = func(t *testing.T) {
		tail := faultserver.Start(t, "503")
		fetch(tail.URL)
		if tail.Hits() != 3 {
			t.Errorf("%d hits, want 3", tail.Hits())
		}
	}
}

// A Handler is part of a server of your own: here only payments fail.
func ExampleNew() {
	payments := faultserver.New(faultserver.Config{
		Program: program.MustParse("503,ok"),
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "paid")
		}),
	})
	mux := http.NewServeMux()
	mux.Handle("/pay", payments)
	server := httptest.NewServer(mux)
	defer server.Close()

	fmt.Println(fetch(server.URL+"/pay"), fetch(server.URL+"/else"))
	fmt.Println(payments.Hits(), "hits on payments")
	// Output:
	// 200 404
	// 2 hits on payments
}

// A service with two workers and no queue: of three requests that come at once it turns
// one away.
func ExampleConfig_admit() {
	workers := make(chan struct{}, 2)
	tail, err := faultserver.Listen(faultserver.Config{
		Program: program.MustParse("delay=200ms"),
		Admit: func(faultserver.Hit) faultserver.Job {
			select {
			case workers <- struct{}{}:
				return faultserver.Job{Done: func() { <-workers }}
			default:
				return faultserver.Job{Wait: func(w http.ResponseWriter, _ *http.Request) faultserver.Verdict {
					http.Error(w, "all workers are busy", http.StatusServiceUnavailable)
					return faultserver.TurnedAway
				}}
			}
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tail.Close()

	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if res, err := http.Get(tail.URL); err == nil {
				res.Body.Close()
			}
		})
	}
	group.Wait()
	fmt.Println(tail.Hits(), "hits,", tail.Effects(), "effects")
	// Output: 3 hits, 2 effects
}

// The answer to a payment gets lost, and its client tries again: two hits. With a key that
// the service stores there is one effect.
func ExampleHandler_Effects() {
	for _, mode := range []idempotency.Mode{idempotency.None, idempotency.StoreAfter} {
		tail, err := faultserver.Listen(faultserver.Config{Program: program.MustParse("lost,ok"), Idempotency: mode})
		if err != nil {
			fmt.Println(err)
			return
		}
		for range 2 {
			r, _ := http.NewRequest("POST", tail.URL, http.NoBody)
			r.Header.Set(faultserver.KeyHeader, "payment-7")
			if res, err := http.DefaultClient.Do(r); err == nil {
				res.Body.Close()
			}
		}
		tail.Close()
		fmt.Printf("%v: %d hits, %d effects\n", mode, tail.Hits(), tail.Effects())
	}
	// Output:
	// none: 2 hits, 2 effects
	// store-after: 2 hits, 1 effects
}

// Requests that carry an id are told apart; each fails once.
func ExampleHandler_Attempts() {
	h := faultserver.New(faultserver.Config{Program: program.MustParse("each:503,ok")})
	for _, id := range []string{"order-1", "order-2", "order-1"} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("X-Request-Id", id)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		fmt.Println(id, w.Code)
	}
	fmt.Println(h.Attempts())
	// Output:
	// order-1 503
	// order-2 503
	// order-1 200
	// map[order-1:2 order-2:1]
}
