package policy

// CallState is what all frames of one call share. It lies beside the arena and only
// on edges whose stack asks for it, so that the frames of a plain retry stay in
// one line of the cache.
type CallState struct {
	Begun    Instant // when the call began
	Route    uint8   // Request.Route
	Tried    int16   // replica that a Balance chose last, −1 before
	Next     Luck    // of the attempt that would be sent next
	Deadline Instant // of the whole call; Never: none
	Mode     DeadlineMode
	Limit    int64 // of Mode PerHop, in nanoseconds
	Checked  bool  // no attempt begins at or after Deadline
	Useful   int64 // nor with less than this left, in nanoseconds

	Budget *BudgetState // outermost of the call, see Budget; nil: none, anything is granted
	Extra  int32        // attempts that it granted to the call
	teller uint8        // innermost layer that asks it, which hears of every attempt
}

// budgetOf is the budget around a frame. One inside it, which an earlier attempt
// left there, is not for it.
func (c *CallState) budgetOf(f *Frame) *BudgetState {
	if c == nil || c.Budget == nil || c.Budget.layer >= f.layer {
		return nil
	}
	return c.Budget
}

// enlist notes that a frame will ask its budget. Of several around each other the
// innermost tells how attempts end: to the others they are one.
func (c *CallState) enlist(f *Frame) {
	if c.budgetOf(f) != nil {
		c.teller = max(c.teller, f.layer)
	}
}

// asksForCall is implemented by policies that read Event.Call.
type asksForCall interface{ asksForCall() bool }

func asks(stack []Policy) bool {
	for _, p := range stack {
		if a, is := p.(asksForCall); is && a.asksForCall() {
			return true
		}
	}
	return false
}

// callOf finds what the frames of a call share.
func (e *Edge) callOf(f *Frame) *CallState {
	if !e.asked {
		return nil
	}
	return &e.calls[e.rootOf(f).self.slot]
}

// enter notes what a call comes with, in the slot of its root.
func (e *Edge) enter(i int32, r Request) {
	if !e.asked {
		return
	}
	for int(i) >= len(e.calls) {
		e.calls = append(e.calls, CallState{})
	}
	e.calls[i] = CallState{Begun: e.now, Route: r.Route, Tried: -1, Deadline: Never}
	e.calls[i].receive(r.Deadline, e.now)
}

// share lets a policy see what the frames of its call share.
func (e *Edge) share(f *Frame, ev *Event) {
	ev.Call = e.callOf(f)
	if ev.Kind == Start {
		ev.Call.Next = f.luck.Attempt(int(e.rootOf(f).sent) + 1)
	}
}
