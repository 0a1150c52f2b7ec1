package infer_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"labctl/audit"
	"labctl/audit/infer"
)

// Clients that are not ours: what they do looks like a policy, and is none or another.

// a seen is one hit: when it came, how long the tail had it, and what it asked for.
type seen struct {
	at, takes float64
	what      string // "GET /" unless said
}

// custom is a trial of one fault with any hits.
func custom(fault string, timedOut bool, hits ...seen) audit.Trial {
	f, known := audit.FaultNamed(fault)
	if !known {
		panic("no fault " + fault)
	}
	t := audit.Trial{Probe: audit.Probe{Fault: f, Method: "GET", Connection: audit.Fresh}}
	for i, s := range hits {
		method, target, found := strings.Cut(s.what, " ")
		if !found {
			method, target = "GET", "/"
		}
		at := inMS(10 + s.at)
		t.Hits = append(t.Hits, audit.Hit{
			At: at, End: at + inMS(s.takes), Conn: i + 1, Turn: 1, Method: method, Target: target, Complete: true, Status: statusOf(f, i),
		})
		t.Elapsed = max(t.Elapsed, at+inMS(s.takes))
	}
	t.Exit.Code = 1
	if timedOut {
		t.Exit, t.Elapsed = audit.Exit{Code: -1, TimedOut: true}, 3*time.Second
	}
	return t
}

// each is the same hits whatever the fault.
func each(timedOut bool, hits []seen, faults ...string) []audit.Trial {
	var all []audit.Trial
	for _, f := range faults {
		all = append(all, custom(f, timedOut, hits...))
	}
	return all
}

// at are requests at these times that end at once.
func at(times ...float64) []seen {
	var hits []seen
	for _, t := range times {
		hits = append(hits, seen{at: t, takes: 1})
	}
	return hits
}

// lasting are requests at these times that nobody answers until a time.
func lasting(until float64, times ...float64) []seen {
	var hits []seen
	for _, t := range times {
		hits = append(hits, seen{at: t, takes: until - t})
	}
	return hits
}

