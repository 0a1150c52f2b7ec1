package program

// Kind tells actions apart.
type Kind uint8

// The kinds of action; the package documentation says what each does.
const (
	OK Kind = iota
	Status
	Reset
	Close
	Hang
	Refuse
	Truncate
	HalfReset
	Malformed
	BadChunk
	Slow
	Stall
	Lost
	Throttle // of a step only: [State.Next] makes it OK or Status
)

var kindNames = [...]string{
	OK: "ok", Status: "status", Reset: "reset", Close: "close", Hang: "hang", Refuse: "refuse",
	Truncate: "truncate", HalfReset: "halfreset", Malformed: "malformed", BadChunk: "badchunk",
	Slow: "slow", Stall: "stall", Lost: "lost", Throttle: "throttle",
}

// String returns the kind's word in a program, and "status" for Status.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Answers reports whether the caller gets an answer that it can use.
func (k Kind) Answers() bool { return k.Seen() == SeenAnswer }

// Works reports whether the side effect is performed, at the end of the delay: the
// service did its part, and what fails is the answer. So it is for ok and slow, and
// for lost, truncate, halfreset, stall, malformed and badchunk, where a client that
// tries again has the work done twice. A status, reset, close, hang or refused request
// fails in front of the work, as does one that is throttled.
func (k Kind) Works() bool {
	switch k {
	case OK, Slow, Truncate, HalfReset, Stall, Malformed, BadChunk, Lost:
		return true
	}
	return false
}

// Seen is what a request looks like to the client that sent it.
type Seen uint8

// What a client sees. A test of package faultserver holds this table against
// net/http over TCP.
const (
	SeenAnswer    Seen = iota // a status and a whole body
	SeenReset                 // the connection died: ECONNRESET, EOF, or an unexpected EOF in the body
	SeenMalformed             // the answer cannot be read as HTTP
	SeenRefused               // no connection: ECONNREFUSED
	SeenNothing               // silence, until the client has enough of it
)

var seenNames = [...]string{
	SeenAnswer: "answer", SeenReset: "reset", SeenMalformed: "malformed", SeenRefused: "refused", SeenNothing: "nothing",
}

// String is one word.
func (s Seen) String() string { return seenNames[s] }

// Seen returns what the client sees of an action, for engines without a network.
func (k Kind) Seen() Seen {
	switch k {
	case Reset, Close, Truncate, HalfReset, Lost:
		return SeenReset
	case Malformed, BadChunk:
		return SeenMalformed
	case Refuse:
		return SeenRefused
	case Hang, Stall:
		return SeenNothing
	}
	return SeenAnswer
}

// heads reports whether the answer of the action begins, at least, as a 200.
func (k Kind) heads() bool {
	switch k {
	case OK, Slow, Truncate, HalfReset, Stall, BadChunk:
		return true
	}
	return false
}

// needsBody reports whether the action is about a body and has one by itself.
func (k Kind) needsBody() bool { return k == Slow || k.cuts() }

// cuts reports whether the answer stops in the middle of its body.
func (k Kind) cuts() bool { return k == Truncate || k == HalfReset || k == Stall }
