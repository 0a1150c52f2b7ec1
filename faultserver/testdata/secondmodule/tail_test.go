// Package secondmodule is what a team outside this module writes: a client of its own and an
// ordinary test that counts what the client does on a bad day.
package secondmodule

import (
	"net/http"
	"testing"

	"labctl/faultserver"
)

// get is the client under test: three attempts on anything but success.
func get(url string) (ok bool) {
	for range 3 {
		res, err := http.Get(url)
		if err != nil {
			continue
		}
		res.Body.Close()
		if res.StatusCode == http.StatusOK {
			return true
		}
	}
	return false
}

func TestGivesUpAfterThreeAttempts(t *testing.T) {
	tail := faultserver.Start(t, "503")
	if get(tail.URL) {
		t.Error("success from a service that is down")
	}
	if tail.Hits() != 3 {
		t.Errorf("%d hits, want 3", tail.Hits())
	}
}

func TestRecovers(t *testing.T) {
	tail := faultserver.Start(t, "503x2,ok")
	if !get(tail.URL) || tail.Hits() != 3 {
		t.Errorf("%d hits, want success with the third", tail.Hits())
	}
}