// claims are what a policy claims, in short.
func claims(v infer.Verdict) string {
	p := v.Policy
	text := fmt.Sprintf("%d", p.Attempts)
	if p.AtLeast {
		text = "≥" + text
	}
	text += fmt.Sprintf(" on %v not %v", p.On, p.NotOn)
	for _, m := range p.Methods {
		text += fmt.Sprintf(" %s:%s", m.Method, m.Retried)
	}
	if p.Rest != nil {
		text += " rests"
	}
	var codes []string
	for _, f := range v.Findings {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return strings.TrimSpace(text + " " + strings.Join(codes, " "))
}

// TestNotOurs: what cannot be told is not told.
func TestNotOurs(t *testing.T) {
	once, thrice := at(0), at(0, 100, 200)
	several := []seen{{at: 0, takes: 1, what: "GET /"}, {at: 2, takes: 1, what: "HEAD /"}, {at: 4, takes: 1, what: "DELETE /"}}
	other := []seen{{at: 0, takes: 1, what: "GET /token"}, {at: 2, takes: 1}, {at: 102, takes: 1}, {at: 202, takes: 1}}
	queries := []seen{{at: 0, takes: 1, what: "GET /?a"}, {at: 2, takes: 1, what: "GET /?b"}}
	for _, row := range []struct {
		sentence  string
		trials    [][]audit.Trial
		want      string
		undecided string // is among what is said of it
	}{
		{"it rests for longer than the probe", [][]audit.Trial{each(true, once, "503", "429", "reset")},
			"0 on [] not [] GET:", "429, 503, reset: one attempt, and the command was still at it"},
		{"it rests after some, and others came to their end", [][]audit.Trial{each(true, once, "503"), each(false, once, "404")},
			"0 on [] not [404] GET:", "attempts: not decided"},
		{"it rests where Retry-After asks for centuries", [][]audit.Trial{each(true, once, "503 retry-after=9223372037"), each(false, once, "503")},
			"0 on [] not [503] GET:", "attempts: not decided"},
		{"no timeout, and else nothing", [][]audit.Trial{each(true, once, "hang")},
			"0 on [] not [] GET: no-timeout", "attempts: no fault came to its end"},
		{"no timeout, and nothing is repeated", [][]audit.Trial{each(true, once, "hang"), each(false, once, "503")},
			"1 on [] not [503] GET:no no-timeout", "hang: the first attempt was still waiting"},
		{"all is well", [][]audit.Trial{each(false, once, "ok")},
			"0 on [] not [] GET:", "attempts: no fault"},
		{"refusals that nobody counts", [][]audit.Trial{{arrival{fault: "refused", none: true, uncounted: "a closed port", exit: 7}.trial()}},
			"0 on [] not []", "attempts: no request arrived that could be counted"},

		{"three requests to the same place", [][]audit.Trial{each(false, several, "ok", "503", "404")},
			"1 on [] not [404 503] GET:no several-requests", ""},
		{"another request than the first is repeated", [][]audit.Trial{each(false, other, "503")},
			"0 on [] not [] GET: several-requests", "503: GET /token comes once, and other requests more often (GET /): audit a command that makes one"},
		{"two equal ones, also when all is well", [][]audit.Trial{each(false, at(0, 1), "ok", "503", "500", "reset")},
			"0 on [] not [] GET: several-requests", "500, 503, reset: it makes 2 requests when all is well"},
		{"two equal ones, of which a fault ends the first", [][]audit.Trial{each(false, at(0, 1), "ok"), each(false, once, "503")},
			"1 on [] not [503] GET:no several-requests", ""},
		{"each with a query of its own", [][]audit.Trial{each(false, queries, "503")},
			"0 on [] not [] GET:", "503: what comes again has another query"},
		{"attempts that are numbered in the query", [][]audit.Trial{each(false, at(0), "ok"), each(false, queries, "503")},
			"2 on [503] not [] GET:yes rests multiplies no-budget no-rest", ""},
		{"HTTP/2 without TLS", [][]audit.Trial{each(false, []seen{{what: "PRI *"}}, "503", "reset")},
			"0 on [] not [] PRI:", "503, reset: it sends PRI, the preface of HTTP/2"},

		{"three at intervals, whatever the answer", [][]audit.Trial{each(false, thrice, "ok", "503")},
			"0 on [] not [] GET: several-requests", "503: it makes 3 requests when all is well"},
		{"hedging where no answer comes", [][]audit.Trial{each(false, once, "ok", "503"), each(false, lasting(1000, 0, 100, 200), "hang", "stall")},
			"1 on [] not [503] GET:no overlapping-attempts", "hang, stall: attempts overlap"},
		{"hedging until there is a good answer", [][]audit.Trial{each(false, once, "ok"), each(false, thrice, "503"), each(false, lasting(1000, 0, 100, 200), "hang")},
			"0 on [] not [] GET: overlapping-attempts", "503: requests come when they also come with hang"},
		{"hedging, and retries of another pace", [][]audit.Trial{each(false, at(0, 500, 1000), "503"), each(false, lasting(1000, 0, 100, 200), "hang")},
			"3 on [503] not [] GET:yes rests multiplies no-budget overlapping-attempts", ""},
		{"a connection that is closed a little late", [][]audit.Trial{{custom("hang", false, seen{0, 1010, ""}, seen{1000, 1010, ""}, seen{2000, 1000, ""})}},
			"3 on [timeout] not [] GET:yes rests multiplies no-budget no-rest timeout-per-attempt", ""},

		{"a fault that passes, alone", [][]audit.Trial{each(false, at(0, 1000, 3000), "503 twice, then ok")},
			"≥3 on [503] not [] GET:yes multiplies no-budget", "attempts: 503 twice, then ok was all that was tried again, and it passed: there may be more than 3"},
		{"a fault that passes later than it is tried", [][]audit.Trial{each(false, at(0, 1000), "503 twice, then ok")},
			"2 on [503] not [] GET:yes multiplies no-budget", ""},
		{"a reset that passes, alone", [][]audit.Trial{each(false, at(0, 1000), "reset once, then ok")},
			"≥2 on [reset] not [] GET:yes multiplies no-budget", "attempts: reset once, then ok"},
		{"redirects alone", [][]audit.Trial{each(false, at(0, 1, 2, 3), "redirect loop")},
			"0 on [] not [] GET:", "attempts: no fault"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			v := infer.Infer(slices.Concat(row.trials...), measured)
			if got := claims(v); got != row.want {
				t.Errorf("got  %q\nwant %q; undecided %q", got, row.want, v.Policy.Undecided)
			}
			if !strings.Contains(strings.Join(v.Policy.Undecided, "; "), row.undecided) {
				t.Errorf("undecided %q, want %q among it", v.Policy.Undecided, row.undecided)
			}
		})
	}
}

