// Package policy holds the decisions of a retrying client: when to try again,
// when to stop waiting, and what to tell the caller.
//
// A policy is a small state machine without clock, goroutine, lock, context,
// socket or shared random stream. It is told the instant and what happened
// ([Event]) and answers with what to do next ([Step]). One driver performs the
// answers with real HTTP and real timers (package live), another with an event
// queue in virtual time (package sim), so there is one implementation of each
// policy, its test is a table of instants, and the two engines cannot disagree
// about it.
//
// The policies of one call edge form a stack, outermost first: in
// [Retry, Timeout] every attempt has its own timeout, in [Timeout, Retry] all
// attempts share one. An [Edge] composes the stack: it owns the frames of all
// calls in progress on that edge, routes events between them, and hands the
// driver a list of [Action] values.
//
// To add a policy, write a type with one method, [Policy.On]. State that one
// call needs lives in its [Frame]; state that all calls of the edge share lives
// in the policy value itself, of which there is one per edge.
//
// Randomness is hashed, not drawn: see [Luck].
package policy
