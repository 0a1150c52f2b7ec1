package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"labctl/audit"
)

// remoteTail is one of a labctl serve, by its control API.
type remoteTail struct {
	shown, api, token string // the tail's URL, and that of its resource
	fault             string // its program
	client            *http.Client
}

// The answers of the API that are read, as far as they are needed.
type (
	remoteCount struct {
		Program string `json:"program"`
		Hits    int    `json:"hits"`
		Kept    int    `json:"kept"`
	}
	remotePage struct {
		Arrivals []remoteArrival `json:"arrivals"`
		Next     int             `json:"next"`
	}
	remoteArrival struct {
		AtMS       float64           `json:"at_ms"`
		EndMS      *float64          `json:"end_ms"`
		Method     string            `json:"method"`
		Target     string            `json:"target"`
		Connection int               `json:"connection"`
		Turn       int               `json:"turn"`
		Kind       string            `json:"kind"`
		Status     int               `json:"status"`
		BodyBytes  int64             `json:"body_bytes"`
		Complete   bool              `json:"complete"`
		Headers    map[string]string `json:"headers"`
	}
	remoteProblem struct {
		Detail string `json:"detail"`
	}
)

const (
	remotePatience = 10 * time.Second // for an answer of the API
	remoteRead     = 16 << 20         // bytes of one
	remoteLimit    = 1000             // arrivals of a page
)

// openRemote finds the tail, and makes an id that is not there.
func openRemote(ctx context.Context, shown, token, fault string, faultSaid bool) (probeTail, error) {
	u, err := url.Parse(shown)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("--tail %q: write it like http://tail.test:8425, or http://tail.test:8425/p/ID for one id", shown)
	}
	path := strings.Trim(u.Path, "/")
	name, isID := strings.CutPrefix(path, "p/")
	switch {
	case path == "":
		name = "default"
	case !isID || name == "" || strings.Contains(name, "/"):
		return nil, fmt.Errorf("--tail %s: the path is /p/ID, or none for the default tail", shown)
	}
	t := remoteTail{
		shown: shown, token: token, client: &http.Client{Timeout: remotePatience},
		api: (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/-/v1/tails/" + name}).String(),
	}
	var there remoteCount
	status, err := t.ask(ctx, http.MethodGet, "", nil, &there)
	if faultSaid || status == http.StatusNotFound {
		there.Program = fault
		_, err = t.ask(ctx, http.MethodPut, "", map[string]string{"program": fault}, nil)
	}
	t.fault = there.Program
	return t, err
}

func (t remoteTail) where() string       { return t.shown }
func (t remoteTail) program() string     { return t.fault }
func (t remoteTail) pace() time.Duration { return 250 * time.Millisecond }
func (t remoteTail) close()              { t.client.CloseIdleConnections() }

func (t remoteTail) forget(ctx context.Context) error {
	_, err := t.ask(ctx, http.MethodPost, "/reset", nil, nil)
	return err
}

// glance looks at the last arrivals only.
func (t remoteTail) glance(ctx context.Context) (sight, error) {
	var n remoteCount
	if _, err := t.ask(ctx, http.MethodGet, "", nil, &n); err != nil {
		return sight{}, err
	}
	s := sight{count: n.Hits}
	_, err := t.page(ctx, &s, max(n.Kept-remoteLimit, 0))
	return s, err
}

func (t remoteTail) look(ctx context.Context) (sight, error) {
	var n remoteCount
	if _, err := t.ask(ctx, http.MethodGet, "", nil, &n); err != nil {
		return sight{}, err
	}
	s := sight{count: n.Hits}
	for next := 0; len(s.hits) < probeKeep; {
		var err error
		if next, err = t.page(ctx, &s, next); err != nil || next == 0 {
			return s, err
		}
	}
	return s, nil
}

// page reads the arrivals behind a number, and says where the next page begins.
func (t remoteTail) page(ctx context.Context, s *sight, after int) (next int, err error) {
	var page remotePage
	if _, err := t.ask(ctx, http.MethodGet, fmt.Sprintf("/arrivals?after=%d&limit=%d", after, remoteLimit), nil, &page); err != nil {
		return 0, err
	}
	for _, a := range page.Arrivals {
		h := audit.Hit{At: millis(a.AtMS), End: -1, Conn: a.Connection, Turn: a.Turn, Method: a.Method, Body: a.BodyBytes, Complete: a.Complete}
		if a.EndMS != nil {
			h.End = millis(*a.EndMS)
		}
		h.Attempt = attemptText(func(name string) string { return a.Headers[name] })
		s.add(h, a.Target, a.Kind, a.Status)
	}
	return page.Next, nil
}

func millis(ms float64) time.Duration { return time.Duration(ms*1000) * time.Microsecond }

// ask makes one call of the API. Its errors are bad input: a wrong URL, or no token.
func (t remoteTail) ask(ctx context.Context, method, path string, body, into any) (status int, err error) {
	var sent io.Reader
	if body != nil {
		text, _ := json.Marshal(body) // of strings
		sent = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, t.api+path, sent)
	if err != nil {
		return 0, fmt.Errorf("--tail: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	if t.token != "" {
		r.Header.Set("Authorization", "Bearer "+t.token)
	}
	answer, err := t.client.Do(r)
	if err != nil {
		return 0, environment(fmt.Errorf("--tail %s does not answer: %w: start labctl serve there", t.shown, unwrapURL(err)))
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, remoteRead))
	if err != nil {
		return 0, environment(fmt.Errorf("--tail %s: %w", t.shown, err))
	}
	return answer.StatusCode, t.judge(answer.StatusCode, data, into)
}

// judge reads an answer, or says what is wrong in the words of the API.
func (t remoteTail) judge(status int, data []byte, into any) error {
	if status >= 300 {
		var p remoteProblem
		if json.Unmarshal(data, &p) != nil || p.Detail == "" {
			return fmt.Errorf("--tail %s: %d without a reason: it is no labctl serve", t.shown, status)
		}
		return fmt.Errorf("--tail %s: %s", t.shown, p.Detail)
	}
	if into != nil && json.Unmarshal(data, into) != nil {
		return fmt.Errorf("--tail %s: an answer that is no JSON: it is no labctl serve", t.shown)
	}
	return nil
}
