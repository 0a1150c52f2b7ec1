package policy

// ActionKind is what a driver has to do.
type ActionKind uint8

// The actions of a driver.
const (
	Send    ActionKind = iota // send attempt Number; call Edge.Done(Ref) when its outcome is known
	Abandon                   // nobody waits for attempt Ref any more; stop it if Cancel, and still report Done
	Wake                      // call Edge.Timer(Ref, Arming) at the instant At
	Forget                    // the timer of Ref is not needed any more
	Answer                    // the call returned Outcome to its caller
	End                       // nothing of the call is left; its Root will not be heard of again
	Remark                    // a policy left a Note
)

// Action is one thing that a driver has to do, in the order given.
type Action struct {
	Kind     ActionKind
	Note     Note
	Cancel   bool     // of Abandon: stop the attempt, cancellation is passed down
	Orphan   bool     // of Send: an ancestor has stopped waiting already
	Host     int16    // of Send: the replica to ask
	Deadline Deadline // of Send: to send along
	Number   int32    // of Send: 1 is the first attempt of the call
	Luck     Luck     // of Send: of the attempt
	At       Instant  // of Wake
	Arming   uint32   // of Wake
	Rest     bool     // of Wake: nothing runs meanwhile; at one instant rests end after replies and timeouts
	Outcome  Outcome  // of Answer
	Ref      Ref      // the frame it is about
	Root     Ref      // the call it belongs to
	Tag      int32    // of the call: Request.Tag
}
