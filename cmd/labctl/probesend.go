package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"labctl/audit"
)

// probeAnswer is how the one request ended.
type probeAnswer struct {
	Status  int     `json:"status,omitempty"`
	Error   string  `json:"error,omitempty"`
	AfterMS float64 `json:"after_ms"`
	Late    bool    `json:"late,omitempty"` // it did not come in time

	unreachable bool // nobody accepted the connection
}

// maxAnswer is how much of an answer is read: its status is all that is wanted, but who
// leaves before the end could be taken for a failure.
const maxAnswer = 1 << 20

// sendOnce makes exactly one request. It has a connection of its own, since Go's transport
// repeats a request only on one that was used before, and it follows no redirect.
func sendOnce(ctx context.Context, method, target, body string, timeout time.Duration) probeAnswer {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, target, nil)
	if err != nil {
		return probeAnswer{Error: err.Error()}
	}
	r.Header.Set("User-Agent", "labctl-probe")
	if body != "" { // one that cannot be rewound
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	transport := &http.Transport{DisableKeepAlives: true, DisableCompression: true, Protocols: protocols}
	defer transport.CloseIdleConnections()

	begun := time.Now()
	status := 0
	answer, err := transport.RoundTrip(r)
	if err == nil {
		status = answer.StatusCode
		_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer))
		answer.Body.Close()
	}
	out := probeAnswer{Status: status, AfterMS: audit.MS(time.Since(begun)), Late: ctx.Err() == context.DeadlineExceeded}
	if err != nil {
		out.Error = oneLine(unwrapURL(err).Error())
		var dial *net.OpError
		out.unreachable = errors.As(err, &dial) && dial.Op == "dial"
	}
	return out
}
