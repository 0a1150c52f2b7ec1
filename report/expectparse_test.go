package report

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// abc are the layers of most cases; web is a route.
var abc = []string{"client", "a", "b", "c"}

func TestConditions(t *testing.T) {
	for _, c := range []struct{ field, condition, want string }{
		{"hits", "9", ""},
		{"hits", "= 9", ""},
		{"hits", "== 9", ""},
		{"hits", "!= 9", ""},
		{"hits", "<=9", ""},
		{"hits", " 40..45 ", ""},
		{"hits", "always 40 .. 45", ""},
		{"hits", "1e6", ""},
		{"tail.amplification", "<= 3.5", ""},
		{"reading", "-1", ""},
		{"web.p99", "< 800ms", ""},
		{"web.p99", "< 800 ms", ""},
		{"web.p99", "100ms..1.5s", ""},
		{"recovered_at", "2m45s", ""},
		{"recovered_at", "0", ""},
		{"p99_ms", "< 800", ""},
		{"outcomes.ok", ">= 99%", ""},
		{"outcomes.ok", "99 %..100%", ""},
		{"error_percent", "<= 5", ""},
		{"b.time.share", "<= 50%", ""},
		{"recovered", "true", ""},
		{"recovered", "!= true", ""},
		{"client.breaker.status", "closed", ""},
		{"client.breaker.status", "!= stuck half-open", ""},
		{"branches", "answered, retried", ""},
		{"tail.bins", "[50, 50, 0, 50]", ""},
		{"tail.bins", "!= []", ""},
		{"tail.bins@2s", "0", ""},

		{"hits", "", `hits: "" says nothing to compare hits with: write <= 120`},
		{"hits", "<=", `hits: "<=" says nothing to compare hits with: write <= 120`},
		{"hits", "always", `hits: "always" says nothing to compare hits with: write <= 120`},
		{"hits", "=< 9", `hits: "=<" is no comparison: write <=`},
		{"hits", "≤ 9", `hits: "≤" is no comparison: write <=`},
		{"hits", "~9", `hits: "~" is no comparison: write a range, as 90..110`},
		{"hits", ">= 1, <= 3", `hits: ">= 1, <= 3" holds two conditions: write one, or a range as 40..45`},
		{"hits", "1,000", `hits: "1,000" separates thousands: write 1000`},
		{"hits", "< 33_000_000", `hits: "33_000_000" separates thousands: write 33000000`},
		{"hits", "1 000", `hits: "1 000" separates thousands: write 1000`},
		{"tail.amplification", "<= 1,5", `tail.amplification: "1,5" has a comma: write a point, as 1.5`},
		{"hits", "nine", `hits: "nine" is not a count, which hits is: write <= 120`},
		{"hits", "NaN", `hits: "NaN" is not a count, which hits is: write <= 120`},
		{"hits", "%d", `hits: "%d" is not a count, which hits is: write <= 120`},
		{"hits", "9ms", `hits: "9ms" is not a count, which hits is: write <= 120`},
		{"hits", "<= 9%", `hits: "9%" is a percentage, but hits is a count of nothing in particular: write <= 120`},
		{"hits", "9.5", `hits: "9.5" is not whole, and hits is a count: write 10`},
		{"hits", "-1", `hits: "-1" is negative, and hits is never: write <= 120`},
		{"hits", "<= 1e30", `hits: "1e30" is larger than anything the lab counts: write at most 9007199254740992`},
		{"hits", "1e9999", `hits: "1e9999" is larger than anything the lab counts: write at most 9007199254740992`},
		{"hits", "[9]", `hits: hits is a count, not a list: write <= 120`},
		{"hits", "45..40", `hits: "45..40" ends before it begins: write 40..45`},
		{"hits", "40..", `hits: "40.." has no upper end: write >= 40`},
		{"hits", "..45", `hits: "..45" has no lower end: write <= 45`},
		{"hits", "..", `hits: ".." has no ends: write 40..45`},
		{"hits", "< 40..45", `hits: "< 40..45" has a comparison and a range: write one of them`},
		{"hits", "1\n2", `hits: "1 2" holds a line break or an invisible mark: write the condition in one line`},
		{"ok", "90%..100", `ok: "90%..100" has % at one end: write it at both`},
		{"web.p99", "< 800", `web.p99: "800" has no unit: write 800ms or 800s`},
		{"web.p99", "40..45ms", `web.p99: "40" has no unit: write 40ms or 40s`},
		{"web.p99", "< 5 days", `web.p99: "5 days" is not a time, which web.p99 is: write < 800ms`},
		{"web.p99", "< -1s", `web.p99: "-1s" is not a time, which web.p99 is: write < 800ms`},
		{"web.p99", "< 9999999h", `web.p99: "9999999h" is longer than 290 years: write a shorter time`},
		{"ok", "-1%", `ok: "-1%" is negative, and a percentage is never: write 0% or more`},
		{"ok_share", ">= 99", `ok_share: "99" is more than all: write a share from 0 to 1, or 99%`},
		{"recovered", "yes", `recovered: recovered is never "yes": choose true, false`},
		{"recovered", "5s", `recovered: recovered is never "5s" (recovered_at is the instant): choose true, false`},
		{"recovered", "> false", `recovered: recovered is true or false and has no order: write true, or != in front of it`},
		{"client.breaker.status", "CLOSED", `client.breaker.status: client.breaker.status is never "CLOSED": did you mean closed?`},
		{"client.breaker.status", "!= opne", `client.breaker.status: client.breaker.status is never "opne": did you mean open?`},
		{"tail.bins", "<= 120", `tail.bins: tail.bins is a list: write [50, 0, 50], or ask for one number, as peak or bins@2s`},
		{"tail.bins", "<= [1]", `tail.bins: a list has no order: write [50, 0, 50] without <=`},
		{"tail.bins", "[1, 2", `tail.bins: "[1, 2" has no end: close the list with ]`},
		{"tail.bins", "[1, two]", `tail.bins: "two" is not a count, which a place of tail.bins is: write <= 120`},
		{"tail.bins", "[1,]", `tail.bins: "" is not a count, which a place of tail.bins is: write <= 120`},
	} {
		got := ""
		if err := (Expect{Field: c.field, Condition: c.condition}).Check(abc, "web"); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q\n got  %s\n want %s", c.field, c.condition, got, c.want)
		}
	}
}