// TestCustomPrograms: faults that a user makes are judged by their programs.
func TestCustomPrograms(t *testing.T) {
	trial := func(group audit.Group, program string, statuses ...int) audit.Trial {
		tr := audit.Trial{Probe: audit.Probe{Fault: audit.Fault{Name: program, Program: program, Group: group}, Method: "GET", Connection: audit.Fresh}}
		for i, s := range statuses {
			at := inMS(float64(10 + 100*i))
			tr.Hits = append(tr.Hits, audit.Hit{At: at, End: at, Conn: i + 1, Turn: 1, Method: "GET", Target: "/", Complete: true, Status: s})
		}
		return tr
	}
	for _, row := range []struct {
		trial audit.Trial
		want  string
		end   string
	}{
		{trial(audit.Recovery, "503x3,ok", 503, 503), "2 on [503]", "gave up"},
		{trial(audit.Recovery, "503x3,ok", 503, 503, 503, 200), "≥4 on [503]", "succeeded"},
		{trial(audit.Recovery, "hang,503,ok", 0, 503, 200), "≥3 on [timeout 503]", "succeeded"},
		{trial(audit.Status, "302+location=again", slices.Repeat([]int{302}, 51)...), "0 on []", "gave up"},
	} {
		v := infer.Infer([]audit.Trial{row.trial}, measured)
		if got := claims(v); !strings.HasPrefix(got, row.want) || v.Rows[0].Outcome != row.end {
			t.Errorf("%s: got %q and %q, want %q and %q", row.trial.Probe, got, v.Rows[0].Outcome, row.want, row.end)
		}
	}
}

// TestByChance: a client that tries again at one time and not at another has neither given
// up on anything nor left it alone.
func TestByChance(t *testing.T) {
	trials := slices.Concat(
		each(false, at(0), "503", "500", "503 date-retry-after=3", "503 raw-retry-after=soon"),
		each(false, at(0, 100), "503", "502"), each(false, at(0, 100, 200, 300), "503"),
		each(false, at(0, 1000, 2000), "503 retry-after=1"),
	)
	for range 4 {
		trials = append(trials, custom("404", false, at(0)...))
	}
	p := infer.Infer(trials, measured).Policy
	if r := p.RetryAfter; r == nil || r.Date != "" || r.Malformed != "" {
		t.Errorf("Retry-After %+v", r)
	}
	if !slices.Equal(p.NotOn, []string{"404"}) || len(p.Exceptions) > 0 {
		t.Errorf("not on %v, except %v, undecided %q", p.NotOn, p.Exceptions, p.Undecided)
	}
}

