package program_test

import (
	"fmt"
	"testing"
	"time"

	"labctl/faultserver/program"
)

// The table is what engines go by. Package faultserver has the same for the wire.
func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		kind           program.Kind
		answers, works bool
		seen           program.Seen
	}{
		{program.OK, true, true, program.SeenAnswer},
		{program.Status, true, false, program.SeenAnswer},
		{program.Slow, true, true, program.SeenAnswer},
		{program.Throttle, true, false, program.SeenAnswer},
		{program.Reset, false, false, program.SeenReset},
		{program.Close, false, false, program.SeenReset},
		{program.Lost, false, true, program.SeenReset},
		{program.Truncate, false, true, program.SeenReset},
		{program.HalfReset, false, true, program.SeenReset},
		{program.Stall, false, true, program.SeenNothing},
		{program.Malformed, false, true, program.SeenMalformed},
		{program.BadChunk, false, true, program.SeenMalformed},
		{program.Hang, false, false, program.SeenNothing},
		{program.Refuse, false, false, program.SeenRefused},
	} {
		if got := fmt.Sprint(tt.kind.Answers(), tt.kind.Works(), tt.kind.Seen()); got != fmt.Sprint(tt.answers, tt.works, tt.seen) {
			t.Errorf("%s: got %s, want %v %v %v", tt.kind, got, tt.answers, tt.works, tt.seen)
		}
	}
}

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2000, 1, 1, 0, 0, 0, 1, time.UTC)
	for text, want := range map[string]string{
		"503":                                  "",
		"429+retry-after=2":                    "2",
		"429+retry-after=0":                    "0",
		"429+retry-after=9223372036":           "9223372036",
		"429+retry-after=9223372037":           "9223372037",
		"429+retry-after=9223372036854775807":  "9223372036854775807",
		"429+retry-after=99999999999999999999": "99999999999999999999",
		"429+raw-retry-after=soon":             "soon",
		"429+raw-retry-after=1.5":              "1.5",
		"429+raw-retry-after=-1":               "-1",
		"429+date-retry-after=2":               "Sat, 01 Jan 2000 00:00:03 GMT", // rounded up
		"429+date-retry-after=9223372036":      "Sun, 10 Apr 2292 23:47:17 GMT",
	} {
		a := program.NewState(program.MustParse(text)).Next("", 0, 0)
		if got := a.RetryAfterHeader(now); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
