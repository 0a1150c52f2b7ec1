package trace

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// drawn is a trace in a line per span: id, parent, kind, service, start-end, and what
// it says: a status, again=N, to=ADDRESS, or a name.
func drawn(t *testing.T, lines string) (spans []Span) {
	t.Helper()
	kinds := map[string]Kind{"server": Server, "client": Client, "in": Internal}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		var id, parent uint64
		var kind, service string
		s := Span{Trace: TraceID{1}, Name: "GET"}
		if _, err := fmt.Sscanf(line, "%d %d %s %s %d-%d", &id, &parent, &kind, &service, &s.Start, &s.End); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		binary.BigEndian.PutUint64(s.ID[:], id)
		binary.BigEndian.PutUint64(s.Parent[:], parent)
		s.Kind, s.Service = kinds[kind], service
		for _, word := range strings.Fields(line)[5:] {
			key, value, pair := strings.Cut(word, "=")
			switch {
			case key == "again":
				s.Attributes = append(s.Attributes, Attribute{ResendCount, value})
			case key == "to":
				s.Attributes = append(s.Attributes, Attribute{ServerAddress, value})
			case pair:
				t.Fatalf("%q", word)
			case word >= "100" && word <= "599":
				s.Attributes = append(s.Attributes, Attribute{HTTPStatus, word})
			default:
				s.Name = word
			}
		}
		spans = append(spans, s)
	}
	return spans
}

// said is a report in short: paths with their amplification, layers with what repeated,
// codes of notes.
func said(r Report) string {
	var words []string
	for _, p := range r.Paths {
		words = append(words, fmt.Sprintf("%s %v", strings.Join(p.Services, ">"), p.Amplification))
	}
	for _, l := range r.Layers {
		words = append(words, fmt.Sprintf("%s>%s: %d calls %d attempts %d retries(%d) %d at once %d hidden", l.From, l.To, l.Calls, l.Attempts, l.Retries, l.Inferred, l.Overlapping, l.Hidden))
	}
	for _, n := range r.Notes {
		words = append(words, n.Code)
	}
	return strings.Join(words, "; ")
}

