package topology

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"labctl/faultserver/idempotency"
)

// serviceFields are the settable fields of a service but for its calls.
var serviceFields = []field[Service]{
	{"fault", func(s *Service, v string) error { s.Fault = v; return nil }},
	{"time", func(s *Service, v string) error { return parseInto(&s.Time, v, ParseDistribution) }},
	{"workers", func(s *Service, v string) error { return parseInt(&s.Workers, v) }},
	{"order", func(s *Service, v string) error {
		return choose(&s.Order, v, map[string]Order{"fifo": FIFO, "lifo": LIFO})
	}},
	{"queue", func(s *Service, v string) error {
		if v == "none" {
			s.Queue = Full
			return nil
		}
		return parseInt(&s.Queue, v)
	}},
	{"drop", func(s *Service, v string) error { return parseBool(&s.Drop, v) }},
	{"replicas", func(s *Service, v string) error { return parseInt(&s.Replicas, v) }},
	{"balance", func(s *Service, v string) error {
		return choose(&s.Balance, v, balanceLaws)
	}},
	{"skew", func(s *Service, v string) error { return parseDuration(&s.Skew, v) }},
	{"parallel", func(s *Service, v string) error { return parseBool(&s.Parallel, v) }},
	{"idempotency", func(s *Service, v string) error { return parseInto(&s.Idempotency, v, idempotency.ParseMode) }},
	{"speed", func(s *Service, v string) error { return parseInto(&s.Speed, v, parseSpeeds) }},
}

// parseInto sets a field to what a parser makes of a value.
func parseInto[T any](to *T, v string, parse func(string) (T, error)) (err error) {
	*to, err = parse(v)
	return err
}

// parseRate reads "280/s", or the changes of a rate over time:
// "280/s,300s:100/s".
func parseRate(text string) ([]RateStep, error) {
	var steps []RateStep
	for word := range strings.SplitSeq(text, ",") {
		var step RateStep
		rate := strings.TrimSpace(word)
		if from, after, ok := strings.Cut(rate, ":"); ok {
			if err := parseDuration(&step.From, from); err != nil {
				return nil, err
			}
			rate = after
		}
		number, ok := strings.CutSuffix(rate, "/s")
		f, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || !(f >= 0 && f <= MaxRate) {
			return nil, fmt.Errorf("%q is no rate: write it like 280/s, or 280/s,300s:100/s for one that changes", text)
		}
		step.Milli = int64(math.Round(f * 1000))
		steps = append(steps, step)
	}
	return steps, nil
}

// parseInstants reads the instants of arrivals, with commas, spaces or lines
// between them.
func parseInstants(text string) ([]time.Duration, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(words) == 0 {
		return nil, fmt.Errorf("no instants: write them like 0s,100ms,2.5s, or a line each")
	}
	instants := make([]time.Duration, len(words))
	for i, word := range words {
		if err := parseDuration(&instants[i], word); err != nil {
			return nil, err
		}
	}
	return instants, nil
}

// parseSpeeds reads windows with the speed in them: "30s..40s:0%" is a stall,
// "10s..20s:100%..20%" a ramp.
func parseSpeeds(text string) ([]Speed, error) {
	var speeds []Speed
	for word := range strings.SplitSeq(text, ",") {
		s, err := parseSpeed(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("%q is no speed: write it like 30s..40s:0%% or 10s..20s:100%%..20%%", word)
		}
		speeds = append(speeds, s)
	}
	return speeds, nil
}

func parseSpeed(text string) (Speed, error) {
	window, percents, ok1 := strings.Cut(text, ":")
	from, until, ok2 := strings.Cut(window, "..")
	first, last, ramp := strings.Cut(percents, "..")
	if !ramp {
		last = first
	}
	a, err1 := time.ParseDuration(from)
	b, err2 := time.ParseDuration(until)
	p, err3 := strconv.Atoi(strings.TrimSuffix(first, "%"))
	q, err4 := strconv.Atoi(strings.TrimSuffix(last, "%"))
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			return Speed{}, err
		}
	}
	if !ok1 || !ok2 {
		return Speed{}, strconv.ErrSyntax
	}
	return Speed{From: a, Until: b, Percent: p, To: q}, nil
}
