package run

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"labctl/audit"
)

// Direct is the lab's own caller: it makes exactly one attempt, so that whatever more
// arrives is the doing of what lies in between. It is for proxies.
type Direct struct{}

// Warms implements [Caller].
func (Direct) Warms() Warms { return OnDemand }

// Call implements [Caller]. Its exit code is 0 for an answer below 400.
func (Direct) Call(ctx context.Context, a Ask) (Told, error) {
	limited, cancel := context.WithTimeout(ctx, a.Time)
	defer cancel()
	transport := &http.Transport{Proxy: nil}
	defer transport.CloseIdleConnections()
	client := http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	begun := time.Now()
	if a.Warm != "" {
		send(limited, &client, Ask{URL: a.Warm, Method: http.MethodGet})
	}
	status, err := send(limited, &client, a)
	told := Told{Elapsed: time.Since(begun)}
	switch {
	case limited.Err() != nil:
		told.Exit = audit.Exit{Code: -1, TimedOut: true}
	case err != nil:
		told.Exit = audit.Exit{Code: 1, Output: err.Error()}
	default:
		told.Exit = audit.Exit{Output: fmt.Sprint(status, " ", http.StatusText(status))}
		if status >= 400 {
			told.Exit.Code = 1
		}
	}
	return told, nil
}

// send makes one request and reads the answer to its end.
func send(ctx context.Context, client *http.Client, a Ask) (status int, err error) {
	method := a.Method
	if method == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(ctx, method, a.URL, unrepeatable(a.Body))
	if err != nil {
		return 0, err
	}
	r.ContentLength = int64(len(a.Body))
	if a.Key != "" {
		r.Header.Set("Idempotency-Key", a.Key)
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0, fmt.Errorf("the answer broke off: %w", err)
	}
	return answer.StatusCode, nil
}

// unrepeatable is a body that a transport cannot send a second time: net/http would
// repeat a request without one by itself when a reused connection dies.
func unrepeatable(body string) io.Reader {
	return struct{ io.Reader }{strings.NewReader(body)}
}
