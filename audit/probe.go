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

	// Fresh and Reused are the fault programs for the two connections; "" where the
	// fault has no such form. The first hit of a Reused one is a warm-up that says ok
	// where Warm is set.
	Fresh, Reused string
	Warm          bool

	// Blackhole is a fault that no program has: SYNs that nobody answers.
	Blackhole bool
}

// On returns the fault program for a connection.
func (f Fault) On(c Connection) string {
	if c == Reused {
		return f.Reused
	}
	return f.Fresh
}

// retryableStatuses and the others that a client may meet. 425 is RFC 8470's.
var statuses = []string{"400", "401", "403", "404", "408", "409", "422", "425", "429", "500", "501", "502", "503", "504"}

// waits are the forms of Retry-After that clients read differently: a short and a long
// one in seconds, a date, none at all, text, and more seconds than an int64 of
// nanoseconds holds (hashicorp/go-retryablehttp#297).
var waits = []string{"retry-after=1", "retry-after=3", "date-retry-after=3", "retry-after=0", "raw-retry-after=soon", "retry-after=9223372037"}

// Catalogue lists all faults, in the order of a card.
func Catalogue() []Fault {
	faults := []Fault{{Name: "ok", Group: Control, Fresh: "ok+close", Reused: "ok"}}
	for _, s := range statuses {
		faults = append(faults, Fault{Name: s, Group: Status, Fresh: s + "+close", Reused: s})
	}
	for _, s := range []string{"429", "503"} {
		for _, w := range waits {
			faults = append(faults, Fault{Name: s + " " + w, Group: RetryAfter, Fresh: s + "+" + w + "+close", Reused: s + "+" + w})
		}
	}
	faults = append(faults,
		Fault{Name: "refused", Group: Transport, Fresh: "refuse"},
		Fault{Name: "blackhole", Group: Transport, Blackhole: true},
		dying("reset"), dying("close"), dying("halfreset"), dying("truncate"), dying("malformed"), dying("badchunk"),
		dying("hang"), dying("stall"),
		Fault{Name: "redirect loop", Group: Status, Fresh: "302+location=again+close", Reused: "302+location=again"},
		Fault{Name: "503 twice, then ok", Group: Recovery, Fresh: "503+closex2,ok+close", Reused: "503x2,ok"},
		Fault{Name: "reset once, then ok", Group: Recovery, Fresh: "reset,ok+close", Reused: "ok,reset,ok", Warm: true},
	)
	return faults
}

// dying is a fault that ends the connection, on a fresh one or on one that was good
// once.
func dying(action string) Fault {
	return Fault{Name: action, Group: Transport, Fresh: action, Reused: "ok," + action, Warm: true}
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
