package policy

import (
	"strconv"
	"time"
)

// Kind says how an attempt ended.
type Kind uint8

// The kinds of an outcome. Answered has a status; the others had no answer.
const (
	Answered  Kind = iota // an HTTP answer, see Outcome.Status
	Timeout               // the caller stopped waiting by its own timeout
	Refused               // nobody listened: ECONNREFUSED
	Reset                 // the connection died before an answer: RST, FIN or EOF
	Malformed             // the answer could not be read as HTTP
	Cancelled             // the caller's caller left; neither success nor failure
	Rejected              // a policy refused to make the call
	Degraded              // a fallback answered in place of the service: see Fallback
	kinds                 // how many there are
)

var kindNames = [kinds]string{"status", "timeout", "refused", "reset", "malformed", "cancelled", "rejected", "degraded"}

// Outcome is how an attempt, or a whole call, ended.
type Outcome struct {
	Kind   Kind
	Status int16         // of an answer: 100…599
	After  time.Duration // its Retry-After, see ParseRetryAfter; 0: none
}

// Status is the outcome of an answer with this status code.
func Status(code int) Outcome { return Outcome{Kind: Answered, Status: int16(code)} }

// Failed is the outcome of an attempt without an answer.
func Failed(k Kind) Outcome { return Outcome{Kind: k} }

// OK reports whether the call gave what was asked for: an answer below 400.
func (o Outcome) OK() bool { return o.Kind == Answered && o.Status >= 100 && o.Status < 400 }

// String is "503", "timeout", "refused" and so on.
func (o Outcome) String() string {
	if o.Kind == Answered {
		return strconv.Itoa(int(o.Status))
	}
	return kindNames[o.Kind]
}
