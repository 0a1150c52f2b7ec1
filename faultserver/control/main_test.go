package control_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"labctl/faultserver/control"
	"labctl/faultserver/program"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// handler returns a Handler with the configuration, which has to be a good one.
func handler(t testing.TB, c control.Config) *control.Handler {
	t.Helper()
	h, err := control.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// do sends one request straight into a handler, as from curl on this machine.
func do(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = "127.0.0.1:8425"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	func() {
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler { // a recorder has no connection to drop
				panic(p)
			}
		}()
		h.ServeHTTP(w, r)
	}()
	return w
}

// status is that of a GET.
func status(h http.Handler, target string) int { return do(h, "GET", target, "").Code }

// put changes a program and returns the status.
func put(h http.Handler, tail, text string) int {
	body, _ := json.Marshal(map[string]string{"program": text})
	return do(h, "PUT", "/-/v1/tails/"+tail, string(body), "Content-Type", "application/json").Code
}

// read decodes the answer to a GET.
func read[T any](t testing.TB, h http.Handler, target string) (value T) {
	t.Helper()
	w := do(h, "GET", target, "")
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil {
		t.Fatalf("%s: %v", target, err)
	}
	return value
}

func tailNamed(t testing.TB, h http.Handler, name string) control.Tail {
	t.Helper()
	return read[control.Tail](t, h, "/-/v1/tails/"+name)
}

// fetch is a GET over a network with its answer read.
func fetch(client *http.Client, url string) (int, error) {
	res, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

func parse(text string) program.Program { return program.MustParse(text) }

// equal is for values that say enough when printed.
func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// hostStatus is the status of a GET with that Host header.
func hostStatus(h http.Handler, host, target string) int {
	r := httptest.NewRequest("GET", target, nil)
	r.Host = host
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}
