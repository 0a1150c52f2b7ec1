package policy

import (
	"math/bits"
	"time"
)

// Luck is the randomness of one place in a run, hashed from where that place
// is and not drawn from a stream:
//
//	hash(seed, client, request, [(edge, attempt) …] from the client down)
//
// Scheduling, the number of cores, or a layer added beside or below a call
// therefore cannot change what that call draws, and both engines draw the same
// jitter for the same attempt.
type Luck uint64

// Purpose separates the draws that one place makes for different ends.
type Purpose uint64

// The purposes of a draw.
const (
	ForJitter  Purpose = iota + 1 // rest between two attempts
	ForFault                      // a fault with a probability
	ForService                    // service time
	ForPick                       // choice among replicas
	ForArrival                    // start of a client or of an open-loop request
	ForThink                      // pause of a closed loop between an answer and the next request
	ForRequest                    // network latency on the way to the service
	ForAnswer                     // network latency on the way back
)

// RootLuck is the luck of one logical request of a client.
func RootLuck(seed, client, request uint64) Luck {
	return Luck(0).mix(seed).mix(client).mix(request)
}

// EdgeLuck is the luck of one call over an edge, from which each of its attempts
// has its own.
type EdgeLuck Luck

// Over is the luck of a call over an edge.
func (l Luck) Over(edge EdgeID) EdgeLuck { return EdgeLuck(l.mix(uint64(edge))) }

// Attempt is the luck of everything below the given attempt.
func (l EdgeLuck) Attempt(attempt int) Luck { return Luck(l).mix(uint64(attempt)) }

// Attempt is the luck of everything below the given attempt on an edge.
func (l Luck) Attempt(edge EdgeID, attempt int) Luck { return l.Over(edge).Attempt(attempt) }

// Draw returns 64 random bits for one purpose. The same place and purpose give
// the same bits every time.
func (l Luck) Draw(p Purpose) uint64 { return uint64(l.mix(uint64(p))) }

// mix folds v in with the finaliser of SplitMix64 (Steele, Lea, Flood 2014;
// constants: Stafford's variant 13). Every input bit flips each output bit with
// probability one half, which is what independent draws need.
func (l Luck) mix(v uint64) Luck {
	z := (uint64(l) ^ v) + 0x9e3779b97f4a7c15
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return Luck(z ^ (z >> 31))
}

// EdgeID names a call edge in a hash and on the wire.
type EdgeID uint64

// NewEdgeID hashes the names of caller and callee (FNV-1a).
func NewEdgeID(from, to string) EdgeID {
	h := uint64(14695981039346656037)
	for _, s := range [...]string{from, ">", to} {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
	}
	return EdgeID(h)
}

// Uniform scales 64 random bits to [0, width). Integer arithmetic, so that
// every machine gives the same nanosecond.
func Uniform(u uint64, width time.Duration) time.Duration {
	if width <= 0 {
		return 0
	}
	hi, _ := bits.Mul64(u, uint64(width))
	return time.Duration(hi)
}
