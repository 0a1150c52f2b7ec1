package control_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"labctl/faultserver/control"
)

// Each path leads to its tail, which has turns of its own.
func TestTailsByPath(t *testing.T) {
	h := handler(t, control.Config{
		Program: parse("503x2,ok"),
		Paths:   []control.PathProgram{{Prefix: "/orders", Program: parse("500")}, {Prefix: "/orders/new", Program: parse("429,404")}},
	})
	for _, tt := range []struct {
		path, tail string
		want       int
	}{
		{"/", "default", 503},
		{"/orders", "/orders", 500},
		{"/orders/", "/orders", 500},
		{"/orders/7?x=/orders/new", "/orders", 500},
		{"/orders/new", "/orders/new", 429},
		{"/orders/new/7", "/orders/new", 404},
		{"/ordersx", "default", 503},
		{"/x/orders", "default", 200},
		{"/p", "default", 200},
		{"/-", "default", 200},
		{"/p/a", "a", 503},
		{"/p/a/", "a", 503},
		{"/p/a/orders/new", "a", 200},
		{"/p/b/?q", "b", 503},
		{"/p/default/x", "default", 200},
		{"/p/A.b_c~d-9/", "A.b_c~d-9", 503},
	} {
		before := 0
		if w := do(h, "GET", "/-/v1/tails/"+strings.ReplaceAll(tt.tail, "/", "%2F"), ""); w.Code == 200 {
			var tail control.Tail
			json.Unmarshal(w.Body.Bytes(), &tail)
			before = tail.Hits
		}
		equal(t, tt.path+": status", status(h, tt.path), tt.want)
		equal(t, tt.path+": hits of "+tt.tail, tailNamed(t, h, strings.ReplaceAll(tt.tail, "/", "%2F")).Hits, before+1)
	}
}

