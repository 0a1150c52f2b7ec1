package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"labctl/topology/live"
)

const (
	askTimeout = 5 * time.Second // for a short answer of a node
	telling    = time.Minute     // for one page of what it saw
	maxAnswer  = 1 << 30         // bytes of it
	roundTrips = 16              // to measure a clock with
)

// client asks nodes. Each question has an end.
type client struct {
	http  http.Client
	token string
}

func newClient(token string) *client {
	transport := &http.Transport{DialContext: (&net.Dialer{Timeout: askTimeout}).DialContext} // not by way of a proxy
	return &client{http.Client{Transport: transport}, token}
}

func (c *client) close() { c.http.CloseIdleConnections() }

func (c *client) do(ctx context.Context, method, host, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, "http://"+host+path, nil)
	if err != nil {
		return nil, err
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(r)
	var u *url.Error
	switch {
	case err == nil:
	case errors.As(err, &u) && u.Timeout():
		err = errors.New("it takes connections and gives no answer")
	case errors.As(err, &u):
		err = u.Err
	}
	return resp, err
}

func (c *client) status(ctx context.Context, method, host, path string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	resp, err := c.do(ctx, method, host, path)
	if err != nil {
		return 0, err
	}
	io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<16))
	return resp.StatusCode, resp.Body.Close()
}

// get reads an answer, which has so much time.
func (c *client) get(ctx context.Context, host, path string, limit time.Duration, into any) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	resp, err := c.do(ctx, http.MethodGet, host, path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body := io.LimitReader(resp.Body, maxAnswer)
	if resp.StatusCode == http.StatusOK {
		return json.NewDecoder(body).Decode(into)
	}
	why, _ := io.ReadAll(io.LimitReader(body, 1<<10))
	if resp.StatusCode == http.StatusUnauthorized {
		return errors.New("it asks for its token: give it with --token, or as LABCTL_TOKEN")
	}
	return fmt.Errorf("%s answers %s: %s", path, resp.Status, strings.TrimSpace(string(why)))
}

// offset measures how far the clock of a node is ahead of one's own.
func (c *client) offset(ctx context.Context, host string, clock Clock) (Offset, Reading, error) {
	var trips []RoundTrip
	var last Reading
	for range roundTrips {
		var r Reading
		t := RoundTrip{Sent: clock.Now()}
		if err := c.get(ctx, host, "/-/clock", askTimeout, &r); err != nil {
			return Offset{}, r, err
		}
		if t.Returned = clock.Now(); r.Process == "" || last.Process != "" && r.Process != last.Process {
			return Offset{}, r, errors.New("several processes answer there: name one of them, and not what balances between them")
		}
		t.Received, t.Answered, last = r.Received, r.Answered, r
		trips = append(trips, t)
	}
	o, _ := Nearest(trips)
	return o, last, nil
}

// result asks for what a node saw. One that still works on something is asked again
// until it does not, or so long.
func (c *client) result(ctx context.Context, host string, wait time.Duration, tries bool) (Result, error) {
	t := time.NewTicker(pollEvery)
	defer t.Stop()
	for until := time.Now().Add(wait); ; <-t.C {
		var r Result
		if err := c.get(ctx, host, "/-/node/result", telling, &r); err != nil {
			return r, err
		}
		if r.Schema != Schema {
			return r, fmt.Errorf("its schema is %q, not %s: use the same labctl on all hosts", r.Schema, Schema)
		}
		if r.Record.Working == 0 || !time.Now().Before(until) {
			return r, c.details(ctx, host, &r, tries)
		}
	}
}

// details asks for what comes in pages: hits, and where they are wanted attempts.
func (c *client) details(ctx context.Context, host string, r *Result, tries bool) (err error) {
	if r.Record.Hits, err = pages[live.Hit](ctx, c, host, fmt.Sprintf("/-/node/result/%d/hits", r.Shot), r.AllHits); err != nil || !tries {
		return err
	}
	r.Record.Tries, err = pages[live.Try](ctx, c, host, fmt.Sprintf("/-/node/result/%d/tries", r.Shot), r.AllTries)
	return err
}

func pages[T any](ctx context.Context, c *client, host, path string, want int) ([]T, error) {
	var all []T
	for len(all) < want {
		var p []T
		if err := c.get(ctx, host, fmt.Sprintf("%s?from=%d", path, len(all)), telling, &p); err != nil {
			return nil, err
		}
		if len(p) == 0 {
			return nil, fmt.Errorf("it told %d of %d: ask again", len(all), want)
		}
		all = append(all, p...)
	}
	return all, nil
}
