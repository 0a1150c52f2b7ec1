package live_test

import (
	"testing"

	"labctl/report"
)

// A fault means the same over TCP and over pipes: to the policy that sees it,
// to the layer above, which gets a gateway's answer, and to the counts.
func TestFaultsClassifyAlike(t *testing.T) {
	failed := report.Outcomes{Failed: 1}
	for _, tt := range []struct {
		what, fault string
		settings    []string
		hits        int64
		words       string // outcomes of b's callers
		above       string // what the client saw of a
		outcomes    report.Outcomes
	}{
		{"an answer", "ok", nil, 1, "200", "200", report.Outcomes{OK: 1}},
		{"a status that may go away", "503", nil, 3, "503 503 503", "503", failed},
		{"a status that will not", "404", nil, 1, "404", "404", failed},
		{"an answer with a body", "503+body=100KiB", nil, 3, "503 503 503", "503", failed},
		{"an answer that closes its connection", "503+close", nil, 3, "503 503 503", "503", failed},
		{"RST", "reset", nil, 3, "reset reset reset", "502", failed},
		{"RST after a while", "delay=1ms+reset", nil, 3, "reset reset reset", "502", failed},
		{"FIN without an answer", "close", nil, 3, "reset reset reset", "502", failed},
		{"FIN on a connection that had worked", "503,close", nil, 3, "503 reset reset", "502", failed},
		{"RST on a connection that had worked", "503,reset", nil, 3, "503 reset reset", "502", failed},
		{"a closed port", "refuse", nil, 3, "refused refused refused", "502", failed},
		{"half an answer, and a caller that has enough of it", "stall", []string{"services.a.calls.b.timeout=20ms"}, 3, "cancelled cancelled cancelled", "504", failed},
		{"a redirect, which is an answer like others", "302+location=again", nil, 1, "302", "302", report.Outcomes{OK: 1}},
		{"no answer, and a caller that has enough of it", "hang", []string{"services.a.calls.b.timeout=20ms"}, 3, "cancelled cancelled cancelled", "504", failed},
	} {
		for net, n := range networks() {
			t.Run(tt.what+" over "+net, func(t *testing.T) {
				o := run(t, lab(t, []int{1, 3}, append(tt.settings, "services.b.fault="+tt.fault)...), n)
				equal(t, "hits", o.Hits, tt.hits)
				equal(t, "what a saw of b", o.words("b"), tt.words)
				equal(t, "what the client saw of a", o.words("a"), tt.above)
				equal(t, "outcomes", o.Outcomes, tt.outcomes)
				equal(t, "first and other hits", o.HitKinds.First+o.HitKinds.Retry, tt.hits)
				equal(t, "attempts without a hit", o.warning("hits-differ-from-attempts"), "")
			})
		}
	}
}

// Three attempts meet each kind of failure; only what may go away is tried
// again.
func TestWhatIsTriedAgain(t *testing.T) {
	for fault, hits := range map[string]int64{
		"502": 3, "503": 3, "504": 3, "408": 3, "425": 3, "429": 3, "reset": 3, "close": 3, "refuse": 3,
		"400": 1, "401": 1, "403": 1, "404": 1, "422": 1, "500": 1, "501": 1, "301": 1, "204": 1,
	} {
		for net, n := range networks() {
			equal(t, fault+" over "+net, run(t, lab(t, []int{3}, "services.a.fault="+fault), n).Hits, hits)
		}
	}
}

// Nothing behind a closed port can count: the dials do, and the result says so.
func TestRefusedHitsAreCountedByTheCaller(t *testing.T) {
	for net, n := range networks() {
		o := run(t, lab(t, []int{3}, "load.herd.clients=5", "services.a.fault=refuse"), n)
		equal(t, net+": hits", o.Hits, 15)
		equal(t, net+": attempts", o.attempts(), 15)
		equal(t, net+": first wave", o.FirstWave, 5)
		equal(t, net+": retries", o.HitKinds.Retry, 10)
		equal(t, net+": warning", o.warning("refused-not-counted"),
			"15 hits on a are refused connections that its callers saw: nothing behind a closed port can count")
		equal(t, net+": mismatch", o.warning("hits-differ-from-attempts"), "")
	}
}

// A filter and a request that is not safe to repeat hold a retry back.
func TestWhatIsNotTriedAgain(t *testing.T) {
	const retry = "services.client.calls.a.retry."
	for _, tt := range []struct {
		what     string
		settings []string
		hits     int64
	}{
		{"a filter of other outcomes", []string{retry + "on=[502,timeout]"}, 1},
		{"a filter of this one", []string{retry + "on=5xx"}, 3},
		{"a POST, where only what is safe is repeated", []string{retry + "repeatable_only=true", "load.method=POST"}, 1},
		{"with a key it is safe", []string{retry + "repeatable_only=true", "load.method=POST", "load.key=true"}, 3},
		{"a PUT is safe by itself", []string{retry + "repeatable_only=true", "load.method=PUT"}, 3},
		{"as is a GET", []string{retry + "repeatable_only=true"}, 3},
		{"who does not ask repeats a POST", []string{"load.method=POST"}, 3},
	} {
		for net, n := range networks() {
			equal(t, tt.what+" over "+net, run(t, lab(t, []int{3}, tt.settings...), n).Hits, tt.hits)
		}
	}
	// The method and the key travel down: a retries what the client may repeat.
	for net, n := range networks() {
		down := []string{"services.a.calls.b.retry.repeatable_only=true", "load.method=POST"}
		equal(t, net+": a POST one hop down", run(t, lab(t, []int{1, 3}, down...), n).Hits, 1)
		equal(t, net+": with a key", run(t, lab(t, []int{1, 3}, append(down, "load.key=true")...), n).Hits, 3)
	}
}

// A fault with a probability falls on the same attempts however they are
// scheduled, and over either network.
func TestChanceIsLuckOfTheAttempt(t *testing.T) {
	top := lab(t, []int{2, 2}, "load.herd.clients=40", "services.b.fault=503:30%")
	var want string
	for net, n := range networks() {
		for range 3 {
			o := run(t, top, n)
			got := text(o.requests())
			if want == "" {
				want = got
			}
			equal(t, net, got, want)
		}
	}
}
