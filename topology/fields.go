package topology

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"labctl/faultserver/program"
	"labctl/topology/policy"
)

// The settable fields, under the names that a file uses.
var (
	loadFields = []field[Load]{
		durationOf("for", func(l *Load) *time.Duration { return &l.For }),
		valueOf("rate", func(l *Load) *[]RateStep { return &l.Rate.Steps }, parseRate, rateText, rateShape),
		unlisted(sameAs("rate", valueOf("rate.steps", func(l *Load) *[]RateStep { return &l.Rate.Steps }, parseRate, rateText, rateShape))),
		valueOf("rate.at", func(l *Load) *[]time.Duration { return &l.Rate.At }, parseInstants, instantsText, Shape{Of: Duration, Many: true}),
		boolOf("rate.poisson", func(l *Load) *bool { return &l.Rate.Poisson }),
		intOf("rate.workers", func(l *Load) *int { return &l.Rate.Workers }),
		boolOf("rate.from_send", func(l *Load) *bool { return &l.Rate.FromSend }),
		valueOf("method", func(l *Load) *string { return &l.Method }, parseMethod, sameText, Shape{Of: Text, Words: methods}),
		boolOf("key", func(l *Load) *bool { return &l.Key }),
	}

	herdFields = []field[Herd]{
		intOf("clients", func(h *Herd) *int { return &h.Clients }),
		intOf("requests", func(h *Herd) *int { return &h.Requests }),
		valueOf("barrier", func(h *Herd) *bool { return &h.NoBarrier }, parseNot, notText, Shape{Of: Boolean}),
		durationOf("smear", func(h *Herd) *time.Duration { return &h.Smear }),
		timesOf("think", func(h *Herd) *Distribution { return &h.Think }),
		timesOf("pause", func(h *Herd) *Distribution { return &h.Pause }),
		textOf("route", func(h *Herd) *string { return &h.Route }),
		durationOf("start", func(h *Herd) *time.Duration { return &h.Start }),
	}

	routeFields = []field[RouteOf]{
		textOf("fault", func(r *RouteOf) *string { return &r.Fault }),
		timesOf("time", func(r *RouteOf) *Distribution { return &r.Time }),
		intOf("workers", func(r *RouteOf) *int { return &r.Workers }),
	}

	replicaFields = []field[ReplicaOf]{
		textOf("fault", func(r *ReplicaOf) *string { return &r.Fault }),
	}

	callFields = []field[Call]{
		valueOf("chance", func(c *Call) *program.Chance { return &c.Chance }, program.ParseChance, chanceText, Shape{Of: Percent}),
		timesOf("latency", func(c *Call) *Distribution { return &c.Latency }),
		boolOf("keep_working", func(c *Call) *bool { return &c.KeepWorking }),
	}

	runFields = []field[Run]{
		valueOf("seed", func(r *Run) *uint64 { return &r.Seed }, parseSeed, seedText, Shape{Of: Whole}),
		durationOf("bin", func(r *Run) *time.Duration { return &r.Bin }),
		durationOf("bin_offset", func(r *Run) *time.Duration { return &r.BinOffset }),
		durationOf("until", func(r *Run) *time.Duration { return &r.Until }),
		textOf("at", func(r *Run) *string { return &r.At }),
	}

	retryFields = []field[policy.Retry]{
		valueOf("attempts", func(r *policy.Retry) *int { return &r.Attempts }, parseAttempts, attemptsSetting, attemptsShape),
		sameAs("attempts", valueOf("retries", func(r *policy.Retry) *int { return &r.Attempts }, parseRetries, attemptsSetting, attemptsShape)),
		filterOf("on", func(r *policy.Retry) *policy.Filter { return &r.Filter }),
		durationOf("rest", func(r *policy.Retry) *time.Duration { return &r.Rest.Base }),
		valueOf("backoff", func(r *policy.Retry) *policy.Backoff { return &r.Rest.Backoff }, policy.ParseBackoff, backoffText,
			Shape{Of: Text, Words: []string{"fixed", "linear", "exponential"}, Open: true}),
		durationOf("cap", func(r *policy.Retry) *time.Duration { return &r.Rest.Cap }),
		choiceOf("at_cap", func(r *policy.Retry) *policy.AtCap { return &r.Rest.AtCap }, map[string]policy.AtCap{"hold": policy.Hold, "stop": policy.Stop}),
		valueOf("jitter", func(r *policy.Retry) *policy.Jitter { return &r.Rest.Jitter }, policy.ParseJitter, policy.Jitter.String,
			Shape{Of: Text, Words: []string{"none", "full", "equal", "decorrelated"}, Open: true}),
		choiceOf("order", func(r *policy.Retry) *policy.Order { return &r.Rest.Order }, map[string]policy.Order{
			"cap-then-jitter": policy.CapThenJitter, "jitter-then-cap": policy.JitterThenCap}),
		durationOf("max_elapsed", func(r *policy.Retry) *time.Duration { return &r.MaxElapsed }),
		choiceOf("elapsed_rule", func(r *policy.Retry) *policy.ElapsedRule { return &r.Rule }, map[string]policy.ElapsedRule{
			"after-rest": policy.AfterRest, "before-rest": policy.BeforeRest}),
		choiceOf("retry_after", func(r *policy.Retry) *policy.RetryAfterRule { return &r.RetryAfter }, map[string]policy.RetryAfterRule{
			"obey": policy.Obey, "ignore": policy.Ignore}),
		boolOf("repeatable_only", func(r *policy.Retry) *bool { return &r.RepeatableOnly }),
	}
)

