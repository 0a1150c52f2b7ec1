package topology

import (
	"math"
	"time"
)

// Limits on input. They are far above what the lab is for and well below what
// would hurt the machine; the README prints this table and a test keeps the two
// alike.
const (
	MaxServices  = 10_000               // of a topology
	MaxCalls     = 65_536               // of a topology
	MaxLayers    = 64                   // services on one way down, client and tail included
	MaxAttempts  = 1_000_000            // of one retry
	MaxHits      = 50_000_000           // worst case of a live run: clients × requests × Π attempts
	MaxClients   = 1_000_000_000        // of a herd, in any engine
	MaxHerds     = 16                   // of a load, each with its route
	MaxRequests  = 1_000_000            // of one client
	MaxDuration  = 365 * 24 * time.Hour // of a rest, cap, timeout, smear or bin
	MinBin       = time.Microsecond
	MinRest      = time.Microsecond // a rest is 0 or at least this
	MaxNameBytes = 64
	MaxPathBytes = 1000          // of the names of services on the way to the tail, twice each, and their numbers
	MaxWorkers   = 10_000_000    // of one replica
	MaxReplicas  = 10_000        // of one service
	MaxRate      = 1_000_000_000 // requests per second of an open loop
	MaxPercent   = 10_000        // of a service's speed
)

// SatMul multiplies two counts, saturating; a negative one means unlimited.
func SatMul(a, b int64) int64 {
	if a < 0 || b < 0 || (a > 0 && b > math.MaxInt64/a) {
		return math.MaxInt64
	}
	return a * b
}

// satAdd adds two counts that are not negative, saturating.
func satAdd(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
