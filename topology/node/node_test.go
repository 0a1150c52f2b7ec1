package node_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/node"
)

// One request over three nodes comes to what it comes to on one machine.
func TestNodesCountAsOneRun(t *testing.T) {
	for _, tt := range []struct {
		attempts []int
		requests []int64 // at client, a, b, c
	}{
		{[]int{3, 3, 3}, []int64{1, 3, 9, 27}},
		{[]int{1, 3, 3}, []int64{1, 1, 3, 9}},
		{[]int{1, 3, 1}, []int64{1, 1, 3, 3}},
	} {
		top := chain(t, 1, tt.attempts...)
		h := serve(t, top, "")
		herd := h.herd(0, 1)
		v, said, err := merge(t, top, h.gather("", herd))
		if err != nil || len(said) > 0 {
			t.Errorf("%v: %v, %v", tt.attempts, err, said)
		}
		var requests []int64
		for _, l := range v.Layers {
			requests = append(requests, l.Requests)
		}
		equal(t, "requests", fmt.Sprint(requests), fmt.Sprint(tt.requests))
		equal(t, "hits", v.Hits, tt.requests[3])
		equal(t, "failed", v.Outcomes.Failed, 1)
		if len(v.Tree) != int(tt.requests[1]+tt.requests[2]+tt.requests[3]) {
			t.Errorf("%v: the tree has %d attempts", tt.attempts, len(v.Tree))
		}
		if len(v.Hosts) != 4 {
			t.Errorf("%v: clocks of %+v", tt.attempts, v.Hosts)
		}
	}
}

// What two herds saw is what one herd of all clients would have seen.
func TestHerdsMerge(t *testing.T) {
	top := chain(t, 20, 1, 1, 2)
	h := serve(t, top, "")
	at := time.Now().Add(500 * time.Millisecond) // long enough to measure clocks, mostly; late is as good
	results := make(chan node.Result)
	for _, first := range []int{0, 8} {
		go func() {
			c := h.config(first, map[int]int{0: 8, 8: 12}[first])
			c.At = at
			r, err := node.RunHerd(t.Context(), c)
			if err != nil {
				t.Error(err)
			}
			results <- r
		}()
	}
	found := h.gather("", <-results, <-results)
	v, said, err := merge(t, top, found)
	if err != nil || said["herd-missing"]+said["releases-differ"]+said["hits-differ-from-attempts"] != "" {
		t.Errorf("%v, %v", err, said)
	}
	equal(t, "requests", v.Requests, 20)
	equal(t, "hits", v.Hits, 40)
	equal(t, "first wave", v.FirstWave, 20)
	equal(t, "first bin", v.Bins[0], 40)
	equal(t, "failed", v.Outcomes.Failed, 20)

	spans := map[topology.SpanKind]int{}
	_, _, err = node.Merge(top, labID, h.gather("", *found[3].Left, *found[4].Left), live.Options{Spans: func(s topology.Span) { spans[s.Kind]++ }})
	want := map[topology.SpanKind]int{topology.RequestSpan: 20, topology.AttemptSpan: 80, topology.HitSpan: 80}
	if err != nil || !reflect.DeepEqual(spans, want) {
		t.Errorf("spans %v, want %v, %v", spans, want, err)
	}
}

// Where a clock has its zero changes nothing but what is said of it.
func TestClocksDoNotShapeTheResult(t *testing.T) {
	top := chain(t, 3, 2, 1, 2)
	top.Run.Bin = time.Millisecond
	h := serve(t, top, "")
	herd := h.herd(0, 3)
	// Merging consumes what it merges, so each has its own.
	ask := func() []node.Found { return h.gather("", copied(t, herd)) }
	as := func(found []node.Found) report.Variant {
		v, _, err := merge(t, top, found)
		if err != nil {
			t.Fatal(err)
		}
		v.Hosts = nil
		return v
	}
	measured := ask()
	again := func() []node.Found { return clone(t, measured) }
	want := as(again())
	for i, f := range measured {
		if f.Result.Record.Herd != nil || f.Service == top.Tail().Name {
			continue
		}
		moved := again()
		moved[i].Result.Record.Released += time.Hour
		moved[i].Offset.Ahead += time.Hour
		if got := as(moved); !reflect.DeepEqual(got, want) {
			t.Errorf("the clock of %s an hour ahead: got %+v, want %+v", f.Service, got, want)
		}
	}
}

