package program_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"labctl/faultserver/program"
)

func TestParse(t *testing.T) {
	ok := program.Action{Kind: program.OK, Status: 200}
	unavailable := program.Action{Kind: program.Status, Status: 503}
	slow, brief := unavailable, unavailable
	slow.Delay = 60 * time.Millisecond
	brief.Close = true

	for _, tt := range []struct {
		text, canonical string
		want            []program.Step
	}{
		{"503", "503", []program.Step{{Action: unavailable}}},
		{"503x2,ok", "503x2,ok", []program.Step{{Action: unavailable, Times: 2}, {Action: ok}}},
		{" 503x2 , ok ", "503x2,ok", []program.Step{{Action: unavailable, Times: 2}, {Action: ok}}},
		{"503:30%", "503:30%", []program.Step{{Action: unavailable, Chance: 300_000}}},
		{"503:0.25%", "503:0.25%", []program.Step{{Action: unavailable, Chance: 2_500}}},
		{"503:07.1000%", "503:7.1%", []program.Step{{Action: unavailable, Chance: 71_000}}},
		{"delay=60ms+503", "503+delay=60ms", []program.Step{{Action: slow}}},
		{"503+delay=60msx3", "503+delay=60msx3", []program.Step{{Action: slow, Times: 3}}},
		{"delay=1m30s", "ok+delay=1m30s", []program.Step{{Action: program.Action{Status: 200, Delay: 90 * time.Second}}}},
		{"delay=60m", "ok+delay=1h", []program.Step{{Action: program.Action{Status: 200, Delay: time.Hour}}}},
		{"delay=0s", "ok", []program.Step{{Action: ok}}},
		{"503@0s..120s", "503@0s..2m", []program.Step{{Action: unavailable, Window: program.Window{To: 2 * time.Minute}}}},
		{"429+retry-after=2", "429+retry-after=2", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RetryAfter: 2 * time.Second}}}},
		{"429+date-retry-after=2", "429+date-retry-after=2", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RetryAfter: 2 * time.Second, RetryAfterDate: true}}}},
		{"429+retry-after=007", "429+retry-after=7", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RetryAfter: 7 * time.Second}}}},
		{"429+raw-retry-after=7", "429+retry-after=7", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RetryAfter: 7 * time.Second}}}},
		{"429+retry-after=000", "429+retry-after=0", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RawRetryAfter: "0"}}}},
		{"429+retry-after=99999999999999999999", "429+retry-after=99999999999999999999", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RawRetryAfter: "99999999999999999999"}}}},
		{"429+raw-retry-after=-1", "429+raw-retry-after=-1", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RawRetryAfter: "-1"}}}},
		{"429+raw-retry-after=007", "429+raw-retry-after=007", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RawRetryAfter: "007"}}}},
		{"raw-retry-after=soonx2", "ok+raw-retry-after=soonx2", []program.Step{{Action: program.Action{Status: 200, RawRetryAfter: "soon"}, Times: 2}}},
		{"429+retry-after=9223372036", "429+retry-after=9223372036", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RetryAfter: math.MaxInt64 / time.Second * time.Second}}}},
		{"ok+body=65536", "ok+body=64KiB", []program.Step{{Action: program.Action{Status: 200, Body: 64 << 10}}}},
		{"body=1500B", "ok+body=1500B", []program.Step{{Action: program.Action{Status: 200, Body: 1500}}}},
		{"close", "close", []program.Step{{Action: program.Action{Kind: program.Close}}}},
		{"delay=60ms+close", "close+delay=60ms", []program.Step{{Action: program.Action{Kind: program.Close, Delay: 60 * time.Millisecond}}}},
		{"503+close", "503+close", []program.Step{{Action: brief}}},
		{"close+503", "503+close", []program.Step{{Action: brief}}},
		{"delay=uniform(10ms..1m)+503:30%@0s..2s", "503+delay=uniform(10ms..1m):30%@0s..2s", []program.Step{{
			Action: unavailable, Chance: 300_000, Window: program.Window{To: 2 * time.Second},
			Drawn: program.Distribution{Shape: program.UniformTime, A: 10 * msec, B: time.Minute},
		}}},
		{"delay=exponential(5ms)x3", "ok+delay=exponential(5ms)x3", []program.Step{{Action: ok, Times: 3, Drawn: program.Distribution{Shape: program.Exponential, A: 5 * msec}}}},
		{"delay=lognormal(50ms;.60)", "ok+delay=lognormal(50ms;0.6)", []program.Step{{Action: ok, Drawn: program.Distribution{Shape: program.LogNormal, A: 50 * msec, Sigma: 0.6}}}},
		{"delay=empirical(9ms; 1ms;2ms)", "ok+delay=empirical(1ms;2ms;9ms)", []program.Step{{Action: ok, Drawn: program.Distribution{Shape: program.Empirical, Values: []time.Duration{msec, 2 * msec, 9 * msec}}}}},
		{"truncate", "truncate", []program.Step{{Action: program.Action{Kind: program.Truncate, Status: 200}}}},
		{"body=4MiB+halfreset", "halfreset+body=4MiB", []program.Step{{Action: program.Action{Kind: program.HalfReset, Status: 200, Body: 4 << 20}}}},
		{"stall+delay=1s+body=2B", "stall+delay=1s+body=2B", []program.Step{{Action: program.Action{Kind: program.Stall, Status: 200, Delay: time.Second, Body: 2}}}},
		{"location=again+302+close", "302+location=again+close", []program.Step{{Action: program.Action{Kind: program.Status, Status: 302, Location: "again", Close: true}}}},
		{"308+location=/a?b=c&d+retry-after=1x2", "308+retry-after=1+location=/a?b=c&dx2", []program.Step{{
			Action: program.Action{Kind: program.Status, Status: 308, Location: "/a?b=c&d", RetryAfter: time.Second}, Times: 2,
		}}},
		{"malformed+delay=1s", "malformed+delay=1s", []program.Step{{Action: program.Action{Kind: program.Malformed, Delay: time.Second}}}},
		{"badchunk", "badchunk", []program.Step{{Action: program.Action{Kind: program.BadChunk, Status: 200}}}},
		{"lostx2", "lostx2", []program.Step{{Action: program.Action{Kind: program.Lost}, Times: 2}}},
		{"over=2s+slow+close", "slow+over=2s+close", []program.Step{{Action: program.Action{Kind: program.Slow, Status: 200, Over: 2 * time.Second, Close: true}}}},
		{"throttle=10/s", "throttle=10/s", []program.Step{{Action: program.Action{Kind: program.Throttle}, Rate: program.Rate{N: 10, Per: time.Second}}}},
		{"burst=5+throttle=90/m+delay=60ms", "throttle=90/m+delay=60ms+burst=5", []program.Step{{
			Action: program.Action{Kind: program.Throttle, Delay: 60 * msec}, Rate: program.Rate{N: 90, Per: time.Minute, Burst: 5},
		}}},
		{"refuse", "refuse", []program.Step{{Action: program.Action{Kind: program.Refuse}}}},
	} {
		got, err := program.Parse(tt.text)
		if want := (program.Program{Steps: tt.want}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v\nwant %+v", tt.text, got, err, want)
		}
		if got.String() != tt.canonical {
			t.Errorf("%s: canonical form %s, want %s", tt.text, got, tt.canonical)
		}
	}
}

