package imports

import (
	"strconv"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// noAnswer is what Envoy calls a reset: no response headers came. A per-try timeout
// is one, by the code (RetryStateImpl::wouldRetryFromReset).
var noAnswer = []string{"timeout", "refused", "reset", "malformed"}

// retryOn is what the conditions of Envoy are in a lab (Envoy documentation, HTTP
// filters, Router, x-envoy-retry-on). 5xx and gateway-error hold for resets as well.
var retryOn = map[string][]string{
	"5xx":                    append([]string{"5xx"}, noAnswer...),
	"gateway-error":          append([]string{"502", "503", "504"}, noAnswer...),
	"reset":                  noAnswer,
	"connect-failure":        {"refused"},
	"retriable-4xx":          {"409"},
	"retriable-status-codes": nil, // the list beside it
}

// without is why a lab has no word for some of them.
var without = map[string]string{
	"reset-before-request":       "a lab does not see when in a request its connection died",
	"refused-stream":             "a lab has no HTTP/2 streams to refuse",
	"http3-post-connect-failure": "a lab has no HTTP/3",
	"envoy-ratelimited":          "a lab has no x-envoy-ratelimited",
	"retriable-headers":          "a lab's answers have no headers to look at",
	"cancelled":                  "a lab's answers have no gRPC status",
	"deadline-exceeded":          "a lab's answers have no gRPC status",
	"internal":                   "a lab's answers have no gRPC status",
	"resource-exhausted":         "a lab's answers have no gRPC status",
	"unavailable":                "a lab's answers have no gRPC status",
}

// envoyWords puts conditions of Envoy into those of a lab, and notes what is lost.
func envoyWords(at value, conditions []string) []string {
	var words []string
	for _, c := range conditions {
		in, known := retryOn[c]
		why, lost := without[c]
		switch {
		case known:
			words = append(words, in...)
		case lost:
			at.note("%s: left out: %s", c, why)
		default:
			at.note("%s: no condition that is known here: left out", short(strconv.Quote(c)))
		}
	}
	return words
}

// statusWords are the codes that a lab can retry on.
func statusWords(at value, codes []string) []string {
	var words []string
	for _, c := range codes {
		if n, err := strconv.Atoi(c); err != nil || n < 400 || n > 599 {
			at.note("%s: left out: a lab retries on statuses from 400 to 599", short(strconv.Quote(c)))
			continue
		}
		words = append(words, c)
	}
	return words
}

// filter is a set of outcomes. An empty one would mean the lab's default, so one of
// an outcome that never comes stands for it.
func filter(words []string) policy.Filter {
	f, err := policy.ParseFilter(words...)
	if err != nil {
		f, _ = policy.ParseFilter("rejected")
	}
	return f
}

// retry is a retry on such outcomes. Where none is left the attempts still stand,
// since a bound that forgot them would promise too much.
func retry(at value, attempts int, words []string) *policy.Retry {
	if len(words) == 0 && attempts > 1 {
		at.note("none of its conditions has a word in a lab: labctl bound counts its attempts, and a run makes none but the first")
	}
	return &policy.Retry{Attempts: attempts, Filter: filter(words), RetryAfter: policy.Ignore}
}

// The rests of Envoy (config.route.v3.RetryPolicy.RetryBackOff): exponential with
// full jitter from 25 ms on, up to 10 times the base. The page of the router gives
// (2ⁿ−1) times the base as the largest; the code draws from 2ⁿ⁻¹ times the base, and
// so does this.
const (
	envoyBase   = 25 * time.Millisecond
	envoyFactor = 10
)

func envoyRest(base, most time.Duration) policy.Rest {
	base = max(base, topology.MinRest)
	return policy.Rest{Base: base, Cap: min(max(most, base), topology.MaxDuration),
		Backoff: policy.Backoff{Growth: policy.Exponential}, Jitter: policy.Jitter{Law: policy.Full}}
}
