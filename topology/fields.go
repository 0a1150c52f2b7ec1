package topology

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"labctl/topology/policy"
)

// The settable fields, under the names that a file uses.
var (
	loadFields = []field[Load]{
		{"for", func(l *Load, v string) error { return parseDuration(&l.For, v) }},
		{"rate", func(l *Load, v string) error { return parseInto(&l.Rate.Steps, v, parseRate) }},
		{"rate.at", func(l *Load, v string) error { return parseInto(&l.Rate.At, v, parseInstants) }},
		{"rate.poisson", func(l *Load, v string) error { return parseBool(&l.Rate.Poisson, v) }},
		{"rate.workers", func(l *Load, v string) error { return parseInt(&l.Rate.Workers, v) }},
		{"rate.from_send", func(l *Load, v string) error { return parseBool(&l.Rate.FromSend, v) }},
		{"method", func(l *Load, v string) error { l.Method = strings.ToUpper(v); return nil }},
		{"key", func(l *Load, v string) error { return parseBool(&l.Key, v) }},
	}

	herdFields = []field[Herd]{
		{"clients", func(h *Herd, v string) error { return parseInt(&h.Clients, v) }},
		{"requests", func(h *Herd, v string) error { return parseInt(&h.Requests, v) }},
		{"barrier", func(h *Herd, v string) error {
			var barrier bool
			err := parseBool(&barrier, v)
			h.NoBarrier = !barrier
			return err
		}},
		{"smear", func(h *Herd, v string) error { return parseDuration(&h.Smear, v) }},
		{"think", func(h *Herd, v string) error { return parseInto(&h.Think, v, ParseDistribution) }},
		{"pause", func(h *Herd, v string) error { return parseInto(&h.Pause, v, ParseDistribution) }},
		{"route", func(h *Herd, v string) error { h.Route = v; return nil }},
		{"start", func(h *Herd, v string) error { return parseDuration(&h.Start, v) }},
	}

	routeFields = []field[RouteOf]{
		{"fault", func(r *RouteOf, v string) error { r.Fault = v; return nil }},
		{"time", func(r *RouteOf, v string) error { return parseInto(&r.Time, v, ParseDistribution) }},
		{"workers", func(r *RouteOf, v string) error { return parseInt(&r.Workers, v) }},
	}

	runFields = []field[Run]{
		{"seed", func(r *Run, v string) error { return parseSeed(&r.Seed, v) }},
		{"bin", func(r *Run, v string) error { return parseDuration(&r.Bin, v) }},
		{"bin_offset", func(r *Run, v string) error { return parseDuration(&r.BinOffset, v) }},
		{"until", func(r *Run, v string) error { return parseDuration(&r.Until, v) }},
		{"at", func(r *Run, v string) error { r.At = v; return nil }},
	}

	retryFields = []field[policy.Retry]{
		{"attempts", func(r *policy.Retry, v string) error { return parseAttempts(&r.Attempts, v, 0) }},
		{"retries", func(r *policy.Retry, v string) error { return parseAttempts(&r.Attempts, v, 1) }},
		{"on", func(r *policy.Retry, v string) (err error) {
			r.Filter, err = parseFilter(v)
			return err
		}},
		{"rest", func(r *policy.Retry, v string) error { return parseDuration(&r.Rest.Base, v) }},
		{"backoff", func(r *policy.Retry, v string) (err error) { r.Rest.Backoff, err = policy.ParseBackoff(v); return err }},
		{"cap", func(r *policy.Retry, v string) error { return parseDuration(&r.Rest.Cap, v) }},
		{"at_cap", func(r *policy.Retry, v string) error {
			return choose(&r.Rest.AtCap, v, map[string]policy.AtCap{"hold": policy.Hold, "stop": policy.Stop})
		}},
		{"jitter", func(r *policy.Retry, v string) (err error) { r.Rest.Jitter, err = policy.ParseJitter(v); return err }},
		{"order", func(r *policy.Retry, v string) error {
			return choose(&r.Rest.Order, v, map[string]policy.Order{
				"cap-then-jitter": policy.CapThenJitter, "jitter-then-cap": policy.JitterThenCap})
		}},
		{"max_elapsed", func(r *policy.Retry, v string) error { return parseDuration(&r.MaxElapsed, v) }},
		{"elapsed_rule", func(r *policy.Retry, v string) error {
			return choose(&r.Rule, v, map[string]policy.ElapsedRule{"after-rest": policy.AfterRest, "before-rest": policy.BeforeRest})
		}},
		{"retry_after", func(r *policy.Retry, v string) error {
			return choose(&r.RetryAfter, v, map[string]policy.RetryAfterRule{"obey": policy.Obey, "ignore": policy.Ignore})
		}},
		{"repeatable_only", func(r *policy.Retry, v string) error { return parseBool(&r.RepeatableOnly, v) }},
	}
)

func parseInt(to *int, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil {
		return fmt.Errorf("%q is not a whole number", v)
	}
	*to = n
	return nil
}

func parseSeed(to *uint64, v string) error {
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number from 0 to %d", v, uint64(math.MaxUint64))
	}
	*to = n
	return nil
}

func parseBool(to *bool, v string) error {
	b, err := strconv.ParseBool(v)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", v)
	}
	*to = b
	return nil
}

func parseDuration(to *time.Duration, v string) error {
	d, err := time.ParseDuration(v)
	if err != nil {
		return fmt.Errorf("%q is not a duration: write it like 50ms, 1.5s or 2m", v)
	}
	*to = d
	return nil
}

// parseAttempts reads a number of attempts, or of retries when first is 1.
func parseAttempts(to *int, v string, first int) error {
	if v == "unlimited" {
		*to = policy.Unlimited
		return nil
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		return fmt.Errorf("%q is neither a whole number nor unlimited", v)
	}
	if n < 0 {
		return fmt.Errorf("%d is negative: say 1 or more attempts, or unlimited", n)
	}
	*to = min(n, MaxAttempts+1) + first // the sum cannot wrap; Validate refuses it
	return nil
}

func choose[T any](to *T, v string, from map[string]T) error {
	value, ok := from[v]
	if !ok {
		return fmt.Errorf("%q: choose %s", v, strings.Join(slices.Sorted(maps.Keys(from)), " or "))
	}
	*to = value
	return nil
}
