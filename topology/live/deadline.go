package live

import (
	"strings"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// deadlineHeader carries a deadline to the next service, as one of
//
//	absolute 1.3s      an instant since the release, by the sender's clock
//	remaining 240ms    what is left of it
//	per-hop 300ms      what every hop has anew
const deadlineHeader = "Labctl-Deadline"

var deadlineWords = map[policy.DeadlineMode]string{
	policy.Absolute: "absolute", policy.Remaining: "remaining", policy.PerHop: "per-hop",
}

// formatDeadline is the text of a deadline, exact to the nanosecond.
func formatDeadline(d policy.Deadline) string {
	return deadlineWords[d.Mode] + " " + time.Duration(d.Value).String()
}

// parseDeadline reads the text of a deadline. An instant may lie before the
// release, a duration is not negative.
func parseDeadline(text string) (policy.Deadline, bool) {
	word, value, _ := strings.Cut(text, " ")
	for mode, name := range deadlineWords {
		if name != word {
			continue
		}
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 && mode != policy.Absolute {
			return policy.Deadline{}, false
		}
		return policy.Deadline{Mode: mode, Value: int64(d)}, true
	}
	return policy.Deadline{}, false
}

// The two ends of topology.Carry, each of which knows one clock: the sender writes
// an instant by its own, the receiver reads it by its own.

func sentBy(s *topology.Service, d policy.Deadline) policy.Deadline {
	return topology.Carry(d, s, &topology.Service{})
}

func receivedBy(s *topology.Service, d policy.Deadline) policy.Deadline {
	return topology.Carry(d, &topology.Service{}, s)
}