var (
	rateShape     = Shape{Of: Text, Many: true}
	attemptsShape = Shape{Of: Whole, Words: []string{"unlimited"}}
)

func parseInt(v string) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", v)
	}
	return n, nil
}

func parseSeed(v string) (uint64, error) {
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number from 0 to %d", v, uint64(math.MaxUint64))
	}
	return n, nil
}

func seedText(n uint64) string { return strconv.FormatUint(n, 10) }

func parseBool(v string) (bool, error) {
	b, err := strconv.ParseBool(v)
	if err != nil {
		return false, fmt.Errorf("%q is neither true nor false", v)
	}
	return b, nil
}

// parseNot reads a field that stands the other way round in the topology, so that
// its zero value is the usual one.
func parseNot(v string) (bool, error) {
	b, err := parseBool(v)
	return !b, err
}

func notText(b bool) string { return strconv.FormatBool(!b) }

func parseDuration(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil {
		return 0, fmt.Errorf("%q is not a duration: write it like 50ms, 1.5s or 2m", v)
	}
	return d, nil
}

// durationText is Go's notation without the zeros behind it: 5m, not 5m0s.
func durationText(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// parseAttempts reads a number of attempts.
func parseAttempts(v string) (int, error) { return parseTries(v, 0) }

// parseRetries reads a number of retries into attempts.
func parseRetries(v string) (int, error) { return parseTries(v, 1) }

func parseTries(v string, first int) (int, error) {
	if v == "unlimited" {
		return policy.Unlimited, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		return 0, fmt.Errorf("%q is neither a whole number nor unlimited", v)
	}
	if n < 0 {
		return 0, fmt.Errorf("%d is negative: say 1 or more attempts, or unlimited", n)
	}
	return min(n, MaxAttempts+1) + first, nil // the sum cannot wrap; Validate refuses it
}

func attemptsSetting(n int) string {
	if n == policy.Unlimited {
		return "unlimited"
	}
	return strconv.Itoa(n)
}

// backoffText says the factor also where it is the one that stands for itself: 0
// and 2 are two values.
func backoffText(b policy.Backoff) string {
	if b.Growth == policy.Exponential && b.Factor == 2000 {
		return "exponential:2"
	}
	return b.String()
}

func parseMethod(v string) (string, error) { return strings.ToUpper(v), nil }

func sameText(v string) string { return v }

func chanceText(c program.Chance) string {
	if c == 0 {
		return ""
	}
	return c.String()
}
