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
		{"herd.clients", func(l *Load, v string) error { return parseInt(&l.Herd.Clients, v) }},
		{"herd.requests", func(l *Load, v string) error { return parseInt(&l.Herd.Requests, v) }},
		{"herd.barrier", func(l *Load, v string) error {
			var barrier bool
			err := parseBool(&barrier, v)
			l.Herd.NoBarrier = !barrier
			return err
		}},
		{"herd.smear", func(l *Load, v string) error { return parseDuration(&l.Herd.Smear, v) }},
		{"herd.think", func(l *Load, v string) error { return parseInto(&l.Herd.Think, v, ParseDistribution) }},
		{"rate", func(l *Load, v string) error { return parseInto(&l.Rate.Steps, v, parseRate) }},
		{"rate.at", func(l *Load, v string) error { return parseInto(&l.Rate.At, v, parseInstants) }},
		{"rate.poisson", func(l *Load, v string) error { return parseBool(&l.Rate.Poisson, v) }},
		{"rate.workers", func(l *Load, v string) error { return parseInt(&l.Rate.Workers, v) }},
		{"rate.from_send", func(l *Load, v string) error { return parseBool(&l.Rate.FromSend, v) }},
		{"method", func(l *Load, v string) error { l.Method = strings.ToUpper(v); return nil }},
		{"key", func(l *Load, v string) error { return parseBool(&l.Key, v) }},
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
			r.Filter, err = policy.ParseFilter(strings.Split(strings.Trim(v, "[]"), ",")...)
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
		{"repeatable_only", func(r *policy.Retry, v string) error { return parseBool(&r.RepeatableOnly, v) }},
	}
)

// setRetry changes a field of the call's retry, or adds a retry outermost.
func (c *Call) setRetry(name, value string) error {
	for _, p := range c.Policies {
		if p.Retry != nil {
			return setField(p.Retry, retryFields, name, value)
		}
	}
	r := &policy.Retry{Attempts: 1}
	if err := setField(r, retryFields, name, value); err != nil {
		return err
	}
	c.Policies = append([]Policy{{Retry: r}}, c.Policies...)
	return nil
}

// setTimeout changes the call's timeout, or adds one innermost: one per attempt.
func (c *Call) setTimeout(value string) error {
	var limit time.Duration
	if err := parseDuration(&limit, value); err != nil {
		return err
	}
	for _, p := range c.Policies {
		if p.Timeout != nil {
			p.Timeout.Limit = limit
			return nil
		}
	}
	c.Policies = append(c.Policies, Policy{Timeout: &policy.TimeoutAfter{Limit: limit}})
	return nil
}

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
