package sim

import (
	"math"
	"net/http"
	"time"

	"labctl/topology/policy"
)

// answer is how an attempt ends as its service says it: an outcome that nobody
// has received yet, in eight bytes, since a million of them may be on their way.
type answer struct {
	after  retryAfter
	status int16
	kind   policy.Kind
}

func status(code int) answer { return answer{kind: policy.Answered, status: int16(code)} }

func failed(k policy.Kind) answer { return answer{kind: k} }

// gateway is what a service answers when its own call ended so. It passes on the
// status and not the headers.
func gateway(o policy.Outcome) answer {
	switch o.Kind {
	case policy.Answered:
		return status(int(o.Status))
	case policy.Timeout:
		return status(http.StatusGatewayTimeout)
	case policy.Rejected:
		return status(http.StatusServiceUnavailable)
	case policy.Degraded: // that an answer is old must not get lost on the way
		return failed(policy.Degraded)
	}
	return status(http.StatusBadGateway)
}

// received is the outcome for a caller whose clock is ahead by skew.
func (a answer) received(now policy.Instant, skew time.Duration) policy.Outcome {
	if a.after == 0 {
		return policy.Outcome{Kind: a.kind, Status: a.status}
	}
	return a.asking(now, skew)
}

func (a answer) asking(now policy.Instant, skew time.Duration) policy.Outcome {
	return policy.Outcome{Kind: a.kind, Status: a.status, After: a.after.wait(clock(now, skew))}
}

// clock is what a clock that is ahead by skew takes an instant for. The release is
// at a whole second of everybody's calendar.
func clock(now policy.Instant, skew time.Duration) time.Duration {
	if skew < 0 {
		return time.Duration(now) + skew // may lie before the release
	}
	return time.Duration(now.Add(skew))
}

// retryAfter is a Retry-After header, or 0 for none. All that it can say are whole
// seconds: to wait for, or with isDate on the way to the caller the date, counted
// from the release. Before that, isDate asks for a date so much later than the answer.
type retryAfter uint32

const (
	isDate     retryAfter = 1 << 31
	longest    retryAfter = isDate - 1 // stands for any wait that is longer: 68 years
	latestDate            = 1<<30 - 1  // likewise for dates: 34 years from the release
)

// waitFor is a header that asks for a wait.
func waitFor(d time.Duration) retryAfter {
	return retryAfter(min(d/time.Second, time.Duration(longest)))
}

// sent is the header of an answer that goes out when the service's clock says so.
// A date is rounded up: never earlier than asked.
func (r retryAfter) sent(clock time.Duration) retryAfter {
	if r&isDate == 0 {
		return r
	}
	date := int64(clock/time.Second) + int64(r&^isDate)
	if clock%time.Second > 0 {
		date++
	}
	date = min(max(date, -latestDate), latestDate)
	return isDate | retryAfter(date)&^isDate
}

// wait is what the header asks for when the caller's clock says so.
func (r retryAfter) wait(clock time.Duration) time.Duration {
	if r&isDate == 0 {
		if r == longest {
			return policy.Longest
		}
		return time.Duration(r) * time.Second
	}
	date := time.Duration(int32(r<<1) >> 1) // 31 bits with a sign
	if date == latestDate {
		return policy.Longest
	}
	if clock >= math.MaxInt64/2 { // the end of time, where a difference could wrap
		return 0
	}
	return max(date*time.Second-clock, 0)
}