func TestBadIDs(t *testing.T) {
	h := handler(t, control.Config{})
	for _, path := range []string{"/p/", "/p//x", "/p/.", "/p/../x", "/p/-a/", "/p/a%20b/", "/p/%00", "/p/ä/", "/p/" + strings.Repeat("a", control.MaxID+1)} {
		w := do(h, "GET", path, "")
		if w.Code != http.StatusBadRequest || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	equal(t, "hits", h.Overview().Hits, 0)
	equal(t, "ids", h.Overview().IDs, 0)
	equal(t, "the longest", status(h, "/p/"+strings.Repeat("a", control.MaxID)), 200)
}

// A program is changed per tail, and starts at its first step; a reset starts it anew.
func TestProgramAndReset(t *testing.T) {
	h := handler(t, control.Config{Program: parse("503,ok"), Paths: []control.PathProgram{{Prefix: "/x", Program: parse("500")}}})
	statuses := func(path string, n int) string {
		var out []int
		for range n {
			out = append(out, status(h, path))
		}
		return fmt.Sprint(out)
	}
	equal(t, "at first", statuses("/p/a", 2)+statuses("/", 2), "[503 200][503 200]")
	equal(t, "an id that is there", put(h, "a", "404,410"), 200)
	equal(t, "one that is not", put(h, "b", "429"), 201)
	equal(t, "a path", put(h, "%2Fx", "504"), 200)
	equal(t, "then", statuses("/p/a", 2)+statuses("/p/b", 1)+statuses("/x", 1)+statuses("/p/c", 1), "[404 410][429][504][503]")
	equal(t, "hits of a", tailNamed(t, h, "a").Hits, 4)

	equal(t, "reset", do(h, "POST", "/-/v1/tails/a/reset", "").Code, 204)
	equal(t, "hits of a, b", fmt.Sprint(tailNamed(t, h, "a").Hits, tailNamed(t, h, "b").Hits), "0 1")
	equal(t, "after it", statuses("/p/a", 2), "[404 410]")
	equal(t, "the default", put(h, "default", "502"), 200)
	equal(t, "new ids have the program from the start", statuses("/", 1)+statuses("/p/d", 1), "[502][503]")

	equal(t, "reset all", do(h, "POST", "/-/v1/reset", "").Code, 204)
	equal(t, "hits, ids", fmt.Sprint(h.Overview().Hits, h.Overview().IDs), "0 4")
	equal(t, "delete", do(h, "DELETE", "/-/v1/tails/a", "").Code, 204)
	equal(t, "gone", status(h, "/-/v1/tails/a"), 404)
	equal(t, "made anew, with the default program", statuses("/p/a", 2), "[503 200]")
}

// Bodies and queries that are wrong say what to send.
func TestBadRequests(t *testing.T) {
	h := handler(t, control.Config{})
	status(h, "/p/a")
	for _, tt := range []struct {
		method, target, body string
		status               int
		problem              string
	}{
		{"PUT", "/-/v1/tails/a", ``, 400, "bad-body"},
		{"PUT", "/-/v1/tails/a", `{}`, 400, "bad-body"},
		{"PUT", "/-/v1/tails/a", `{"program": null}`, 400, "bad-body"},
		{"PUT", "/-/v1/tails/a", `{"program": 503}`, 400, "bad-body"},
		{"PUT", "/-/v1/tails/a", `{"programm": "503"}`, 400, "bad-body"},
		{"PUT", "/-/v1/tails/a", `{"program": "503", "tail": "b"}`, 400, "bad-body"},
		{"PUT", "/-/v1/tails/a", `{"program": "503"} x`, 400, "bad-body"},
		{"PUT", "/-/v1/tails/a", `{"program": "` + strings.Repeat("5", 20<<10) + `"}`, 400, "bad-body"},
		{"PUT", "/-/v1/tails/a", `{"program": ""}`, 422, "bad-program"},
		{"PUT", "/-/v1/tails/a", `{"program": "refuse"}`, 422, "bad-program"},
		{"PUT", "/-/v1/tails/a", `{"program": "delay=11m"}`, 422, "bad-program"},
		{"PUT", "/-/v1/tails/a%2Fb", `{"program": "503"}`, 400, "bad-id"},
		{"PUT", "/-/v1/tails/%2Fx", `{"program": "503"}`, 400, "bad-id"},
		{"PATCH", "/-/v1/tails/a", ``, 405, "wrong-method"},
		{"POST", "/-/healthz", ``, 405, "wrong-method"},
		{"GET", "/-/v1/tails/a/reset", ``, 405, "wrong-method"},
		{"GET", "/-/", ``, 404, "no-operation"},
		{"GET", "/-/v2", ``, 404, "no-operation"},
		{"GET", "/-/v1/", ``, 404, "no-operation"},
		{"GET", "/-/../x", ``, 404, "no-operation"},
		{"GET", "/-//v1", ``, 404, "no-operation"},
		{"GET", "/-/v1/tails?limit=1001", ``, 400, "bad-query"},
		{"GET", "/-/v1/tails/a/arrivals?after=-1", ``, 400, "bad-query"},
		{"GET", "/-/v1/tails/a/arrivals?after=99999999999999999999", ``, 400, "bad-query"},
	} {
		w := do(h, tt.method, tt.target, tt.body, "Content-Type", "application/json")
		var p struct{ Type, Detail string }
		json.Unmarshal(w.Body.Bytes(), &p)
		if w.Code != tt.status || p.Type != "urn:labctl:problem:"+tt.problem || p.Detail == "" {
			t.Errorf("%s %s %.40s: %d %s", tt.method, tt.target, tt.body, w.Code, w.Body)
		}
	}
	equal(t, "Allow", do(h, "PATCH", "/-/v1/tails/a", "").Header().Get("Allow"), "GET, HEAD, PUT, DELETE")
	equal(t, "the program", tailNamed(t, h, "a").Program, "ok")
	equal(t, "hits: none of these is one", h.Overview().Hits, 1)
}

type page struct {
	Arrivals []struct {
		Number int
		Target string
	}
	Kept, Dropped, Next int
}

func TestArrivalsPage(t *testing.T) {
	h := handler(t, control.Config{IDs: 1, Keep: 10})
	for i := range 7 {
		status(h, fmt.Sprintf("/p/a/%d", i))
	}
	var got []string
	for after := 0; ; {
		p := read[page](t, h, fmt.Sprintf("/-/v1/tails/a/arrivals?limit=2&after=%d", after))
		for _, a := range p.Arrivals {
			got = append(got, fmt.Sprint(a.Number, a.Target))
		}
		equal(t, "kept, dropped", fmt.Sprint(p.Kept, p.Dropped), "5 2")
		if after = p.Next; after == 0 {
			break
		}
	}
	equal(t, "arrivals", strings.Join(got, " "), "1/p/a/0 2/p/a/1 3/p/a/2 4/p/a/3 5/p/a/4")
	equal(t, "behind the end", len(read[page](t, h, "/-/v1/tails/a/arrivals?after=9").Arrivals), 0)
	tail := tailNamed(t, h, "a")
	equal(t, "hits, kept, dropped", fmt.Sprint(tail.Hits, tail.Kept, tail.Dropped), "7 5 2")
}

func TestListPages(t *testing.T) {
	h := handler(t, control.Config{Paths: []control.PathProgram{{Prefix: "/b"}, {Prefix: "/a/long"}}})
	for _, id := range []string{"c", "Z", "a"} {
		status(h, "/p/"+id)
	}
	names := func(query string) string {
		p := read[struct {
			Tails []control.Tail
			Next  string
		}](t, h, "/-/v1/tails"+query)
		var out []string
		for _, tail := range p.Tails {
			out = append(out, tail.Name)
		}
		return strings.Join(out, " ") + " | " + p.Next
	}
	equal(t, "all", names(""), "default /a/long /b Z a c | ")
	equal(t, "the first", names("?limit=3"), "default /a/long /b | /b")
	equal(t, "the rest", names("?limit=3&after=%2Fb"), "Z a c | ")
	equal(t, "after one that is gone", names("?after=b"), "c | ")
}

func TestBadConfigurations(t *testing.T) {
	at := func(prefix string) control.Config {
		return control.Config{Paths: []control.PathProgram{{Prefix: prefix}}}
	}
	for want, c := range map[string]control.Config{
		"refuse is a closed port":    {Program: parse("refuse")},
		"path /x: fault program: re": {Paths: []control.PathProgram{{Prefix: "/x", Program: parse("refuse")}}},
		"takes 20m0s":                {Program: parse("ok,503+delay=20m")},
		"takes 10m1s":                {Program: parse("slow+over=10m+delay=1s")},
		"-1 ids":                     {IDs: -1},
		"are too few":                {Keep: 100},
		"-1 connections":             {Connections: -1},
		"a hang of at most -1ns":     {MaxHang: -1},
		"that is the default tail":   at("/"),
		`path "orders"`:              at("orders"),
		`path "/orders/"`:            at("/orders/"),
		`path "/a/../b"`:             at("/a/../b"),
		`path "/a b"`:                at("/a b"),
		`path "/\xff"`:               at("/\xff"),
		"path /-:":                   at("/-"),
		"path /-/v1:":                at("/-/v1"),
		"path /p:":                   at("/p"),
		"path /p/x:":                 at("/p/x"),
		"a path of 300 bytes":        at("/" + strings.Repeat("a", 299)),
		"path /x stands twice":       {Paths: []control.PathProgram{{Prefix: "/x"}, {Prefix: "/x"}}},
		"257 paths":                  {Paths: make([]control.PathProgram, 257)},
	} {
		if _, err := control.New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestLog(t *testing.T) {
	var got []string
	h := handler(t, control.Config{Program: parse("429+retry-after=2,hang,ok"), Log: func(hit control.Hit) {
		got = append(got, fmt.Sprint(hit.Tail, " ", hit.Method, " ", hit.Target, " ", hit.Action, " ", hit.Reused))
	}})
	do(h, "POST", "/p/a/x?y", "")
	status(h, "/-/healthz")
	equal(t, "lines", strings.Join(got, "; "), "a POST /p/a/x?y 429+retry-after=2 false")
}
