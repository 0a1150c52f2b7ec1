package card

import (
	"bytes"
	"strings"
	"testing"

	"labctl/audit"
)

func TestSpans(t *testing.T) {
	for _, tt := range []struct {
		ms   []float64
		want string
	}{
		{nil, ""},
		{[]float64{0}, "0 ms"},
		{[]float64{0.44}, "0.4 ms"},
		{[]float64{1008, 2008, 4024}, "1.01, 2.01, 4.02 s"},
		{[]float64{0.4, 134.4, 999.4, 1000}, "0.4, 134, 999 ms, 1 s"},
		{[]float64{119_000, 120_000}, "119 s, 2 min"},
		{[]float64{7_200_000, 172_800_000}, "2 h, 2 d"},
		{[]float64{1, 2, 3, 4, 5, 6, 7}, "1, 2, 3, 4, 5 ms … of 7"},
	} {
		if got := spans(tt.ms, 5); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.ms, got, tt.want)
		}
	}
}

func TestAttemptsCell(t *testing.T) {
	for _, tt := range []struct {
		row  audit.Row
		want string
	}{
		{audit.Row{Hits: 1}, "1 (0)"},
		{audit.Row{Hits: 4}, "4 (3)"},
		{audit.Row{Hits: 0}, "0"},
		{audit.Row{Unasked: true}, "–"},
		{audit.Row{Hits: 28, Hidden: 12}, "16+12 (15)"},
		{audit.Row{Hits: 1, Uncounted: true}, "≥1 (0)"},
		{audit.Row{Hits: 4, Seen: []int{4, 1, 4}}, "1 or 4"},
		{audit.Row{Hits: 4, Seen: []int{4, 1, 3}}, "1 to 4"},
		{audit.Row{Hits: 4, Seen: []int{4, 4}}, "4 (3)"},
		{audit.Row{Hits: 8, Unclear: true}, "8 hits"},
		{audit.Row{Hits: 8, Seen: []int{4, 8}, Unclear: true}, "4 or 8 hits"},
		{audit.Row{Fault: "redirect loop", Hits: 51}, "50 redirects"},
		{audit.Row{Fault: "302+location=again", Hits: 2}, "1 redirect"},
		{audit.Row{Fault: "redirect loop", Hits: 0}, "0 redirects"},
	} {
		if got := attemptsCell(tt.row); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.row, got, tt.want)
		}
	}
}

