package tap

import (
	"slices"
	"time"
)

// A Request is one that passed a tap.
type Request struct {
	At     time.Duration // when its head was complete, since the tap was opened
	Conn   int           // the connection, from 1 in the order of accepting
	Turn   int           // which request on that connection, from 1: above 1 the connection is reused
	Method string
	Target string // as in the request line, at most [MaxTarget] bytes of it
	Length int64  // of the body, as announced; -1: chunked
	Body   int64  // bytes of the body that came

	Status int           // of the answer; 0: no head of an answer came
	Answer int64         // bytes that came back while it was the oldest request without an answer
	End    time.Duration // when the answer was complete, or the connection dead; 0 before that
	Died   bool          // its connection ended before an answer was complete
	Left   bool          // and it was the sender that ended it, by a close or a reset
}

// Hidden lists the requests, by their index, that nobody decided to send: hidden
// replays, made by the HTTP stack of the hop in front of the tap and not by its retry
// policy. It goes by this rule:
//
// A request is on a reused connection (Turn above 1), and the connection dies before
// a byte of an answer, not by its sender's doing. Then the next request with the same method, target and announced
// length, on another connection and no later than within after that death, is a hidden
// replay of it. One request has one replay at most; a replay that dies on a reused
// connection too may have one itself, as from a client that kept several.
//
// It is how stacks behave that take a dead reused connection for one that the server
// had closed before it saw the request (RFC 9110, section 9.2.2). A policy that repeats
// without a rest on such a connection cannot be told from it: within should be the
// noise, the time that a client needs that does not rest, and less than any rest.
func Hidden(requests []Request, within time.Duration) []int {
	var hidden []int
	for i, r := range requests {
		if !r.lost() {
			continue
		}
		for j := i + 1; j < len(requests) && requests[j].At <= r.End+within; j++ {
			if requests[j].repeats(r) && !slices.Contains(hidden, j) {
				hidden = append(hidden, j)
				break
			}
		}
	}
	slices.Sort(hidden)
	return hidden
}

// lost reports whether an HTTP stack may send the request again by itself.
func (r Request) lost() bool { return r.Turn > 1 && r.Died && !r.Left && r.Answer == 0 }

func (r Request) repeats(first Request) bool {
	return r.Conn != first.Conn && r.At >= first.End &&
		r.Method == first.Method && r.Target == first.Target && r.Length == first.Length
}