func copied(t *testing.T, r node.Result) node.Result {
	t.Helper()
	var b bytes.Buffer
	if err := node.WriteResult(&b, r); err != nil {
		t.Fatal(err)
	}
	out, err := node.ReadResult(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func clone(t *testing.T, found []node.Found) []node.Found {
	t.Helper()
	out := append([]node.Found(nil), found...)
	for i, f := range found {
		r := copied(t, *f.Result)
		out[i].Result = &r
		if f.Offset != nil {
			o := *f.Offset
			out[i].Offset = &o
		}
	}
	return out
}

// A reset begins a new run; results ask for the token.
func TestControl(t *testing.T) {
	top := chain(t, 1, 2, 1, 1)
	h := serve(t, top, "secret")
	herd := h.herd(0, 1)
	ask := func(method, path, token string) (int, string) {
		r, _ := http.NewRequestWithContext(t.Context(), method, "http://"+h.addrs["c"]+path, nil)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}
	for _, tt := range []struct {
		method, path, token string
		status              int
		says                string
	}{
		{"GET", "/-/live", "", 200, "live\n"},
		{"GET", "/-/ready", "", 200, "ready\n"},
		{"GET", "/-/clock", "", 200, `"process":`},
		{"GET", "/-/metrics", "", 200, "labctl_node_requests_total{service=\"c\"} 2\n"},
		{"GET", "/-/node/result", "", 401, "token"},
		{"GET", "/-/node/result", "wrong", 401, "token"},
		{"GET", "/-/node/result", "secret", 200, `"all_hits":2`},
		{"GET", "/-/node/result/1/hits?from=1", "secret", 200, `client\u003ea#2`},
		{"GET", "/-/node/result/1/hits?from=3", "secret", 400, "from 0 to 2"},
		{"GET", "/-/node/result/7/hits?from=0", "secret", 410, "ask for /-/node/result again"},
		{"GET", "/-/node/result/1/tries?from=0", "secret", 200, ""},
		{"POST", "/-/node/reset", "", 401, "token"},
		{"POST", "/-/node/reset", "secret", 204, ""},
		{"GET", "/-/node/result/1/hits?from=0", "secret", 410, "reset"},
		{"GET", "/-/metrics", "", 200, "labctl_node_requests_total{service=\"c\"} 0\n"},
		{"GET", "/-/nothing", "", 404, ""},
	} {
		status, body := ask(tt.method, tt.path, tt.token)
		if status != tt.status || !strings.Contains(body, tt.says) {
			t.Errorf("%s %s: %d %q, want %d and %q", tt.method, tt.path, status, body, tt.status, tt.says)
		}
	}
	if found := h.gather("", herd); found[2].Why == nil || !strings.Contains(found[2].Why.Error(), "--token") {
		t.Errorf("without the token: %v", found[2].Why)
	}
}

// Nodes that were reset are as new: another run counts for itself.
func TestResetBetweenRuns(t *testing.T) {
	top := chain(t, 1, 2, 2, 1)
	h := serve(t, top, "secret")
	for range 2 {
		found := h.gather("secret", h.herd(0, 1))
		v, said, err := merge(t, top, found)
		if err != nil || len(said) > 0 {
			t.Errorf("%v, %v", err, said)
		}
		equal(t, "hits", v.Hits, 4)
		var sources []node.Source
		for _, f := range found {
			sources = append(sources, f.Source)
		}
		if err := node.Reset(t.Context(), sources, "wrong"); err == nil || err.Error() != "a was not reset: it answers 401; b was not reset: it answers 401; c was not reset: it answers 401" {
			t.Errorf("with the wrong token: %v", err)
		}
		if err := node.Reset(t.Context(), sources, "secret"); err != nil {
			t.Fatal(err)
		}
	}
}

// What is missing is said, and what its neighbours saw stands in.
func TestMissingNodes(t *testing.T) {
	for _, tt := range []struct {
		gone     string
		requests []int64
		hits     int64
		says     string
	}{
		{"a", []int64{1, 2, 4, 4}, 4, "node-missing"},
		{"b", []int64{1, 2, 4, 4}, 4, "node-missing"},
		{"c", []int64{1, 2, 4, 4}, 4, "node-missing"},
		{"client", []int64{1, 2, 4, 4}, 4, "herd-missing"},
	} {
		t.Run(tt.gone, func(t *testing.T) {
			top := chain(t, 1, 2, 2, 1)
			h := serve(t, top, "")
			herds := []node.Result{h.herd(0, 1)}
			if stop := h.stop[tt.gone]; stop != nil {
				stop()
			} else {
				herds = nil
			}
			v, said, err := merge(t, top, h.gather("", herds...))
			if !errors.Is(err, live.ErrInterrupted) || said[tt.says] == "" || said["hits-differ-from-attempts"] != "" {
				t.Errorf("%v, %q", err, said)
			}
			var requests []int64
			for _, l := range v.Layers {
				requests = append(requests, l.Requests)
			}
			equal(t, "requests", fmt.Sprint(requests), fmt.Sprint(tt.requests))
			equal(t, "hits", v.Hits, tt.hits)
		})
	}
}

// A file of another service, or of a herd, is nothing that this one left.
func TestFilesOfOthers(t *testing.T) {
	top := chain(t, 1, 2, 2, 1)
	h := serve(t, top, "")
	herd := h.herd(0, 1)
	h.stop["b"]()
	left := copied(t, h.nodes["b"].Result())
	for _, c := range []struct {
		service string
		left    node.Result
		why     string
	}{
		{"b", left, ""},
		{"a", left, "the file is that of b"},
		{"c", herd, "the file is that of a herd, which is named without --node"},
	} {
		got := node.Gather(t.Context(), []node.Source{{Service: c.service, Left: &c.left}}, node.GatherOptions{})[0]
		if why := got.Why; (why == nil) != (c.why == "") || why != nil && why.Error() != c.why || (got.Result == nil) != (c.why != "") {
			t.Errorf("%s: %v, want %q", c.service, why, c.why)
		}
	}
}

// A node that ended may have left what it saw: nothing is lost but its clock.
func TestNodeThatEnded(t *testing.T) {
	top := chain(t, 1, 2, 2, 1)
	h := serve(t, top, "")
	herd := h.herd(0, 1)
	found := h.gather("", herd)
	h.stop["b"]()
	left := copied(t, h.nodes["b"].Result())
	found[1] = node.Found{Source: node.Source{Service: "b", Left: &left}, Result: &left}
	v, said, err := merge(t, top, found)
	if err != nil || said["clock-unknown"] == "" {
		t.Errorf("%v, %v", err, said)
	}
	equal(t, "hits", v.Hits, 4)
	equal(t, "attempts of b", v.Layers[2].Attempts, 4)
}
