package example

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

func TestGivesUpAfterThree(t *testing.T) {
	tail := faultserver.Start(t, "503")
	err := Orders{URL: tail.URL, HTTP: http.DefaultClient}.Get(t.Context(), "7")
	if err == nil {
		t.Error("no error, though every answer was 503")
	}
	if tail.Hits() != 3 {
		t.Errorf("%d hits, want 3", tail.Hits())
	}
}

func TestSurvivesTwoFailures(t *testing.T) {
	tail := faultserver.Start(t, "each:503x2,ok") // every request id fails twice
	for _, id := range []string{"7", "8"} {
		if err := (Orders{URL: tail.URL, HTTP: http.DefaultClient}).Get(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	if got := tail.Attempts(); got["7"] != 3 || got["8"] != 3 {
		t.Errorf("attempts per order: %v, want 3 each", got)
	}
}

func TestEveryFaultIsAnError(t *testing.T) {
	for _, fault := range []string{"503", "reset", "close", "malformed"} {
		t.Run(fault, func(t *testing.T) {
			tail := faultserver.Start(t, fault)
			if err := (Orders{URL: tail.URL, HTTP: http.DefaultClient}).Get(t.Context(), "7"); err == nil {
				t.Error("no error")
			}
		})
	}
}

// inProcess sends requests to a handler without a socket, so that a bubble's
// clock can move on.
type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Result(), nil
}

func TestRestsASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tail := faultserver.New(faultserver.Config{Program: program.MustParse("503")})
		orders := Orders{URL: "http://tail.test", HTTP: &http.Client{Transport: inProcess{tail}}, Rest: time.Second}
		orders.Get(t.Context(), "7")
		for i, a := range tail.Arrivals() {
			if want := time.Duration(i) * time.Second; a.At != want {
				t.Errorf("hit %d after %v, want %v", i+1, a.At, want)
			}
		}
	})
}