func TestAttemptsText(t *testing.T) {
	for _, tt := range []struct {
		policy audit.Policy
		want   string
	}{
		{audit.Policy{}, "not decided how many"},
		{audit.Policy{Attempts: 1}, "1 attempt (0 retries): it repeats nothing by itself"},
		{audit.Policy{Attempts: 1, Overlaps: []string{"hang"}}, "1 attempt (0 retries) where an answer comes"},
		{audit.Policy{Attempts: 2, On: []string{"503"}}, "2 attempts (1 retry) on 503"},
		{audit.Policy{Attempts: 4, OnlyWithRetryAfter: []string{"429", "503"}}, "4 attempts (3 retries) on 429, 503 only where the answer has Retry-After"},
		{audit.Policy{Attempts: 1, AtLeast: true, On: []string{"hang"}}, "at least 1 attempt (0 retries) on hang; something else ended it before a number did"},
	} {
		if got := attemptsText(tt.policy); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestMethodsText(t *testing.T) {
	get, post := audit.MethodRule{Method: "GET", Retried: "yes"}, audit.MethodRule{Method: "POST", Retried: "yes"}
	for _, tt := range []struct {
		rules []audit.MethodRule
		want  string
	}{
		{[]audit.MethodRule{get}, ""},
		{[]audit.MethodRule{get, post}, "POST is repeated as GET is"},
		{[]audit.MethodRule{post, {Method: "PUT", Retried: "yes"}}, "all this is about POST; PUT is repeated as POST is"},
		{[]audit.MethodRule{{Method: "GET"}, {Method: "POST", Retried: "no"}}, "GET: not decided; POST is never repeated"},
		{[]audit.MethodRule{get, {Method: "POST", Key: true, Retried: "503, reset"}}, "POST with key is repeated on 503, reset only"},
	} {
		if got := methodsText(tt.rules); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestRestsText(t *testing.T) {
	for _, tt := range []struct {
		attempts int
		rest     audit.Rest
		want     string
	}{
		{3, audit.Rest{BaseMS: 1040, Factor: 1.94, LongestMS: 2130, Samples: 48, SpreadPercent: 5.4},
			"from 1.04 s, growth not decided (of two rests the second is 1.94 times the first), no cap up to 2.13 s, jitter not decided, though gaps differ by ± 5.4% (from 48 gaps)"},
		{2, audit.Rest{BaseMS: 1000, LongestMS: 1004, Jitter: "none", Confidence: 1, Samples: 3},
			"from 1 s, growth not decided, no jitter (confidence 1 from 3 gaps)"},
		{4, audit.Rest{BaseMS: 14, LongestMS: 23, Samples: 48},
			"from 14 ms, growth not decided, jitter not decided (from 48 gaps)"},
		{5, audit.Rest{BaseMS: 100, LongestMS: 900, Jitter: "decorrelated", Confidence: 1, Samples: 96},
			"from 100 ms, growth not decided, no cap up to 900 ms, decorrelated jitter (confidence 1 from 96 gaps)"},
	} {
		got := restsText(audit.Audit{Policy: audit.Policy{Attempts: tt.attempts, Rest: &tt.rest}})
		if got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestRetryAfterText(t *testing.T) {
	for _, tt := range []struct {
		rule audit.RetryAfterRule
		want string
	}{
		{audit.RetryAfterRule{}, "not decided"},
		{audit.RetryAfterRule{Seconds: "exact", Date: "early", EarlyMS: 600, Huge: "overflow"}, "exact; as a date: too early; huge: overflows, comes at once"},
		{audit.RetryAfterRule{Seconds: "early", EarlyMS: 200}, "too early by 200 ms"},
		{audit.RetryAfterRule{Seconds: "exact", Huge: "clamped", ClampMS: 10_000}, "exact, at most 10 s; huge: clamped"},
	} {
		if got := retryAfterText(&tt.rule); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestProductText(t *testing.T) {
	two := func(hits, hidden int) audit.Chain {
		return audit.Chain{Hits: hits, Layers: []audit.Layer{{Name: "curl", Factor: 3, Hidden: hidden}, {Name: "nginx", Factor: 2}}}
	}
	for _, tt := range []struct {
		chain audit.Chain
		want  string
	}{
		{two(6, 0), "curl → nginx: 3 × 2 = 6 at the tail"},
		{two(8, 1), "curl → nginx: 3 × 2 = 6, and 2 more by hidden replays on reused connections: 8 at the tail"},
		{two(8, 0), "curl → nginx: 3 × 2 = 6, and 2 more that no layer explains: 8 at the tail"},
		{two(3, 0), "curl → nginx: 3 × 2 = 6, but only 3 at the tail: a layer holds attempts back"},
		{audit.Chain{Hits: 4, Layers: []audit.Layer{{Name: "curl", Factor: 4}}}, "curl: 4 at the tail"},
	} {
		if got := productText(tt.chain); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestCommandLine(t *testing.T) {
	got := commandLine([]string{"curl", "-d", "{body}", "-H", "a: b", "it's", ""})
	if want := `curl -d {body} -H 'a: b' 'it'\''s' ''`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Faults share a row only where nothing about them differs.
func TestFolding(t *testing.T) {
	rows := []audit.Row{
		row("500", 0, "gave up", 1000, 2000), row("502", 0, "gave up", 1090, 2050), // alike
		row("503", 0, "gave up", 1000, 2500),   // another gap
		row("504", 22, "gave up", 1000, 2000),  // another exit
		row("reset", 0, "gave up", 1000, 2000), // another kind of fault
		row("408", 0, "gave up", 1000),         // fewer attempts
	}
	var got []string
	for _, r := range foldedTable(rows, 0).rows {
		got = append(got, r[0]+": "+r[2])
	}
	want := "500, 502: ≈ 1, 2 s|503: 1, 2.5 s|504: 1, 2 s|reset: 1, 2 s|408: 1 s"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
}

func TestFileName(t *testing.T) {
	for _, tt := range []struct{ subject, version, want string }{
		{"curl --retry 3", "7.88.1", "curl-retry-3-7.88.1"},
		{"Go net/http", "", "go-net-http"},
		{"../../etc/passwd", "..", "etc-passwd"},
		{"]()<x>", "", "x"},
		{"…", "", "audit"},
		{strings.Repeat("x", 300), "", strings.Repeat("x", 200)},
	} {
		if got := FileName(audit.Audit{Subject: tt.subject, Version: tt.version}); got != tt.want {
			t.Errorf("%s %s: got %q, want %q", tt.subject, tt.version, got, tt.want)
		}
	}
}

func TestIndexIsSorted(t *testing.T) {
	named := func(subject, version string) audit.Audit { return audit.Audit{Subject: subject, Version: version} }
	var b bytes.Buffer
	if err := Index(&b, []audit.Audit{named("wget", "1"), named("curl", "7.88.1"), named("Curl", "7.9"), named("curl", "10.0")}); err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, file := range []string{"(curl-7.9.md)", "(curl-7.88.1.md)", "(curl-10.0.md)", "(wget-1.md)"} {
		i := strings.Index(b.String(), file)
		if i <= at {
			t.Errorf("%s is not where it belongs:\n%s", file, b.String())
		}
		at = i
	}
}

func TestIndexRefusesTwoOfAName(t *testing.T) {
	err := Index(&bytes.Buffer{}, []audit.Audit{{Subject: "a b"}, {Subject: "a-b"}})
	want := `"a b" and "a-b" would have the same file a-b.md: keep one, or give the other a subject of its own`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
