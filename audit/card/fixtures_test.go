package card

import (
	"strings"

	"labctl/audit"
)

// The audits below are made by hand, so that what a renderer shows depends on nothing
// but the renderer. Their numbers were measured by another tail than this module's.

func exit(code int) *int { return &code }

// row is a probe with a GET on fresh connections.
func row(fault string, code int, outcome string, gaps ...float64) audit.Row {
	return audit.Row{Fault: fault, Method: "GET", Connection: "fresh", Hits: len(gaps) + 1, GapsMS: gaps, Exit: exit(code), Outcome: outcome}
}

func post(r audit.Row) audit.Row {
	r.Method = "POST"
	for range r.Hits {
		r.BodyBytes = append(r.BodyBytes, 13)
	}
	return r
}

func reused(r audit.Row) audit.Row {
	r.Connection = "reused"
	return r
}

func curl() audit.Audit {
	return audit.Audit{
		Schema: audit.Schema, Subject: "curl", Version: "7.88.1", Labctl: "0.2.0",
		Command: []string{"curl", "-s", "--retry", "3", "-X", "{method}", "-d", "{body}", "{url}"},
		Noise:   &audit.NoiseMS{Median: 4.1, P99: 18.2, Samples: 50},
		Probes:  curlProbes(),
		Policy: audit.Policy{
			Attempts: 4, On: []string{"408", "429", "500", "502", "503", "504", "timeout"},
			NotOn:      []string{"400", "401", "404", "422", "501", "refused", "reset", "malformed"},
			Rest:       &audit.Rest{BaseMS: 1000, Growth: "exponential", Factor: 2, Jitter: "none", LongestMS: 4039, Confidence: 0.99, Samples: 9},
			RetryAfter: &audit.RetryAfterRule{Seconds: "exact", Date: "exact", Malformed: "ignored", Huge: "gives-up"},
			Timeout:    &audit.Timeout{LimitMS: 1000, Spans: "attempt"},
			Methods:    []audit.MethodRule{{Method: "GET", Retried: "yes"}, {Method: "POST", Retried: "yes", Bodies: "whole"}},
			Hidden:     &audit.HiddenReplays{Faults: []string{"reset", "close"}, Methods: []string{"GET", "POST"}, Times: 1},
			Undecided:  []string{"cap: no rest was long enough to meet one"},
		},
		Findings: []audit.Finding{
			{Code: "hidden-replays", Severity: audit.Note, Message: "a request on a reused connection that closes is sent again, a POST too"},
			{Code: "herd", Severity: audit.Risk, Message: "its rests have no jitter: clients that failed together come back together"},
			{Code: "unsafe-post", Severity: audit.Danger, Message: "POST without an idempotency key is repeated on 503: what it does may be done 4 times"},
		},
	}
}

func curlProbes() []audit.Row {
	refused := row("refused", 7, "gave up")
	refused.Note, refused.Uncounted = "a refused connection leaves no trace that a program without rights can see", true
	replayed := row("close", 0, "succeeded", 0.4)
	replayed.Hidden = 1
	return []audit.Row{
		row("ok", 0, "succeeded"),
		row("400", 0, "gave up"), row("401", 0, "gave up"), row("404", 0, "gave up"),
		row("408", 0, "gave up", 1018, 2016, 4024), row("422", 0, "gave up"),
		row("429", 0, "gave up", 1008, 2021, 4039), row("500", 0, "gave up", 1068, 2016, 4024), row("501", 0, "gave up"),
		row("502", 0, "gave up", 1004, 2036, 4024), row("503", 0, "gave up", 1008, 2008, 4024), post(row("503", 0, "gave up", 1008, 2010, 4020)),
		row("504", 0, "gave up", 1052, 2012, 4026),
		row("429 retry-after=1", 0, "gave up", 1055, 1008, 1012), row("429 retry-after=3", 0, "gave up", 3027, 3024, 3027),
		row("503 retry-after=1", 0, "gave up", 1043, 1008, 1004), row("503 retry-after=3", 0, "gave up", 3039, 3044, 3012),
		refused,
		row("reset", 56, "gave up"), post(row("reset", 56, "gave up")), row("close", 52, "gave up"),
		reused(replayed), reused(post(replayed)),
		row("hang", 28, "gave up", 1999, 2992, 5004), row("truncate", 18, "gave up"), row("malformed", 1, "gave up"),
	}
}

