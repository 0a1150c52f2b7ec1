package policy

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// visit is a call of a breaker's test: when it comes, how the service answers.
type visit struct {
	at, takes, leaves time.Duration // leaves: when its caller does; 0: never
	outcome           Outcome
	route             uint8
}

// parseVisits reads "0 503, 0.1 404 +0.5, 0.2 200 hang, 0.3 200 +5 leaves:1 route:1":
// seconds, outcome, service time, when the caller leaves.
func parseVisits(s string) []visit {
	var list []visit
	for _, part := range strings.Split(s, ",") {
		words := strings.Fields(part)
		v := visit{at: parseSeconds(words[0]), outcome: parseOutcome(words[1])}
		for _, w := range words[2:] {
			switch name, value, _ := strings.Cut(w, ":"); name {
			case "hang":
				v.takes = hang
			case "leaves":
				v.leaves = parseSeconds(value)
			case "route":
				v.route = uint8(value[0] - '0')
			default:
				v.takes = parseSeconds(w)
			}
		}
		list = append(list, v)
	}
	return list
}

func parseSeconds(s string) time.Duration {
	d, err := time.ParseDuration(s + "s")
	if err != nil {
		panic(err)
	}
	return d
}

func parseOutcome(word string) Outcome {
	if n, err := strconv.Atoi(word); err == nil {
		return Status(n)
	}
	for k, name := range kindNames {
		if name == word {
			return Failed(Kind(k))
		}
	}
	panic(word)
}

// visiting is a driver with these calls to come. The service knows a call by the
// instant it was sent at, so those of one instant must be answered alike.
func visiting(passes bool, visits []visit, stack ...Policy) *driver {
	service := map[Instant]visit{}
	d := newDriver(stack, passes, func(_ int, now Instant) (Outcome, time.Duration) {
		return service[now].outcome, service[now].takes
	})
	for _, v := range visits {
		service[at(v.at)] = v
		c := d.start(at(v.at), Request{Route: v.route})
		if v.leaves > 0 {
			d.cancel(at(v.leaves), c)
		}
	}
	return d
}

// outcomes lists what the callers got, without the instants.
func (d *driver) outcomes() string {
	words := make([]string, len(d.calls))
	for i, c := range d.calls {
		words[i], _, _ = strings.Cut(c.result(), " ")
	}
	return strings.Join(words, " ")
}

// allHits counts what reached the service.
func (d *driver) allHits() int {
	n := 0
	for _, c := range d.calls {
		n += len(c.sends)
	}
	return n
}

// changesOf writes "open 0.4, half-open 1.4, closed 1.6", with #KEY for others than 0.
func changesOf(g BreakerSignals) string {
	words := make([]string, len(g.Changes))
	for i, c := range g.Changes {
		words[i] = c.To.String() + " " + seconds(c.At)
		if c.Key != 0 {
			words[i] += "#" + strconv.Itoa(c.Key)
		}
	}
	return strings.Join(words, ", ")
}

// countersOf writes the outcomes that were counted, without the zeros.
func countersOf(g BreakerSignals) string {
	var words []string
	for _, c := range []struct {
		name string
		n    int64
	}{
		{"admitted", g.Admitted}, {"good", g.Successes}, {"failed", g.Failures}, {"timeouts", g.Timeouts},
		{"cancelled", g.Cancelled}, {"ignored", g.Ignored}, {"stale", g.Stale},
		{"rejected", g.Rejected}, {"would-reject", g.WouldReject}, {"probes", g.Probes},
	} {
		if c.n != 0 {
			words = append(words, fmt.Sprintf("%d %s", c.n, c.name))
		}
	}
	return strings.Join(words, ", ")
}

// words is the filter of these words.
func words(list ...string) Filter { return mustFilter(list...) }

// two is a breaker that opens for 1 s after two failures.
var two = Breaker{Failures: 2, OpenFor: time.Second}

// twoWith is two with something changed.
func twoWith(change func(s *Breaker)) Breaker {
	s := two
	change(&s)
	return s
}

// permits is two with so many permits, and successes that close it.
func permits(permits, successes int) Breaker {
	return twoWith(func(s *Breaker) { s.Permits, s.Successes = permits, successes })
}

// breakerRow is one sentence of the specification.
type breakerRow struct {
	sentence string
	breaker  Breaker
	visits   string
	answers  string
	changes  string
}

func (r breakerRow) run(t *testing.T) {
	t.Run(r.sentence, func(t *testing.T) {
		b := r.breaker.New()
		d := visiting(true, parseVisits(r.visits), b)
		d.run(horizon)
		equal(t, "answers", d.outcomes(), r.answers)
		equal(t, "changes", changesOf(b.Signals()), r.changes)
		equal(t, "faults", strings.Join(d.faults, "; "), "")
	})
}

