package policy

import "time"

// Frame is one policy's part of one call in progress. Frames of a call form a
// tree: each is the child of the frame whose policy called it, and the leaves
// are the attempts that were sent.
//
// A frame fills one line of the processor's cache: a simulated herd wakes
// millions of them in random order, and that costs as much as the lines do.
type Frame struct {
	luck EdgeLuck // of the call, copied down

	// What the policy of this frame remembers. Each uses what it needs, for
	// instance a retry the rest before the attempt in progress, the number of
	// that attempt, and the outcome to give up with when the timer comes.
	rest     time.Duration
	number   int32
	status   int16
	kind     Kind
	stopping bool

	repeatable bool // Request.Repeatable, copied down
	layer      uint8
	state      frameState
	route      uint8 // Request.Route, copied down
	self       Ref

	// Links of the tree, as slots of the edge's arena; none is −1.
	parent, child, sibling int32

	arming  uint32 // of the timer: tells a replaced timer from the current one
	running int16  // children that are listened to and have not returned
	host    int16  // replica that a Balance above chose, copied down; 0 is also the only one
	as      int32  // the number that the parent gave this child; of a root, Request.Tag
	sent    int32  // number of the last attempt sent at or below this frame
}

type frameState uint8

const (
	hasReturned frameState = 1 << iota
	isDropped              // the parent no longer listens
	isOrphan               // an ancestor stopped waiting; so whatever it sends is unwanted
	isArmed
	isQuiet   // being cancelled: the parent gets its own Cancel before this Done
	isStopped // the driver has been asked to end this attempt
	isFree    // not in use
)

func (f *Frame) is(s frameState) bool { return f.state&s != 0 }

// Request is one logical request on an edge: what a caller wants once.
type Request struct {
	Luck       Luck     // of the path down to the caller
	Repeatable bool     // idempotent method, or an idempotency key
	Route      uint8    // kind of request, see Only; 0 is the default one
	Tag        int32    // what the driver wants to hear with each action of the call
	Deadline   Deadline // that came in with the request
}

// Ref names a frame from outside the edge. Slots are used again, generations
// are not: a Ref to a frame that has ended is recognised and ignored.
type Ref struct {
	slot int32
	gen  uint32
}

// Slot is the frame's place in the arena of its edge, for drivers that keep
// something beside each frame. It is used again when the frame has ended.
func (r Ref) Slot() int { return int(r.slot) }
