//go:build !linux

package tail

import (
	"errors"
	"net/netip"
)

// blackhole is for Linux: elsewhere a listener cannot be made to ignore SYNs.
func blackhole(netip.AddrPort) (place, error) {
	return place{}, errors.New("a blackhole takes Linux")
}
