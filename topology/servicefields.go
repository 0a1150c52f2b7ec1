package topology

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"labctl/faultserver/idempotency"
	"labctl/topology/policy"
)

// serviceFields are the settable fields of a service but for its calls.
var serviceFields = []field[Service]{
	textOf("fault", func(s *Service) *string { return &s.Fault }),
	timesOf("time", func(s *Service) *Distribution { return &s.Time }),
	intOf("workers", func(s *Service) *int { return &s.Workers }),
	choiceOf("order", func(s *Service) *Order { return &s.Order }, map[string]Order{"fifo": FIFO, "lifo": LIFO}),
	intOrNoneOf("queue", func(s *Service) *int { return &s.Queue }, Full),
	valueOf("drop", func(s *Service) *Drop { return &s.Drop }, parseDrop, Drop.String,
		Shape{Of: Boolean, Words: []string{"none", "gone", "late"}}),
	intOf("replicas", func(s *Service) *int { return &s.Replicas }),
	choiceOf("balance", func(s *Service) *policy.BalanceLaw { return &s.Balance }, balanceLaws),
	durationOf("skew", func(s *Service) *time.Duration { return &s.Skew }),
	boolOf("parallel", func(s *Service) *bool { return &s.Parallel }),
	valueOf("idempotency", func(s *Service) *idempotency.Mode { return &s.Idempotency }, idempotency.ParseMode, idempotency.Mode.String,
		Shape{Of: Text, Words: []string{"none", "store-after", "reserve-first", "reserve-and-wait"}}),
	valueOf("speed", func(s *Service) *[]Speed { return &s.Speed }, parseSpeeds, speedsText, Shape{Of: Text, Many: true}),
}

var drops = []string{DropNone: "none", DropGone: "gone", DropLate: "late"}

// String is the rule as a file has it.
func (d Drop) String() string { return drops[d] }

// parseDrop reads a rule, or false for none and true for gone.
func parseDrop(v string) (Drop, error) {
	if i := slices.Index(drops, v); i >= 0 {
		return Drop(i), nil
	}
	gone, err := parseBool(v)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q: choose none or gone or late", v)
	case gone:
		return DropGone, nil
	}
	return DropNone, nil
}

// parseRate reads "280/s", or the changes of a rate over time:
// "280/s,300s:100/s".
func parseRate(text string) ([]RateStep, error) {
	var steps []RateStep
	for word := range strings.SplitSeq(text, ",") {
		var step RateStep
		rate := strings.TrimSpace(word)
		if from, after, ok := strings.Cut(rate, ":"); ok {
			var err error
			if step.From, err = parseDuration(from); err != nil {
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

func rateText(steps []RateStep) string {
	words := make([]string, len(steps))
	for i, s := range steps {
		words[i] = strconv.FormatFloat(float64(s.Milli)/1000, 'f', -1, 64) + "/s"
		if s.From != 0 {
			words[i] = durationText(s.From) + ":" + words[i]
		}
	}
	return strings.Join(words, ",")
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
		var err error
		if instants[i], err = parseDuration(word); err != nil {
			return nil, err
		}
	}
	return instants, nil
}

func instantsText(instants []time.Duration) string {
	words := make([]string, len(instants))
	for i, at := range instants {
		words[i] = durationText(at)
	}
	return strings.Join(words, ",")
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
		last = "0" // which is how a Speed says that it is no ramp
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
	if !ok1 || !ok2 || ramp && q == 0 && p != 0 {
		return Speed{}, strconv.ErrSyntax
	}
	return Speed{From: a, Until: b, Percent: p, To: q}, nil
}

func speedsText(speeds []Speed) string {
	words := make([]string, len(speeds))
	for i, s := range speeds {
		words[i] = fmt.Sprintf("%s..%s:%d%%", durationText(s.From), durationText(s.Until), s.Percent)
		if s.To != 0 {
			words[i] += fmt.Sprintf("..%d%%", s.To)
		}
	}
	return strings.Join(words, ",")
}