// A prefix says whose turns the steps are.
func TestParsePrefix(t *testing.T) {
	for text, want := range map[string]struct {
		canonical  string
		each, conn bool
	}{
		"ok,close":          {"ok,close", false, false},
		"each: 503,ok":      {"each:503,ok", true, false},
		" conn: ok , close": {"conn:ok,close", false, true},
		"conn:503:30%":      {"conn:503:30%", false, true},
	} {
		p, err := program.Parse(text)
		if err != nil || p.Each != want.each || p.Conn != want.conn || p.String() != want.canonical {
			t.Errorf("%q: got %s, each %v, conn %v, %v; want %+v", text, p, p.Each, p.Conn, err, want)
		}
	}
}

// An error is one line that says which step, what is wrong and what to write.
func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", `no steps; write ok`},
		{"each:", `no steps; write ok`},
		{"conn: ", `no steps; write ok`},
		{"503,", `step 2 "": there is no action; known are ok, a status`},
		{"503,,ok", `step 2 "": there is no action`},
		{"503,rest", `step 2 "rest": unknown action "rest"; known are ok, a status such as 503, reset, close, hang, refuse, truncate, halfreset, malformed, badchunk, slow, stall, lost, throttle=10/s; did you mean reset?`},
		{"hnag", `did you mean hang?`},
		{"truncat", `did you mean truncate?`},
		{"099", `no status 99; use one from 200 to 599`},
		{"600", `no status 600; use one from 200 to 599`},
		{"103", `status 103 announces an answer and is none; use one from 200 to 599`},
		{"503+429", `503 and "429" are two actions; separate steps with a comma`},
		{"503++close", `a + joins an action and an option`},
		{"503+delya=1s", `unknown option "delya"; known are delay, over, retry-after, date-retry-after, raw-retry-after, location, body, burst, close; did you mean delay?`},
		{"503+delay", `503 and "delay" are two actions`},
		{"delay", `delay lacks its value; write for example delay=60ms`},
		{"503+delay=60", `delay "60" is not a duration from 0s to 1h; write for example delay=60ms, or delay=uniform(10ms..20ms)`},
		{"503+delay=-1s", `delay "-1s" is not`},
		{"503+delay=2h", `delay "2h" is not`},
		{"503+delay=1s+delay=2s", `delay stands twice; keep one`},
		{"503+delay=uniform:10ms..20ms", `a distribution has parentheses; write for example delay=uniform(10ms..20ms)`},
		{"503+delay=normal(5ms)", `delay: unknown distribution "normal": choose a duration, uniform(10ms..20ms), exponential(5ms), lognormal(50ms;0.6) or empirical(1ms;2ms;9ms)`},
		{"503+delay=uniform(5ms)", `write it as uniform(10ms..20ms)`},
		{"503+delay=uniform(20ms..10ms)", `delay: uniform:20ms..10ms ends before it begins`},
		{"503+delay=uniform(1s..2h)", `delay "uniform(1s..2h)" goes beyond 1h; write shorter times`},
		{"503+delay=empirical(1ms,2ms)", `step 1 "503+delay=empirical(1ms": delay: "empirical(1ms" has no closing parenthesis: write it as empirical(1ms;2ms;9ms)`},
		{"hang+delay=exponential(1s)", `hang never answers`},
		{"429+retry-after=2s", `retry-after "2s" is not a number of whole seconds; write for example retry-after=2, or raw-retry-after=soon for text`},
		{"429+retry-after=", `retry-after "" is not`},
		{"429+date-retry-after=0", `date-retry-after "0" is not a number of whole seconds from 1`},
		{"429+date-retry-after=9223372037", `from 1 to 9223372036`},
		{"429+raw-retry-after=in a while", `raw-retry-after "in a while" is not visible ASCII without spaces`},
		{"429+raw-retry-after=", `raw-retry-after "" is not`},
		{"429+raw-retry-after", `429 and "raw-retry-after" are two actions`},
		{"raw-retry-after", `raw-retry-after lacks its value; write for example raw-retry-after=soon`},
		{"429+retry-after=1+raw-retry-after=soon", `retry-after and raw-retry-after are one header; keep one`},
		{"ok+over=1s", `over is the time of a slow body; write slow+over=2s`},
		{"slow+over=0s", `over "0s" is not a duration above 0s and up to 1h`},
		{"slow+over=61m", `over "61m" is not`},
		{"slow+body=0B", `slow is about a body; give it one or leave body out for 1KiB`},
		{"truncate+body=0B", `truncate is about a body`},
		{"truncate+retry-after=1", `truncate stops within its answer; keep at most a delay and a body`},
		{"halfreset+close", `halfreset stops within its answer`},
		{"stall+close", `stall stops within its answer; keep at most a delay and a body`},
		{"stall+body=0B", `stall is about a body`},
		{"stal", `did you mean stall?`},
		{"302+location=", `location "" is not visible ASCII without spaces; write for example location=again`},
		{"302+location=a b", `location "a b" is not`},
		{"302+location", `302 and "location" are two actions`},
		{"location", `location lacks its value; write for example location=again`},
		{"location=again", `location is where a redirect goes; write 302+location=again`},
		{"503+location=again", `location is where a redirect goes`},
		{"stall+location=again", `location is where a redirect goes`},
		{"throttle=1/s+location=again", `location is where a redirect goes`},
		{"302+location=a+location=b", `location stands twice`},
		{"302+location=http://127.0.0.1/", `a colon begins a chance, so a location is a reference without one; write for example 302+location=again`},
		{"malformed+body=1B", `malformed sends no answer that could carry options`},
		{"badchunk+retry-after=0", `badchunk sends no answer that could carry options`},
		{"lost+raw-retry-after=soon", `lost sends no answer that could carry options`},
		{"throttle", `throttle lacks its value; write for example throttle=10/s`},
		{"throttle=10", `throttle "10" is not a rate from 1 to 1000000 per second (/s) or minute (/m)`},
		{"throttle=0/s", `throttle "0/s" is not`},
		{"throttle=10/h", `throttle "10/h" is not`},
		{"throttle=1000001/s", `throttle "1000001/s" is not`},
		{"throttle=1/s+throttle=2/s", `throttle=1/s and "throttle=2/s" are two actions`},
		{"throttle=1/s+burst=0", `burst "0" is not a number from 1 to 1000000`},
		{"throttle=1/s+retry-after=5", `a throttle works out its own Retry-After; drop retry-after`},
		{"503+burst=2", `burst belongs to a throttle; write throttle=10/s+burst=5`},
		{"429+retry-after=1+date-retry-after=1", `are one header; keep one`},
		{"ok+body=64kB", `body "64kB" is not a size from 0B to 64MiB in B, KiB or MiB`},
		{"ok+body=65MiB", `body "65MiB" is not`},
		{"204+body=1B", `a 204 answer has no body; drop body`},
		{"503+close=1", `close takes no value; write +close`},
		{"close+close", `close stands twice; keep one`},
		{"reset+body=1B", `reset sends no answer that could carry options`},
		{"reset+close", `reset sends no answer that could carry options`},
		{"hang+delay=1s", `hang never answers`},
		{"503x0", `count "x0" is not a number from 1 to 1000000000; write for example x2`},
		{"503x-1", `count "x-1" is not`},
		{"503x", `count "x" is not`},
		{"503x1000000001", `count "x1000000001" is not`},
		{"503:30", `chance "30" is not a percentage above 0 and up to 100`},
		{"503:0%", `chance "0%" is not`},
		{"503:100.0001%", `chance "100.0001%" is not`},
		{"503:1.00001%", `at most 4 decimals`},
		{"503:.5%", `chance ".5%" is not`},
		{"503x2:30%", `a count and a chance together are not a step`},
		{"503:30%x2", `a count and a chance together are not a step`},
		{"503,each:ok", `step 2 "each:ok": each: stands once, before the first step`},
		{"503,conn:ok", `step 2 "conn:ok": conn: stands once, before the first step; move it to the front`},
		{"conn:conn:ok", `conn: stands once`},
		{"each:conn:ok", `each: counts turns by request and conn: by connection; keep one of them`},
		{"conn: each:ok", `keep one of them`},
		{"503@2s", `window "2s" is not from..to in durations; write for example @0s..2s`},
		{"503@0..2", `window "0..2" is not from..to`},
		{"503@2s..2s", `window "2s..2s" is empty`},
		{"503@-1s..2s", `window "-1s..2s" starts before the release`},
		{"503,refuse", `step 2 "refuse": a closed port cannot take turns`},
		{"refuse@0s..1s", `a closed port cannot take turns`},
		{"refuse+retry-after=0", `a closed port cannot take turns`},
		{"refuse+delay=uniform(1s..2s)", `a closed port cannot take turns`},
		{"refuse+delay=1s", `a closed port cannot take turns`},
		{"refusex2", `a closed port cannot take turns`},
		{"each:refuse", `a closed port cannot take turns`},
		{"conn:refuse", `a closed port cannot take turns`},
		{"refuse+location=again", `a closed port cannot take turns`},
		{strings.Repeat("503,", program.MaxSteps) + "ok", `more than 256 steps; give repeated steps a count`},
		{strings.Repeat(" ", program.MaxLength+1), `4097 bytes long, the limit is 4096`},
	} {
		p, err := program.Parse(tt.text)
		switch {
		case err == nil:
			t.Errorf("%q: read as %s, want an error with %q", tt.text, p, tt.want)
		case !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%q:\n got %s\nwant %s", tt.text, err, tt.want)
		case !strings.HasPrefix(err.Error(), "fault program: "):
			t.Errorf("%q: %s does not say that it is about a fault program", tt.text, err)
		}
	}
}

func TestMustParsePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic on a bad program")
		}
	}()
	program.MustParse("nonsense")
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"503", "each:503x2,ok", "ok,503:30%", "delay=60ms+503", "429+retry-after=2", "503@0s..2s,ok",
		"close+body=64KiB+503x3@1m..2h", "reset,close,hang", "refuse", "429+date-retry-after=7:0.0001%",
		"truncate,halfreset+body=4MiB,malformed,badchunk,lost", "slow+over=2s+body=1B", "throttle=10/s+burst=5,throttle=90/m:50%",
		"delay=uniform(10ms..20ms),delay=exponential(5ms)x3", "503+delay=lognormal(50ms;0.6):30%,delay=empirical(1ms;2ms;9ms)",
		"conn:ok,close", "conn:stall+body=1B:30%,302+location=againx2,307+close+location=/@0s..1s",
		"429+retry-after=0,429+retry-after=99999999999999999999", "429+raw-retry-after=-1x2,429+raw-retry-after=007",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := program.Parse(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("error of more than one line: %q", err)
			}
			return
		}
		again, err := program.Parse(p.String())
		if err != nil || !reflect.DeepEqual(again, p) || again.String() != p.String() {
			t.Fatalf("%q: canonical form %q reads as %+v, %v; want %+v", text, p, again, err, p)
		}
		s, place := program.NewState(p), program.Place{}
		for i := range time.Duration(5) {
			at, luck := i*time.Second, uint64(i)<<61
			a := s.Next("id", at, luck)
			if p.Conn {
				a = s.NextOn(&place, at, luck)
			}
			if a.Kind == program.Throttle || a.Delay < 0 || a.Delay > program.MaxDelay {
				t.Fatalf("%q: a request met %+v", text, a)
			}
		}
	})
}
