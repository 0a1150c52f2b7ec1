package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	// timeout is that of one attempt.
	timeout = time.Second

	// callTimeout is that of a call with all its attempts, for libraries that know no
	// other. It leaves room for three times a Retry-After of 3 seconds.
	callTimeout = 10 * time.Second
)

// A call is what the command line asks for.
type call struct{ method, body, key, url string }

// request makes a request whose body can be sent again.
func (c call) request() (*http.Request, error) {
	r, err := http.NewRequest(c.method, c.url, c.reader())
	if err != nil {
		return nil, err
	}
	c.header(r.Header)
	return r, nil
}

// reader is nil where there is no body: an empty one would still be one.
func (c call) reader() io.Reader {
	if c.body == "" {
		return nil
	}
	return strings.NewReader(c.body)
}

func (c call) header(h http.Header) {
	if c.key != "" {
		h.Set("Idempotency-Key", c.key)
	}
	if c.body != "" {
		h.Set("Content-Type", "text/plain")
	}
}

// finish reads an answer, which gives its connection back, and judges it.
func finish(res *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode >= 400 {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}