func TestCheckField(t *testing.T) {
	for name, want := range map[string]string{
		"hits": "", "orphans": "", "tail.orphans": "", "c.orphans": "", "tail.peak": "", "a.peak": "", "b.requests": "",
		"p99": "", "client.p99": "", "client.max_ms": "", "recovered": "", "recovered_at": "", "outcomes.ok": "",
		"tail.requests": "", "tail.queue.waiting": "", "client.budget.by_floor": "", "client.largest_rest": "",
		"web.p99": "", "web.ok": "", "goodput@900s": "", "tail.bins@0s": "", "a.breaker.opened_at": "", "b.time.own": "", "b.replica_rps_1": "",

		"":                     `"" is no number of a result: choose abandoned,`,
		"hitz":                 `"hitz" is no number of a result: did you mean hits?`,
		"outcomes.faild":       `"outcomes.faild" is no number of a result: did you mean failed?`,
		"outcomes.hits":        `"outcomes.hits" is no number of a result: did you mean hits?`,
		"tial.peak":            `"tial.peak": there is no layer or route "tial": did you mean tail.peak?`,
		"gateway.requests":     `"gateway.requests": there is no layer or route "gateway": choose client, a, b, c, web, tail`,
		"tail.pek":             `"tail.pek": tail has no pek: did you mean tail.peak?`,
		"b.p99":                `"b.p99": only the latency of whole requests is recorded, not that of b: write client.p99, or b.time.total for the mean wait for it`,
		"tail.p99":             `"tail.p99": only the latency of whole requests is recorded, not that of tail: write client.p99, or tail.time.total for the mean wait for it`,
		"b.orphans":            `"b.orphans": orphans is of the whole run or its tail, not of b: write orphans, or choose amplification, attempts, expired, largest_rest_ms, late, requests, timed_out, wasted_rests of this layer`,
		"client.breaker.opend": `"client.breaker.opend": a breaker has no opend: did you mean client.breaker.opened?`,
		"client.braker.status": `"client.braker.status": "braker" is nothing that a layer is watched by: did you mean client.breaker?`,
		"web.atempts":          `"web.atempts": route web has no atempts: choose cancelled,`,
		"waves@2s":             `"waves" is not in bins: @ goes with bins, retry_bins and goodput, as in tail.bins@2s`,
		"bins@soon":            `"soon" is no instant: write a time after the release, as in bins@2s`,
		"bins@-2s":             `"-2s" is no instant: write a time after the release, as in bins@2s`,
	} {
		got := ""
		if err := CheckField(abc, name, "web"); err != nil {
			got = err.Error()
		}
		if got != want && !(strings.HasSuffix(want, ",") && strings.HasPrefix(got, want)) {
			t.Errorf("%q\n got  %s\n want %s", name, got, want)
		}
	}
}

// Whatever stands in a file, a condition is read or refused in one clear line, and
// one that is read is finite.
func FuzzCondition(f *testing.F) {
	for _, seed := range []string{"<= 3", "40..45", "always < 800ms", ">= 99%", "[50, 0]", "true", "closed", "1,000", "=<", "1e30", "..", "[", "< µs"} {
		for _, name := range []string{"hits", "web.p99", "ok", "tail.bins", "recovered", "client.breaker.status", "amplification", "bins@2s"} {
			f.Add(name, seed)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		known, err := findField(abc, []string{"web"}, name)
		if err == nil {
			var c condition
			if c, err = parseCondition(known, text); err == nil {
				for _, n := range append(slices.Clone(c.list), c.low, c.high) {
					if math.IsNaN(n) || math.IsInf(n, 0) {
						t.Errorf("%q of %q is %v", text, name, n)
					}
				}
				if c.op == ".." && c.low > c.high {
					t.Errorf("%q is %v to %v", text, c.low, c.high)
				}
			}
		}
		if err == nil {
			return
		}
		message := err.Error()
		if len(message) > 2000 || strings.ContainsFunc(message, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }) {
			t.Errorf("%q is no clear line", message)
		}
	})
}