// chain is go-retryablehttp through HAProxy: sixteen attempts that policies make, and
// twelve that come on top where HAProxy closes a connection that Go wants to use again.
func chain() audit.Audit {
	closed := reused(row("close", 1, "gave up", 1, 0, 0, 134, 2, 4, 1, 1, 0, 0, 0, 205, 30, 3, 25, 4, 1, 1, 0, 440, 4, 1, 0, 1, 0, 0, 0))
	closed.Hidden = 12
	status := row("503", 1, "gave up", 0, 0, 1, 110, 0, 0, 0, 201, 0, 0, 0, 403, 0, 0, 0)
	health := row("refused", 1, "gave up", 1001, 1001, 1002, 103, 1019, 1001, 1005, 202)
	health.Seen, health.Trials = []int{9, 9, 16}, 3
	first := 0.0
	return audit.Audit{
		Subject: "go-retryablehttp through haproxy", Version: "0.7.8, 2.6.12", Labctl: "0.2.0", Command: []string{"./client", "{url}"},
		Probes: []audit.Row{status, row("404", 1, "gave up"), health, closed},
		Policy: audit.Policy{
			Attempts: 16, AtLeast: true, On: []string{"503", "refused"}, OnlyWithRetryAfter: []string{"429"}, NotOn: []string{"404"},
			Exceptions: []string{"stall is tried again twice only"},
			Rest:       &audit.Rest{BaseMS: 100, FirstMS: &first, Growth: "exponential", Factor: 1.5, CapMS: 400, Jitter: "50%", Order: "cap-then-jitter", Confidence: 0.7, Samples: 3},
			RetryAfter: &audit.RetryAfterRule{Seconds: "early", EarlyMS: 40},
			Elapsed:    &audit.Elapsed{LimitMS: 900_000, FromMS: 893_000, ToMS: 914_000, Rule: "before-rest"},
			Methods:    []audit.MethodRule{{Method: "POST", Retried: "no"}, {Method: "POST", Key: true, Retried: "refused, reset", Bodies: "empty"}},
		},
		Chains: []audit.Chain{
			{Fault: "503", Method: "GET", Connection: "fresh", Hits: 16, Layers: []audit.Layer{
				{Name: "go-retryablehttp", Requests: 1, Attempts: 4, Factor: 4}, {Name: "haproxy", Requests: 4, Attempts: 16, Factor: 4}}},
			{Fault: "close", Method: "GET", Connection: "reused", Hits: 28, Layers: []audit.Layer{
				{Name: "go-retryablehttp", Requests: 1, Attempts: 7, Factor: 4, Hidden: 3}, {Name: "haproxy", Requests: 7, Attempts: 28, Factor: 4}}},
		},
		Findings: []audit.Finding{{Code: "multiplies", Severity: audit.Danger, Message: "go-retryablehttp and haproxy both retry: 4 × 4 = 16, and 28 with hidden replays"}},
		Warnings: []string{"the machine was busy: p99 of the noise is 40 ms"},
		Partial:  true,
	}
}

// plainGo is a client without a policy of its own.
func plainGo() audit.Audit {
	unasked := audit.Row{Fault: "close", Method: "GET", Connection: "reused", Unasked: true, Outcome: "not asked", Note: "the connection could not be warmed up"}
	return audit.Audit{
		Subject: "Go net/http", Version: "1.26.8", Command: []string{"./get", "{url}"},
		Probes: []audit.Row{row("503", 0, "gave up"), row("close", 1, "gave up"), unasked, reused(row("reset", 1, "gave up"))},
		Policy: audit.Policy{Attempts: 1, NotOn: []string{"503"}, Methods: []audit.MethodRule{{Method: "POST", Retried: "no"}}},
	}
}

// evil tries to break lines, tables, terminals and pages.
const evil = "a|b\n<script>alert(1)</script> \u202eesrever\x1b[31m`x` \u009b2J @team ](x) **b**"

func hostile() audit.Audit {
	r := row(evil, 3, evil, 1)
	r.Method, r.Note = evil, evil
	racy := row("503", 0, evil)
	racy.Note, racy.Uncounted = evil, true
	return audit.Audit{
		Subject: evil, Version: evil, Command: []string{evil, "{url}"}, Labctl: evil, Probes: []audit.Row{r, racy},
		Policy: audit.Policy{
			Attempts: 2, On: []string{evil}, NotOn: []string{evil}, OnlyWithRetryAfter: []string{evil}, Exceptions: []string{evil},
			Rest:       &audit.Rest{Growth: evil, Jitter: evil, Order: evil},
			RetryAfter: &audit.RetryAfterRule{Seconds: evil, Date: evil, Malformed: evil, Huge: evil},
			Elapsed:    &audit.Elapsed{Rule: evil}, Timeout: &audit.Timeout{Spans: evil},
			Methods:   []audit.MethodRule{{Method: "POST", Retried: evil, Bodies: evil}},
			Hidden:    &audit.HiddenReplays{Faults: []string{evil}, Methods: []string{evil}},
			Undecided: []string{evil},
		},
		Chains:   []audit.Chain{{Fault: evil, Method: evil, Connection: "fresh", Hits: 1, Layers: []audit.Layer{{Name: evil, Factor: 1}}}},
		Findings: []audit.Finding{{Code: evil, Severity: audit.Danger, Message: evil}, {Code: "long", Severity: audit.Note, Message: strings.Repeat("long ", 40)}},
		Warnings: []string{evil},
	}
}

func empty() audit.Audit { return audit.Audit{Subject: "nothing"} }
