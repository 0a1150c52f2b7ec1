package tail_test

import (
	"testing"
	"time"

	"labctl/audit/tail"
)

// The attempts are given up before the system repeats their SYNs.
func TestBlackhole(t *testing.T) {
	tl := open(t, tail.Plan{Blackhole: true})
	swallowed(t, tl.URL(), 5, 50*time.Millisecond)
	canCount(t, tl)
	wantSYNs(t, tl, 5)
}
