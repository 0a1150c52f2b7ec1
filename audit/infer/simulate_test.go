package infer_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"labctl/audit"
	"labctl/topology/policy"
)

// measured is noise like that of a machine: lognormal, 0.3 ms in the middle, 4 ms at the
// 99th percentile, and now and then 15 ms.
var measured = audit.Noise{Median: 300 * time.Microsecond, P99: 4 * time.Millisecond, Samples: 200}

func draw(r *rand.Rand) time.Duration {
	const sigma = 1.1136 // ln(4 ÷ 0.3) ÷ 2.326
	d := time.Duration(0.3 * math.Exp(sigma*r.NormFloat64()) * float64(time.Millisecond))
	if r.IntN(250) == 0 {
		d += 15 * time.Millisecond
	}
	return d
}

// A simulated is a client that does what a lab's retry does.
type simulated struct {
	retry  policy.Retry
	number uint64
	calls  uint64
	noise  *rand.Rand

	timeout time.Duration // of an attempt
}

// patience is the time of a probe.
const patience = 3000 * time.Second

// answers are how attempts end on a fault, and how long each takes.
func answers(f audit.Fault, timeout time.Duration) func(attempt int) (policy.Outcome, time.Duration) {
	name, _, _ := strings.Cut(f.Name, " ")
	out := policy.Outcome{}
	takes := time.Duration(0)
	switch name {
	case "ok", "redirect":
		out = policy.Status(200)
	case "refused":
		out = policy.Failed(policy.Refused)
	case "reset", "close", "halfreset", "truncate":
		out = policy.Failed(policy.Reset)
	case "malformed", "badchunk":
		out = policy.Failed(policy.Malformed)
	case "hang", "stall", "blackhole":
		out, takes = policy.Failed(policy.Timeout), timeout
	default:
		code, _ := strconv.Atoi(name)
		out = policy.Status(code)
	}
	if _, header, found := strings.Cut(f.Name, "retry-after="); found {
		out.After, _ = policy.ParseRetryAfter(header, time.Time{})
	}
	return func(attempt int) (policy.Outcome, time.Duration) {
		if f.Name == "503 twice, then ok" && attempt > 2 || f.Name == "reset once, then ok" && attempt > 1 {
			return policy.Status(200), 0
		}
		return out, takes
	}
}

// trial runs one call through an edge of the lab, in virtual time.
func (s *simulated) trial(p audit.Probe) audit.Trial {
	s.calls++
	t := audit.Trial{Probe: p}
	repeatable := p.Method != "POST" || p.Keyed
	edge := policy.NewEdge(1, []policy.Policy{&s.retry}, true)
	now, conn := policy.Instant(0), 0
	answer := answers(p.Fault, s.timeout)
	_, actions := edge.Start(policy.Request{Repeatable: repeatable, Luck: policy.RootLuck(7, s.number, s.calls)}, now, nil)
	for len(actions) > 0 {
		next := []policy.Action(nil)
		for _, a := range actions {
			switch a.Kind {
			case policy.Send:
				conn++
				at := time.Duration(now)
				o, takes := answer(int(a.Number))
				now = now.Add(takes)
				t.Hits = append(t.Hits, audit.Hit{At: at, End: time.Duration(now), Conn: conn, Turn: 1, Method: p.Method, Target: "/", Status: int(o.Status), Complete: true})
				next = append(next, edge.Done(a.Ref, o, now, nil)...)
			case policy.Wake:
				if time.Duration(a.At) > patience {
					t.Exit = audit.Exit{Code: -1, TimedOut: true}
					t.Elapsed = patience
					return t
				}
				now = a.At.Add(draw(s.noise))
				next = append(next, edge.Timer(a.Ref, a.Arming, now, nil)...)
			case policy.Answer:
				if !a.Outcome.OK() {
					t.Exit.Code = 1
				}
			}
		}
		actions = next
	}
	t.Elapsed = time.Duration(now)
	return t
}

// all asks all questions, and the one of the gaps as often as it takes.
func (s *simulated) all(repeats int) []audit.Trial {
	var trials []audit.Trial
	for _, f := range audit.Catalogue() {
		for _, method := range []string{"GET", "POST"} {
			for _, on := range []audit.Connection{audit.Fresh, audit.Reused} {
				p := audit.Probe{Fault: f, Method: method, Connection: on}
				if f.NeverConnects() && on == audit.Reused {
					continue
				}
				n := 1
				if f.Name == "503" && method == "GET" && on == audit.Fresh {
					n = repeats
				}
				for range n {
					trials = append(trials, s.trial(p))
				}
			}
		}
	}
	return trials
}
