package topology

import "labctl/topology/policy"

// Arrival is one hit at a service, as both engines tell of it: which attempt, by
// its luck, and when. The same attempt has the same luck in both, so a live
// arrival finds its ideal one.
type Arrival struct {
	Service int // 0 is the first behind the client
	Luck    policy.Luck
	At      policy.Instant
	First   bool // the first attempt of every layer above
}