func TestAnalyze(t *testing.T) {
	for _, tt := range []struct{ sentence, spans, want string }{
		{"two calls in turn, both good, are two calls", `
			1 0 in a 0-9
			2 1 client a 1-2 200 to=b
			3 1 client a 3-4 200 to=b`,
			"a 1; a>b 2; a>b: 2 calls 2 attempts 0 retries(0) 0 at once 0 hidden"},
		{"a call after a failed one is a retry", `
			1 0 in a 0-9
			2 1 client a 1-2 503 to=b
			3 1 client a 3-4 200 to=b`,
			"a 1; a>b 2; a>b: 1 calls 2 attempts 1 retries(1) 0 at once 0 hidden; inferred"},
		{"but not one for something else", `
			1 0 in a 0-9
			2 1 client a 1-2 503 to=b
			3 1 client a 3-4 200 to=b PUT`,
			"a 1; a>b 2; a>b: 2 calls 2 attempts 0 retries(0) 0 at once 0 hidden"},
		{"one that counts is a retry whatever came before", `
			1 0 in a 0-9
			2 1 client a 1-2 200 to=b
			3 1 client a 3-4 200 to=b again=1`,
			"a 1; a>b 2; a>b: 1 calls 2 attempts 1 retries(0) 0 at once 0 hidden"},
		{"two layers of retries in one service", `
			1 0 in a 0-90
			2 1 client a 1-2 503 to=b
			3 1 client a 3-4 503 to=b again=1
			4 1 client a 5-6 503 to=b
			5 1 client a 7-8 503 to=b again=1`,
			"a 1; a>b 4; a>b: 1 calls 4 attempts 3 retries(1) 0 at once 0 hidden; inferred"},
		{"a redirect is followed and not retried", `
			1 0 in a 0-9
			2 1 client a 1-2 302 to=b
			3 1 client a 3-4 200 to=b again=1`,
			"a 1; a>b 2; a>b: 1 calls 2 attempts 0 retries(0) 0 at once 0 hidden"},
		{"a copy while the first runs is a hedge, or another call", `
			1 0 in a 0-9
			2 1 client a 1-8 200 to=b
			3 1 client a 3-4 200 to=b`,
			"a 1; a>b 2; a>b: 2 calls 2 attempts 0 retries(0) 1 at once 0 hidden; overlapping"},
		{"attempts at one instant are in the order of their counts", `
			1 0 in a 0-0
			4 1 client a 0-0 503 to=b again=2
			3 1 client a 0-0 503 to=b again=1
			2 1 client a 0-0 503 to=b`,
			"a 1; a>b 3; a>b: 1 calls 3 attempts 2 retries(0) 0 at once 0 hidden"},
		{"a span around the attempts is no attempt", `
			1 0 in a 0-9
			2 1 client a 0-9 Sent
			3 2 client a 1-2 503 to=b
			4 3 server b 1-2 503
			5 2 client a 3-4 200 to=b again=1
			6 5 server b 3-4 200`,
			"a 1; a>b 2; a>b: 1 calls 2 attempts 1 retries(0) 0 at once 0 hidden"},
		{"a sidecar without spans repeats unseen", `
			1 0 in a 0-9
			2 1 client a 1-8 200 to=b
			3 2 server b 2-3 503
			4 2 server b 4-5 200`,
			"a 1; a>b 2; a>b: 1 calls 1 attempts 0 retries(0) 0 at once 1 hidden; hidden-replays"},
		{"a sidecar with spans is a layer", `
			1 0 in a 0-9
			2 1 client a 1-8 200 to=b
			3 2 client envoy 2-3 503 to=b
			4 3 server b 2-3 503
			5 2 client envoy 4-5 200 to=b again=1
			6 5 server b 4-5 200`,
			"a 1; a>envoy 1; a>envoy>b 2; a>envoy: 1 calls 1 attempts 0 retries(0) 0 at once 0 hidden; envoy>b: 1 calls 2 attempts 1 retries(0) 0 at once 0 hidden"},
		{"both sides of a call under one id", `
			1 0 server a 0-9
			2 1 client a 1-8 200 to=b
			2 1 server b 2-7 200
			3 2 client b 3-4 200 to=c`,
			"a 1; a>b 1; a>b>c 1; a>b: 1 calls 1 attempts 0 retries(0) 0 at once 0 hidden; b>c: 1 calls 1 attempts 0 retries(0) 0 at once 0 hidden; untraced-callers"},
		{"an attempt that did not arrive is for whom its address says", `
			1 0 in a 0-9
			2 1 client a 1-2 503 to=10.0.0.1
			3 1 client a 3-4 200 to=10.0.0.1
			4 3 server b 3-4 200`,
			"a 1; a>b 1; a>b: 1 calls 2 attempts 1 retries(1) 0 at once 0 hidden; attempts-without-server; inferred"},
		{"attempts that are missing are said", `
			1 0 in a 0-9
			2 1 client a 1-2 503 to=b
			3 1 client a 8-9 503 to=b again=3`,
			"a 1; a>b 2; a>b: 1 calls 2 attempts 1 retries(0) 0 at once 0 hidden; missing-attempts"},
		{"a trace that begins with a call", `
			1 0 client a 1-2 503 to=b`,
			"a 1; a>b 1; a>b: 1 calls 1 attempts 0 retries(0) 0 at once 0 hidden; calls-without-request"},
		{"parents of each other", `
			1 2 in a 0-9
			2 1 in a 0-9
			3 0 in a 0-1`,
			"a 1; loops"},
	} {
		if got := said(Analyze(drawn(t, tt.spans))); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.sentence, got, tt.want)
		}
	}
}

// A way that never ends is cut, and said to be.
func TestDeepTraces(t *testing.T) {
	var spans []Span
	for i := range 200 {
		s := Span{Trace: TraceID{1}, Service: fmt.Sprint("s", i), Kind: Server}
		binary.BigEndian.PutUint64(s.ID[:], uint64(i+1))
		binary.BigEndian.PutUint64(s.Parent[:], uint64(i))
		spans = append(spans, s)
	}
	r := Analyze(spans)
	if len(r.Paths) != mostDeep || r.Notes[len(r.Notes)-1].Code != "deep" {
		t.Errorf("%d paths, notes %+v", len(r.Paths), r.Notes)
	}
}

// A number of resends that nobody makes is nonsense, and none is counted.
func TestNonsensicalResends(t *testing.T) {
	for value, want := range map[string]int64{"2": 2, "1000000": 1_000_000, "1000001": 0, "9223372036854775807": 0, "-1": 0} {
		s := Span{Attributes: []Attribute{{Key: ResendCount, Value: value}}}
		if got := s.resends(); got != want {
			t.Errorf("%s: %d, want %d", value, got, want)
		}
	}
}