// TestBreakerArrows is the state machine, arrow by arrow.
func TestBreakerArrows(t *testing.T) {
	ignoring := twoWith(func(s *Breaker) { s.Ignore = words("404") })
	for _, r := range []breakerRow{
		{"closed, fewer failures than it takes", two, "0 503, 0.1 200", "503 200", ""},
		{"closed to open, at the instant of the last failure and not of its call", two, "0 503 +0.3, 0.1 503 +0.1, 0.4 200", "503 503 rejected", "open 0.3"},
		{"a success between two failures starts the count anew", two, "0 503, 0.1 200, 0.2 503, 0.3 200", "503 200 503 200", ""},
		{"what says nothing neither counts nor starts the count anew", ignoring, "0 503, 0.1 404, 0.2 503", "503 404 503", "open 0.2"},
		{"the default is five failures", Breaker{}, "0 503, 1 503, 2 503, 3 503, 4 503, 4.1 200", "503 503 503 503 503 rejected", "open 4"},
		{"the default is open for 60 s", Breaker{Failures: 1}, "0 503, 59.999999999 200, 60 200", "503 rejected 200", "open 0, half-open 60, closed 60"},
		{"open rejects until the last nanosecond; a call exactly at the end is a probe", two, "0 503, 0.1 503, 1.099999999 200, 1.1 200",
			"503 503 rejected 200", "open 0.1, half-open 1.1, closed 1.1"},
		{"open to half-open with a call and not before", two, "0 503, 0.1 503, 7 200", "503 503 200", "open 0.1, half-open 7, closed 7"},
		{"half-open rejects while all permits are taken", two, "0 503, 0.1 503, 1.1 200 +0.5, 1.2 200, 1.5 200, 1.6 200",
			"503 503 200 rejected rejected 200", "open 0.1, half-open 1.1, closed 1.6"},
		{"half-open lets as many pass as there are permits", permits(2, 0), "0 503, 0.1 503, 1.1 200 +0.5, 1.2 200 +0.1, 1.25 200, 1.4 200 +0.1",
			"503 503 200 200 rejected 200", "open 0.1, half-open 1.1, closed 1.5"},
		{"half-open to closed after so many good probes, one at a time", permits(1, 3), "0 503, 0.1 503, 1.1 200, 1.2 200, 1.3 200, 1.4 200",
			"503 503 200 200 200 200", "open 0.1, half-open 1.1, closed 1.3"},
		{"half-open to open with the first failure, for a whole period from then on", two, "0 503, 0.1 503, 1.1 503 +0.2, 2.2 200, 2.3 200",
			"503 503 503 rejected 200", "open 0.1, half-open 1.1, open 1.3, half-open 2.3, closed 2.3"},
		{"a good probe does not outweigh a bad one", permits(2, 2), "0 503, 0.1 503, 1.1 200, 1.2 503, 1.3 200", "503 503 200 503 rejected", "open 0.1, half-open 1.1, open 1.2"},
		{"good probes of an earlier try do not count", permits(1, 2), "0 503, 0.1 503, 1.1 200, 1.2 503, 2.2 200, 2.3 503",
			"503 503 200 503 200 503", "open 0.1, half-open 1.1, open 1.2, half-open 2.2, open 2.3"},
		{"closed again, it has forgotten the failures", Breaker{Failures: 2, OpenFor: time.Second}, "0 503, 0.1 503, 1.1 200, 1.2 503, 1.3 200",
			"503 503 200 503 200", "open 0.1, half-open 1.1, closed 1.1"},
	} {
		r.run(t)
	}
}

// TestBreakerPermitsComeBack: a probe that says nothing makes room for the next.
func TestBreakerPermitsComeBack(t *testing.T) {
	ignoring := twoWith(func(s *Breaker) { s.Ignore = words("404") })
	for _, r := range []breakerRow{
		{"of an ignored outcome", ignoring, "0 503, 0.1 503, 1.1 404, 1.2 200", "503 503 404 200", "open 0.1, half-open 1.1, closed 1.2"},
		{"of a call rejected inside", two, "0 503, 0.1 503, 1.1 rejected, 1.2 200", "503 503 rejected 200", "open 0.1, half-open 1.1, closed 1.2"},
		{"of a caller that left", two, "0 503, 0.1 503, 1.1 200 hang leaves:1.2, 1.2 200", "503 503 cancelled 200", "open 0.1, half-open 1.1, closed 1.2"},
		{"but not while the caller waits", two, "0 503, 0.1 503, 1.1 200 hang leaves:1.3, 1.2 200, 1.3 200", "503 503 cancelled rejected 200", "open 0.1, half-open 1.1, closed 1.3"},
	} {
		r.run(t)
	}
}

// TestBreakerOutcomes: what each outcome counts as.
func TestBreakerOutcomes(t *testing.T) {
	for _, row := range []struct {
		breaker  Breaker
		outcomes string
		counters string
	}{
		{Breaker{}, "200 204 301 400 401 404 408 425 degraded", "1 admitted, 1 good"},
		{Breaker{}, "429 500 501 502 503 504 599 refused reset malformed", "1 admitted, 1 failed"},
		{Breaker{}, "timeout", "1 admitted, 1 failed, 1 timeouts"},
		{Breaker{}, "cancelled", "1 admitted, 1 cancelled"},
		{Breaker{}, "rejected", "1 admitted, 1 ignored"},
		{Breaker{Ignore: words("404", "503", "timeout")}, "404 503 timeout", "1 admitted, 1 ignored"},
		{Breaker{Fail: words("404", "reset")}, "404 reset", "1 admitted, 1 failed"},
		{Breaker{Fail: words("404", "reset")}, "503 429 timeout refused", "1 admitted, 1 good"},
	} {
		for _, word := range strings.Fields(row.outcomes) {
			b := row.breaker.New()
			d := visiting(true, parseVisits("0 "+word), b)
			d.run(horizon)
			equal(t, word, countersOf(b.Signals()), row.counters)
			equal(t, "answer", d.outcomes(), word)
		}
	}
}
