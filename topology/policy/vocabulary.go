package policy

// Policy is one layer of a call edge's stack. A policy value belongs to one
// edge; what all calls of that edge share is its own state, what one call needs
// is in the frame.
type Policy interface {
	// On tells the frame of one call what happened at an instant and returns
	// what to do. It must not keep f: the frame moves in memory.
	On(f *Frame, ev Event, now Instant) Step
}

// EventKind is what happened to a frame.
type EventKind uint8

// The events. A frame gets Start once and first.
const (
	Start   EventKind = iota // the layer above calls
	Done                     // a child returned: Event.Child, Event.Outcome
	Timer                    // the instant that the frame armed has come
	Granted                  // another frame granted what this one was parked for; it may have returned since, and then grants it on
	Cancel                   // the caller left: return; Done of the children still comes
)

// Event is what a policy is told.
type Event struct {
	Kind    EventKind
	Child   int        // of Done: the number that the frame gave the child
	Outcome Outcome    // of Done
	Luck    Luck       // of Done: the luck of the last attempt that the child sent
	Call    *CallState // what all frames of the call share; nil where no policy of the stack asks for it
}

// Verb is one thing to do; a step is a set of them.
type Verb uint8

// The verbs. Within a step they are performed in this order.
const (
	Drop   Verb = 1 << iota // listen no longer to any running child
	Arm                     // set the frame's one timer to Step.At, replacing it
	Park                    // wait to be granted; the policy keeps the queue
	Grant                   // give Step.Granted what it was parked for, when all that the step sets off is done
	Call                    // call the layer below as child Step.Child
	Return                  // give Step.Outcome to the layer above; who still runs is let go, and still heard
)

// Step is what a policy wants done. Return may come with anything but Call.
type Step struct {
	Do      Verb
	Note    Note
	Outcome Outcome
	Child   int32
	Granted Ref
	At      Instant
}

// Note is something that a policy did and a report may want to show.
type Note uint8

// The notes.
const (
	NoNote     Note = iota
	WastedRest      // rests although no attempt will follow: a cap that stops
	Late            // a checked deadline left no time for an attempt
	Expired         // an enforced deadline has come
	TimedOut        // a timeout has come
	Notes           // how many there are
)

// returned is the step that ends a frame.
func returned(o Outcome) Step { return Step{Do: Return, Outcome: o} }
