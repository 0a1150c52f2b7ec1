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
		{"429+retry-after=9223372036", "429+retry-after=9223372036", []program.Step{{Action: program.Action{Kind: program.Status, Status: 429, RetryAfter: math.MaxInt64 / time.Second * time.Second}}}},
		{"ok+body=65536", "ok+body=64KiB", []program.Step{{Action: program.Action{Status: 200, Body: 64 << 10}}}},
		{"body=1500B", "ok+body=1500B", []program.Step{{Action: program.Action{Status: 200, Body: 1500}}}},
		{"close", "close", []program.Step{{Action: program.Action{Kind: program.Close}}}},
		{"delay=60ms+close", "close+delay=60ms", []program.Step{{Action: program.Action{Kind: program.Close, Delay: 60 * time.Millisecond}}}},
		{"503+close", "503+close", []program.Step{{Action: brief}}},
		{"close+503", "503+close", []program.Step{{Action: brief}}},
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

// An error is one line that says which step, what is wrong and what to write.
func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", `no steps; write ok`},
		{"each:", `no steps; write ok`},
		{"503,", `step 2 "": there is no action; known are ok, a status`},
		{"503,,ok", `step 2 "": there is no action`},
		{"503,rest", `step 2 "rest": unknown action "rest"; known are ok, a status such as 503, reset, close, hang, refuse; did you mean reset?`},
		{"hnag", `did you mean hang?`},
		{"truncate", `unknown action "truncate"; known are`},
		{"099", `no status 99; use one from 200 to 599`},
		{"600", `no status 600; use one from 200 to 599`},
		{"103", `status 103 announces an answer and is none; use one from 200 to 599`},
		{"503+429", `503 and "429" are two actions; separate steps with a comma`},
		{"503++close", `a + joins an action and an option`},
		{"503+delya=1s", `unknown option "delya"; known are delay, retry-after, date-retry-after, body, close; did you mean delay?`},
		{"503+delay", `503 and "delay" are two actions`},
		{"delay", `delay lacks its value; write for example delay=60ms`},
		{"503+delay=60", `delay "60" is not a duration from 0s to 1h; write for example delay=60ms`},
		{"503+delay=-1s", `delay "-1s" is not`},
		{"503+delay=2h", `delay "2h" is not`},
		{"503+delay=1s+delay=2s", `delay stands twice; keep one`},
		{"429+retry-after=2s", `retry-after "2s" is not a number of whole seconds from 1`},
		{"429+retry-after=0", `retry-after "0" is not`},
		{"429+retry-after=9223372037", `from 1 to 9223372036`},
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
		{"503@2s", `window "2s" is not from..to in durations; write for example @0s..2s`},
		{"503@0..2", `window "0..2" is not from..to`},
		{"503@2s..2s", `window "2s..2s" is empty`},
		{"503@-1s..2s", `window "-1s..2s" starts before the release`},
		{"503,refuse", `step 2 "refuse": a closed port cannot take turns`},
		{"refuse@0s..1s", `a closed port cannot take turns`},
		{"refuse+delay=1s", `a closed port cannot take turns`},
		{"refusex2", `a closed port cannot take turns`},
		{"each:refuse", `a closed port cannot take turns`},
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
		s := program.NewState(p)
		for i := range time.Duration(5) {
			s.Next("id", i*time.Second, uint64(i)<<61)
		}
	})
}
