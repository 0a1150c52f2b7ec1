package faultserver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newClient returns a client that cannot replay a request behind a test's back: every
// request has a connection of its own.
func newClient(t testing.TB) *http.Client {
	transport := &http.Transport{DisableKeepAlives: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// get returns the answer with its body read and closed, or the error.
func get(client *http.Client, url string) (*http.Response, string, error) {
	res, err := client.Get(url)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res, string(body), err
}

// handler returns a Handler with the program and, apart from it, zero settings.
func handler(text string) *faultserver.Handler {
	return faultserver.New(faultserver.Config{Program: program.MustParse(text)})
}

// hit sends one request with a path straight into a handler and returns the status.
func hit(h http.Handler, path string) int {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set(faultserver.PathHeader, path)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}

// equal is for values that say enough when printed.
func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
