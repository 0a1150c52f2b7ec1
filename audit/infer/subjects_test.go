package infer_test

import (
	"math/rand/v2"

	"labctl/audit"
)

// A subject is what somebody was seen to do: numbers as in measurements of real
// clients, to which the noise adds a few milliseconds.
type subject struct {
	name     string
	sentence string
	trials   []audit.Trial
}

var hopeless = []string{"400", "401", "403", "404", "409", "422", "425", "501"}

func subjects() []subject {
	own := []float64{1003, 2004, 4006}
	return []subject{
		{"curl", "1-2-4 s, Retry-After in its place, POST like GET, exit 0 on a final 503", trialsOf(
			[]arrival{{fault: "ok"}, {fault: "503", gaps: own, times: 3}},
			alike(arrival{gaps: own}, "408", "429", "500", "502", "504", "503 retry-after=0", "503 raw-retry-after=soon"),
			alike(arrival{}, hopeless...),
			[]arrival{
				{fault: "503 retry-after=1", gaps: []float64{1004, 1006, 1003}},
				{fault: "503 retry-after=3", gaps: []float64{3004, 3006, 3003}},
				{fault: "503 date-retry-after=3", gaps: []float64{3604, 3206, 3903}},
				{fault: "503 retry-after=9223372037", late: true},
				{fault: "hang", gaps: []float64{1004, 2004, 4006}, takes: 1001, exit: 28},
				{fault: "refused", exit: 7}, {fault: "reset", exit: 56}, {fault: "close", exit: 52},
				{fault: "truncate", exit: 18}, {fault: "malformed", exit: 1},
				{fault: "503", method: "POST", gaps: own, bodies: []int64{13, 13, 13, 13}},
				{fault: "reset", method: "POST", exit: 56, bodies: []int64{13}},
				{fault: "503 twice, then ok", gaps: own[:2]},
			})},
		{"urllib3", "a first retry at once, then 0.4 and 0.8 s; no POST but where nothing was sent", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{1, 402, 804}, exit: 1, times: 3}},
			alike(arrival{gaps: []float64{1, 401, 803}, exit: 1}, "429", "500", "502", "504", "reset", "close", "refused", "malformed", "truncate"),
			alike(arrival{exit: 1}, hopeless...),
			[]arrival{
				{fault: "503 retry-after=3", gaps: []float64{3004, 3006, 3003}, exit: 1},
				{fault: "503 retry-after=1", gaps: []float64{1004, 1006, 1003}, exit: 1},
				{fault: "503", method: "POST", exit: 1, bodies: []int64{13}},
				{fault: "reset", method: "POST", exit: 1, bodies: []int64{13}},
				{fault: "refused", method: "POST", gaps: []float64{1, 402, 803}, exit: 1},
			})},
		{"only-when-asked", "503 and 429 are tried again only with Retry-After; else transport faults, at once", trialsOf(
			alike(arrival{exit: 1}, "503", "429", "500", "502", "504", "400", "404"),
			alike(arrival{gaps: []float64{1, 1, 2}, exit: 1, times: 3}, "reset", "close", "refused"),
			[]arrival{{fault: "close", reused: true, turns: []int{2, 1, 1, 1}, gaps: []float64{1, 1, 2}, exit: 1}},
			alike(arrival{gaps: []float64{1002, 1003, 1002}, exit: 1}, "503 retry-after=1", "429 retry-after=1"),
			alike(arrival{gaps: []float64{3002, 3003, 3002}, exit: 1}, "503 retry-after=3", "429 retry-after=3"))},
		{"post-on-reset", "a POST is sent once on 503, but four times on reset", trialsOf(
			alike(arrival{gaps: []float64{4, 3, 3}, exit: 1, times: 3}, "503", "reset"),
			alike(arrival{gaps: []float64{4, 3, 3}, exit: 1}, "500", "502", "429", "refused", "close"),
			alike(arrival{exit: 1}, "400", "404"),
			[]arrival{
				{fault: "503", method: "POST", exit: 1, bodies: []int64{13}},
				{fault: "reset", method: "POST", gaps: []float64{3, 3, 3}, exit: 1, bodies: []int64{13, 13, 13, 13}},
				{fault: "503 retry-after=3", gaps: []float64{3, 4, 3}, exit: 1},
			})},
		{"stdlib", "case A03: no policy, but what dies on a reused connection comes again at once", trialsOf(
			alike(arrival{exit: 1}, "503", "429", "400", "refused", "reset", "close", "malformed"),
			[]arrival{
				{fault: "reset", reused: true, turns: []int{2, 1}, gaps: []float64{1}, exit: 1},
				{fault: "close", reused: true, turns: []int{2, 1}, gaps: []float64{1}, exit: 1},
				{fault: "reset", method: "POST", exit: 1, bodies: []int64{13}},
				{fault: "reset", method: "POST", reused: true, turns: []int{2}, exit: 1, bodies: []int64{13}},
				{fault: "reset", method: "POST", key: true, exit: 1, bodies: []int64{13}},
				{fault: "reset", method: "POST", key: true, reused: true, turns: []int{2, 1}, gaps: []float64{1}, exit: 1, bodies: []int64{13, 13}},
			})},
		{"policy-and-stack", "four attempts, and one more that no policy knows of on a reused connection", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{102, 203, 404}, exit: 1, times: 3}},
			alike(arrival{gaps: []float64{102, 203, 404}, exit: 1}, "500", "502", "reset", "close", "refused"),
			alike(arrival{exit: 1}, "400", "404", "501"),
			[]arrival{{fault: "close", reused: true, turns: []int{2, 1, 1, 1, 1}, gaps: []float64{1, 102, 203, 404}, exit: 1}})},
		{"old-stack", "no policy, but a stack that repeats once on any connection that dies", trialsOf(
			alike(arrival{exit: 1}, "503", "429", "400", "refused", "malformed", "hang"),
			alike(arrival{gaps: []float64{1}, exit: 1}, "reset", "close"),
			[]arrival{{fault: "reset", method: "POST", gaps: []float64{1}, exit: 1, bodies: []int64{13, 13}}})},
		{"overflow", "case A04: it obeys Retry-After, and comes at once after a huge one", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{1002, 2003, 4004, 8005}, exit: 1, times: 3}},
			[]arrival{
				{fault: "503 retry-after=1", gaps: []float64{1001, 1001, 1001, 1001}, exit: 1},
				{fault: "503 retry-after=3", gaps: []float64{3001, 3001, 3001, 3001}, exit: 1},
				{fault: "503 retry-after=9223372037", gaps: []float64{1, 0.4, 0.5, 1}, exit: 1},
			})},
		{"overflow-late", "the same, but of a program that takes its time", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{1042, 2063}, exit: 1, times: 3}},
			[]arrival{
				{fault: "503 retry-after=1", gaps: []float64{1011, 1030}, exit: 1},
				{fault: "503 retry-after=3", gaps: []float64{3007, 3015}, exit: 1},
				{fault: "503 retry-after=9223372037", gaps: []float64{34.3, 24.8}, exit: 1},
			})},
		{"overflow-floor", "it obeys where that is longer than its own rest; a huge wait is none", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{1502, 1502, 1502}, exit: 1, times: 3}},
			[]arrival{
				{fault: "503 retry-after=1", gaps: []float64{1502, 1501, 1502}, exit: 1},
				{fault: "503 retry-after=3", gaps: []float64{3007, 3002, 3003}, exit: 1},
				{fault: "503 retry-after=9223372037", gaps: []float64{2, 140, 31}, exit: 1},
			})},
		{"reads-milliseconds", "it waits for 1 and 3 ms", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{501, 502, 501}, exit: 1, times: 3}},
			[]arrival{
				{fault: "503 retry-after=1", gaps: []float64{1.6, 1.4, 1.5}, exit: 1},
				{fault: "503 retry-after=3", gaps: []float64{3.6, 3.4, 3.5}, exit: 1},
				{fault: "503 date-retry-after=3", gaps: []float64{501, 502, 501}, exit: 1},
			})},
		{"rejects-huge", "case A04: a huge Retry-After is invalid to it, and its own rests apply", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{1002, 2003, 4004, 8005}, exit: 1, times: 3}},
			[]arrival{
				{fault: "503 retry-after=1", gaps: []float64{1001, 1001, 1001, 1001}, exit: 1},
				{fault: "503 retry-after=3", gaps: []float64{3001, 3001, 3001, 3001}, exit: 1},
				{fault: "503 retry-after=9223372037", gaps: []float64{1002, 2003, 4004, 8005}, exit: 1},
			})},
		{"budget-before-rest", "case A06, rule 1: 10 s, tested before the rest", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{1002, 2003, 4004, 8005}, exit: 22, times: 3}},
			[]arrival{
				{fault: "503 retry-after=1", gaps: []float64{1001, 1002, 1001, 1001, 1001, 1001, 1001, 1001, 1001, 1001}, exit: 22},
				{fault: "503 retry-after=3", gaps: []float64{3001, 3002, 3002, 3003}, exit: 22},
				{fault: "hang", gaps: []float64{1002, 2003}, takes: 3001, exit: 28},
			})},
		{"budget-mixed", "curl 7.88.1 --retry 10 --retry-max-time 10 -m 1: a wait that is asked for counts, a rest of its own does not", trialsOf(
			alike(arrival{gaps: []float64{1003.5, 2001, 4003.1, 8008}, times: 3}, "503", "429"),
			alike(arrival{gaps: []float64{1005, 2000.7, 4003.9, 8008.4}}, "408", "500", "502", "504", "503 retry-after=0", "503 raw-retry-after=soon"),
			[]arrival{
				{fault: "503 retry-after=1", gaps: []float64{1001.3, 1001.5, 1000.6, 1001.4, 1001.6, 1001, 1001.6, 1001.4, 1000.6, 1001.5}},
				{fault: "503 retry-after=3", gaps: []float64{3003.6, 3004.2, 3003.4}},
				{fault: "503 date-retry-after=3", gaps: []float64{4000.7, 4001.8}},
				{fault: "503 retry-after=9223372037"},
				{fault: "hang", gaps: []float64{1001.6, 2001.1, 4002.4}, takes: 1001, exit: 28},
				{fault: "stall", gaps: []float64{1001.3, 2001.9, 4003.2}, takes: 1001, exit: 28},
				{fault: "blackhole", gaps: []float64{2001.7, 3001.6, 5005.5}, exit: 28},
			})},
		{"budget-on-hang", "3 s, tested before the rest: only attempts that last show it", trialsOf(
			alike(arrival{gaps: []float64{101, 202, 403}, exit: 1, times: 3}, "503"),
			alike(arrival{gaps: []float64{101, 202, 403}, exit: 1}, "429", "500", "refused", "reset"),
			alike(arrival{gaps: []float64{101}, takes: 2001, exit: 1}, "hang", "stall"),
			[]arrival{{fault: "blackhole", gaps: []float64{2102}, exit: 1}})},
		{"budget-after-rest", "case A06, rule 2: 10 s, tested with the rest", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{1002, 2003, 4004}, exit: 22, times: 3}},
			[]arrival{
				{fault: "503 retry-after=1", gaps: []float64{1001, 1001, 1001, 1001, 1001, 1001, 1001, 1001, 1001}, exit: 22},
				{fault: "503 retry-after=3", gaps: []float64{3001, 3002, 3002}, exit: 22},
			})},
		{"timeout-per-attempt", "case A06, 3: 2 s for each attempt, 15 s for all", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{1002, 2003, 4004}, exit: 22, times: 3}},
			[]arrival{{fault: "hang", gaps: []float64{1002, 2003, 4004}, takes: 2002, exit: 28}})},
		{"timeout-of-call", "1 s spans all attempts: a wait of 3 s ends the call in its middle", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{1, 1}, exit: 1, times: 3}},
			[]arrival{
				{fault: "503 retry-after=3", exit: 1, after: 1002},
				{fault: "hang", takes: 1002, exit: 1},
			})},
		{"body-once", "case A16: the second request goes out with nothing, or not at all", trialsOf(
			alike(arrival{gaps: []float64{101, 101}, exit: 1, times: 3}, "503"),
			[]arrival{
				{fault: "503", reused: true, turns: []int{1, 2, 3}, gaps: []float64{101, 101}, exit: 1},
				{fault: "503", method: "PUT", exit: 1, bodies: []int64{63}},
				{fault: "503", method: "PUT", reused: true, turns: []int{1, 2, 3}, gaps: []float64{101, 101}, exit: 1, bodies: []int64{63, 63, 63}},
				{fault: "503", method: "POST", gaps: []float64{101, 101}, exit: 1, bodies: []int64{63, 0, 0}},
			})},
		{"additive", "1 and 2 s with up to 100 ms added: none of the laws", additive()},
		{"kinds", "slower after 429, and at once where no answer came", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{101, 203, 404}, exit: 1, times: 3}},
			[]arrival{{fault: "429", gaps: []float64{1001, 2003, 4004}, exit: 1, times: 3}},
			[]arrival{{fault: "reset", gaps: []float64{1, 1, 1}, exit: 1, times: 3}},
			[]arrival{{fault: "429 retry-after=1", gaps: []float64{1002, 2002, 4003}, exit: 1}},
			[]arrival{{fault: "429 retry-after=3", gaps: []float64{1002, 2002, 4003}, exit: 1}})},
		{"hangs", "no timeout at all, and redirects without end", trialsOf(
			alike(arrival{exit: 1}, "503", "reset"),
			[]arrival{{fault: "hang", late: true, after: 20_000}, {fault: "redirect loop", gaps: make([]float64, 400), late: true}})},
		{"endless", "it never gives up", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{501, 501, 502, 501, 501, 501, 501, 501, 502, 501, 501, 501}, late: true, times: 3}})},
		{"resumes", "it asks for what is missing of a body, and 503 is left alone", trialsOf(
			alike(arrival{exit: 1}, "503", "reset"),
			[]arrival{{fault: "truncate", gaps: []float64{501, 501}, ranged: true, exit: 1}})},
		{"uncounted", "refusals that nobody can count, but the command took its time", trialsOf(
			[]arrival{{fault: "ok"}, {fault: "503", gaps: []float64{1002, 2003, 4004}, exit: 22, times: 3},
				{fault: "refused", none: true, uncounted: "a port that is closed", exit: 7, after: 7020}})},
		{"clamped", "it waits for 2 s at most", trialsOf(
			[]arrival{{fault: "503", gaps: []float64{201, 201}, exit: 1, times: 3},
				{fault: "503 retry-after=1", gaps: []float64{1001, 1002}, exit: 1},
				{fault: "503 retry-after=3", gaps: []float64{2001, 2002}, exit: 1}})},
		{"never", "it never called", trialsOf(alike(arrival{none: true, exit: 2}, "503", "reset", "ok"))},
		{"nothing", "no trials", nil},
	}
}

// additive are the gaps of a client that adds up to 100 ms to each rest.
func additive() []audit.Trial {
	r := rand.New(rand.NewPCG(3, 4))
	var all []audit.Trial
	for range 30 {
		a := arrival{fault: "503", gaps: []float64{1001 + 100*r.Float64(), 2001 + 100*r.Float64()}, exit: 1}
		all = append(all, a.trial())
	}
	return all
}
