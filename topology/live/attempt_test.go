package live_test

import (
	"bytes"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"

	"labctl/topology/live"
)

// heard is a connection that keeps what a service reads from it.
type heard struct {
	net.Conn
	mu   *sync.Mutex
	text *bytes.Buffer
}

func (h heard) Read(p []byte) (int, error) {
	n, err := h.Conn.Read(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(p[:n])
	return n, err
}

// A retry says which attempt it is; a first attempt says nothing, since each header
// costs the sharpness of a release.
func TestAttemptsAreNumbered(t *testing.T) {
	var mu sync.Mutex
	var text bytes.Buffer
	n := wire{Network: live.Pipe(), accepted: func(c net.Conn) net.Conn { return heard{c, &mu, &text} }}
	if _, _, err := live.Run(t.Context(), lab(t, []int{3}), live.Options{Net: n}); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	numbers := regexp.MustCompile(`Labctl-Attempt: (\d+)`).FindAllString(text.String(), -1)
	equal(t, "requests", strings.Count(text.String(), "GET / "), 3)
	equal(t, "numbers", strings.Join(numbers, ", "), "Labctl-Attempt: 2, Labctl-Attempt: 3")
}
