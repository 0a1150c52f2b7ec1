package tap

import (
	"fmt"
	"testing"
	"time"
)

// at is a request that was answered; the others below are variations of it.
func at(ms, conn, turn int) Request {
	start := time.Duration(ms) * time.Millisecond
	return Request{At: start, Conn: conn, Turn: turn, Method: "GET", Target: "/", Status: 503, Answer: 80, End: start + time.Millisecond}
}

func dead(ms, conn, turn int) Request {
	r := at(ms, conn, turn)
	r.Status, r.Answer, r.Died = 0, 0, true
	return r
}

func with(r Request, change func(*Request)) Request {
	change(&r)
	return r
}

func TestHiddenReplays(t *testing.T) {
	post := func(r *Request) { r.Method = "POST" }
	for _, tt := range []struct {
		name     string
		requests []Request
		want     string
	}{
		{"none", nil, "[]"},
		{"a policy", []Request{at(0, 1, 1), at(100, 1, 2), at(200, 1, 3)}, "[]"},
		{"a replay", []Request{at(0, 1, 1), dead(100, 1, 2), at(102, 2, 1)}, "[2]"},
		{"at the end of the noise", []Request{dead(100, 1, 2), at(111, 2, 1)}, "[1]"},
		{"after a rest", []Request{dead(100, 1, 2), at(112, 2, 1)}, "[]"},
		{"death on a fresh connection", []Request{dead(0, 1, 1), at(2, 2, 1)}, "[]"},
		{"a byte of an answer came", []Request{with(dead(0, 1, 2), func(r *Request) { r.Answer = 1 }), at(2, 2, 1)}, "[]"},
		{"the sender left, as after a timeout", []Request{with(dead(0, 1, 2), func(r *Request) { r.Left = true }), at(2, 2, 1)}, "[]"},
		{"another method", []Request{dead(0, 1, 2), with(at(2, 2, 1), post)}, "[]"},
		{"another target", []Request{dead(0, 1, 2), with(at(2, 2, 1), func(r *Request) { r.Target = "/b" })}, "[]"},
		{"another body", []Request{dead(0, 1, 2), with(at(2, 2, 1), func(r *Request) { r.Length = 3 })}, "[]"},
		{"before the death", []Request{dead(0, 1, 2), at(0, 2, 1)}, "[]"},
		{"others between", []Request{dead(0, 1, 2), with(at(1, 3, 1), post), at(2, 2, 1)}, "[2]"},
		{"several dead connections", []Request{dead(0, 1, 2), dead(2, 2, 2), at(4, 3, 1)}, "[1 2]"},
		{"two that lost one each", []Request{dead(0, 1, 2), dead(0, 2, 2), at(2, 3, 1), at(2, 4, 1)}, "[2 3]"},
		{"two that cross", []Request{dead(0, 1, 2), with(dead(0, 2, 2), post), with(at(2, 3, 1), post), at(3, 4, 1)}, "[2 3]"},
		{"two that lost, one that was repeated", []Request{dead(0, 1, 2), dead(0, 2, 2), at(2, 3, 1)}, "[2]"},
	} {
		if got := fmt.Sprint(Hidden(tt.requests, 10*time.Millisecond)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
