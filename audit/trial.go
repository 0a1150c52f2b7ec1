package audit

import "time"

// A Hit is one request of a trial, as the tail saw it.
type Hit struct {
	At       time.Duration // since the trial began
	End      time.Duration // when the tail was done with it; its arrival where it never was
	Conn     int           // the connection, from 1 in the order of accepting; of a SYN, its source port
	Turn     int           // which request on that connection, from 1: above 1 the connection is reused
	Warm     bool          // a warm-up that the probe asks for: no attempt
	Method   string
	Target   string // as in the request line
	Status   int    // of the answer that the tail had for it; 0: none, or none that can be read
	Body     int64  // bytes of its body that came
	Complete bool   // all of the body came
	Key      string
	Attempt  string // the number that it gives itself in a header, such as Labctl-Attempt, from 1; "": none
	Range    string // the Range header: a resumption, not a repetition
}

// A Trial is one run of a subject against a probe.
type Trial struct {
	Probe       Probe
	Hits        []Hit // in the order of arrival
	Connections int   // accepted, also those that carried no request
	Exit        Exit
	Elapsed     time.Duration // from the start of the command to its end

	// Uncounted says why the tail could not see attempts that there may have been: a
	// refused connection leaves no trace that a program without rights can see.
	Uncounted string

	// Unasked says why the probe could not be put to the subject; nothing follows from
	// the trial then.
	Unasked string

	// Proxied says that what reaches the tail comes from a proxy, which may be the one to
	// blame where nothing does.
	Proxied bool
}

// Attempts are the hits that are no warm-up.
func (t Trial) Attempts() []Hit {
	for i, h := range t.Hits {
		if !h.Warm {
			return t.Hits[i:]
		}
	}
	return nil
}

// Gaps are the times from the end of each attempt to the arrival of the next one, never
// below 0: attempts may overlap.
func (t Trial) Gaps() []time.Duration {
	attempts := t.Attempts()
	var gaps []time.Duration
	for i := 1; i < len(attempts); i++ {
		gaps = append(gaps, max(attempts[i].At-attempts[i-1].End, 0))
	}
	return gaps
}

// Exit is how the command ended.
type Exit struct {
	Code     int    // -1 when it did not exit by itself
	TimedOut bool   // the probe's time was over: it was ended with its whole process group
	Signal   string // that ended it, when it was not the audit's doing
	Output   string // the end of what it printed, on both streams, in one line; bounded
}

// Noise is how long a client that does not rest takes from an answer to its next
// request, on this machine and beside this audit.
type Noise struct {
	Median, P99 time.Duration
	Samples     int
}

// slowest is what a client's own work, a new connection and the scheduler may take
// between a failure and the next request, on a machine that measured little noise.
const slowest = 30 * time.Millisecond

// AtOnce is how late a request may come that nobody rested before: a replay of an HTTP
// stack, or a first retry that does not wait. What counts replays agrees on it, or one
// table says four attempts where another says five.
func (n Noise) AtOnce() time.Duration { return max(slowest, 3*n.P99) }
