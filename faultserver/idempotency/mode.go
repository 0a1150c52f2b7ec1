package idempotency

import (
	"fmt"
	"strings"
)

// Mode is what a service does with an idempotency key that it has seen.
type Mode uint8

// The modes.
const (
	None           Mode = iota // it does not look at keys
	StoreAfter                 // stores the answer when the work is done: a second request meanwhile works as well
	ReserveFirst               // reserves the key first: a second request meanwhile is answered 409
	ReserveAndWait             // likewise, but the second request waits for the first one's answer
)

var modeNames = [...]string{None: "none", StoreAfter: "store-after", ReserveFirst: "reserve-first", ReserveAndWait: "reserve-and-wait"}

// String is the mode's name in a file.
func (m Mode) String() string { return modeNames[m] }

// ParseMode reads the name of a mode.
func ParseMode(name string) (Mode, error) {
	for m, n := range modeNames {
		if n == name {
			return Mode(m), nil
		}
	}
	return None, fmt.Errorf("unknown mode %q: choose %s", name, strings.Join(modeNames[:], ", "))
}
