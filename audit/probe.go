package audit

import (
	"slices"
	"strings"
)

// A Probe is one question to a subject.
type Probe struct {
	Fault      Fault
	Method     string // GET, POST, PUT
	Keyed      bool   // with an Idempotency-Key, the same in all attempts
	Connection Connection
}

// String is a line for people: "503 POST with key, reused".
func (p Probe) String() string {
	words := []string{p.Fault.Name, p.MethodText() + ",", string(p.Connection)}
	return strings.Join(words, " ")
}

// MethodText is the method, and that there is a key where there is one.
func (p Probe) MethodText() string {
	if p.Keyed {
		return p.Method + " with key"
	}
	return p.Method
}

// Connection is what the attempts of a probe travel on.
type Connection string

// The connections. They make a difference of their own: HTTP stacks repeat requests by
// themselves on a reused connection that dies, and rewind a body there that they cannot
// rewind elsewhere.
const (
	// Fresh: each attempt has a connection of its own, since every answer closes its.
	Fresh Connection = "fresh"

	// Reused: answers keep connections open. Where the fault is that of a connection,
	// the first attempt comes on one that has carried a good exchange before.
	Reused Connection = "reused"
)

// Group is what kind of question a fault asks.
type Group uint8

// The groups, in the order of a card.
const (
	Status     Group = iota // an answer with a status and nothing else to say
	RetryAfter              // one that asks for a wait
	Transport               // no answer, or one that cannot be read
	Recovery                // a fault that passes
	Control                 // no fault: what the subject does when all is well
)

// A Fault is what the tail does to the requests of a probe.
type Fault struct {
	Name  string // in reports: "503", "429 retry-after=3", "refused"
	Group Group

	// Program is the fault program, without regard to connections: who performs the
	// trial closes them after each answer, or warms one up in front.
	Program string

	// Blackhole is a fault that no program has: SYNs that nobody answers.
	Blackhole bool
}

// Redirects reports whether an answer names another place: who goes there follows, and
// repeats nothing.
func (f Fault) Redirects() bool { return strings.Contains(f.Program, "+location=") }

// NeverConnects reports whether no connection comes about, so that none can be reused.
func (f Fault) NeverConnects() bool { return f.Blackhole || f.Program == "refuse" }

// statuses that a client may meet: some pass, some never will. 425 is RFC 8470's.
var statuses = []string{"400", "401", "403", "404", "408", "409", "422", "425", "429", "500", "501", "502", "503", "504"}

// waits are the forms of Retry-After that clients read differently: a short and a long
// one in seconds, a date, none at all, text, and more seconds than an int64 of
// nanoseconds holds (hashicorp/go-retryablehttp#297).
var waits = []string{"retry-after=1", "retry-after=3", "date-retry-after=3", "retry-after=0", "raw-retry-after=soon", "retry-after=9223372037"}

// body is what answers with a bad status have. It matters: curl --retry 3 -o /dev/null
// gives up where it cannot take back what it has written.
const body = "+body=10B"

// Catalogue lists all faults, in the order of a card.
func Catalogue() []Fault {
	faults := []Fault{{Name: "ok", Group: Control, Program: "ok"}}
	for _, s := range statuses {
		faults = append(faults, Fault{Name: s, Group: Status, Program: s + body})
	}
	faults = append(faults, Fault{Name: "redirect loop", Group: Status, Program: "302+location=again"})
	for _, s := range []string{"429", "503"} {
		for _, w := range waits {
			faults = append(faults, Fault{Name: s + " " + w, Group: RetryAfter, Program: s + "+" + w + body})
		}
	}
	faults = append(faults,
		Fault{Name: "refused", Group: Transport, Program: "refuse"},
		Fault{Name: "blackhole", Group: Transport, Blackhole: true})
	for _, action := range []string{"reset", "close", "halfreset", "truncate", "malformed", "badchunk", "hang", "stall"} {
		faults = append(faults, Fault{Name: action, Group: Transport, Program: action})
	}
	return append(faults,
		Fault{Name: "503 twice, then ok", Group: Recovery, Program: "503" + body + "x2,ok"},
		Fault{Name: "reset once, then ok", Group: Recovery, Program: "reset,ok"})
}

// FaultNamed finds a fault of the catalogue.
func FaultNamed(name string) (Fault, bool) {
	all := Catalogue()
	i := slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		return Fault{}, false
	}
	return all[i], true
}
