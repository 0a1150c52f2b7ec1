package policy

// Walk makes a call through one retry without an engine, for callers that share
// nothing with others: their attempts can be worked out one after the other, as
// far ahead as wanted. attempt is told the luck and the instant of an attempt
// and returns its outcome and when it is known. The decisions are those of On.
func (r *Retry) Walk(req Request, edge EdgeID, at Instant, attempt func(n int, l Luck, at Instant) (Outcome, Instant)) (Outcome, Instant) {
	f := Frame{request: req}
	step := r.On(&f, Event{Kind: Start}, at)
	for {
		switch {
		case step.Do&Call != 0:
			luck := req.Luck.Attempt(edge, step.Child)
			var o Outcome
			o, at = attempt(step.Child, luck, at)
			step = r.On(&f, Event{Kind: Done, Child: step.Child, Outcome: o, Luck: luck}, at)
		case step.Do&Arm != 0:
			at = step.At
			step = r.On(&f, Event{Kind: Timer}, at)
		default:
			return step.Outcome, at
		}
	}
}