// TestMethodsAreCompared: yes is for what agrees in all that was asked with.
func TestMethodsAreCompared(t *testing.T) {
	again := arrival{gaps: []float64{100}, exit: 1}
	get := func(a arrival, faults ...string) []arrival { return alike(a, faults...) }
	post := func(a arrival, faults ...string) []arrival {
		a.method = "POST"
		return alike(a, faults...)
	}
	left := arrival{exit: 1}
	for _, row := range []struct {
		sentence string
		trials   []audit.Trial
		want     string
	}{
		{"both alike", trialsOf(get(again, "503", "500"), get(left, "reset"), post(again, "503", "500"), post(left, "reset")), "yes"},
		{"a reset more", trialsOf(get(again, "503"), get(left, "reset"), post(again, "503", "reset")), "503, reset"},
		{"a reset that no GET was asked with", trialsOf(get(again, "503"), post(again, "503", "reset")), "503, reset"},
		{"never", trialsOf(get(again, "503"), post(left, "503")), "no"},
		{"still resting", trialsOf(get(again, "503"), post(arrival{late: true}, "503")), ""},
		{"neither has a timeout", trialsOf(get(again, "503"), post(again, "503"), get(arrival{late: true}, "stall"), post(arrival{late: true}, "stall")), "yes"},
		{"still resting after one of two", trialsOf(get(again, "503", "500"), post(again, "500"), post(arrival{late: true}, "503")), "500"},
	} {
		got := infer.Infer(row.trials, measured).Policy.Methods
		i := slices.IndexFunc(got, func(m audit.MethodRule) bool { return m.Method == "POST" })
		if i < 0 || got[i].Retried != row.want {
			t.Errorf("%s: got %+v, want %q", row.sentence, got, row.want)
		}
	}
}

// TestRoundTimeouts: the tail sees less of a timeout than there is.
func TestRoundTimeouts(t *testing.T) {
	for _, row := range []struct{ began, waited, want float64 }{
		{5, 1980, 2000}, {120, 1890, 2000}, {5, 1890, 1890}, {5, 2003, 2000}, {5, 2996, 3000}, {5, 300_000 - 40, 300_000}, {5, 1234, 1250}, {5, 1310, 1310},
	} {
		trial := custom("hang", false, seen{at: row.began - 10, takes: row.waited})
		if got := infer.Infer([]audit.Trial{trial}, measured).Policy.Timeout; got == nil || got.LimitMS != row.want {
			t.Errorf("%v ms after %v: got %+v, want %v", row.waited, row.began, got, row.want)
		}
	}
}

// TestLastWords: what a command printed is the only trace of one that never called.
func TestLastWords(t *testing.T) {
	trial := arrival{fault: "503", none: true, exit: 127}.trial()
	trial.Exit.Output = strings.Repeat("x", 200) + "\n 127.0.0.1:4711: no such\tfile"
	v := infer.Infer([]audit.Trial{trial}, measured)
	if want := "it said: …" + strings.Repeat("x", 94) + " 127.0.0.1:…: no such file"; v.Rows[0].Note != want {
		t.Errorf("got %q, want %q", v.Rows[0].Note, want)
	}
	trial.Proxied = true
	got := infer.Infer([]audit.Trial{trial}, measured).Findings[0]
	if got.Code != "never-called" || !strings.Contains(got.Message, "nothing came through the proxy") || strings.Contains(got.Message, "{url}") {
		t.Errorf("of a proxy: %+v", got)
	}
}

// TestRedirectsAreFollowed: they have no rests, no attempts and no dangers of a retry.
func TestRedirectsAreFollowed(t *testing.T) {
	trials := trialsOf([]arrival{{fault: "redirect loop", gaps: make([]float64, 49), exit: 1}, {fault: "503", gaps: []float64{100, 200}, exit: 1, times: 3}})
	v := infer.Infer(trials, measured)
	text, err := json.Marshal(v.Findings)
	if err != nil {
		t.Fatal(err)
	}
	if v.Policy.Attempts != 3 || strings.Contains(string(text), "no-rest") {
		t.Errorf("%d attempts, %s", v.Policy.Attempts, text)
	}
	elsewhere := custom("redirect loop", false, seen{what: "GET /"}, seen{1, 0, "GET /again"}, seen{2, 0, "GET /again"})
	if row := infer.Infer([]audit.Trial{elsewhere}, measured).Rows[0]; row.Hits != 3 || row.Note != "" {
		t.Errorf("of a redirect to another place: %+v", row)
	}
}
