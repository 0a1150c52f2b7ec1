package main

import (
	"strings"
	"testing"
	"time"

	"labctl/audit"
)

// sightOf are hits that met these, with these gaps in milliseconds.
func sightOf(met string, gaps ...int) sight {
	s := sight{count: 1 + len(gaps), hits: []audit.Hit{{}}, met: strings.Fields(met)}
	at := time.Duration(0)
	for _, g := range gaps {
		at += time.Duration(g) * time.Millisecond
		s.hits = append(s.hits, audit.Hit{At: at, End: at})
	}
	return s
}

func TestJudge(t *testing.T) {
	const more = "; a longer --timeout sees more"
	for _, tt := range []struct {
		name   string
		fault  string
		seen   sight
		end    ending
		late   bool
		code   string
		doubts string
	}{
		{"none", "503", sightOf("503"), quiet, false, "no-retry", ""},
		{"two layers", "503", sightOf("503", 0, 0, 100, 0, 0, 100, 0, 0), quiet, false, "layers-multiply", ""},
		{"a fault that passes", "503,ok", sightOf("503 ok", 100), quiet, false, "lower-bound",
			"the count is a lower bound: the fault 503,ok passed: who would have tried again did not have to; a fault that stays, such as 503, shows all attempts"},
		{"a fault that never came", "503:1%", sightOf("ok"), quiet, false, "lower-bound",
			"the count is a lower bound: the fault 503:1% passed: who would have tried again did not have to; a fault that stays, such as 503, shows all attempts"},
		{"a fault that would have passed", "503x9,ok", sightOf("503", 100, 100), quiet, false, "one-layer-retries", ""},
		{"a delay that differs", "503+delay=uniform(1ms..2ms)", sightOf("503", 100, 100), quiet, false, "one-layer-retries", ""},
		{"no fault", "ok", sightOf("ok"), quiet, false, "no-retry", ""},
		{"nobody gave up", "hang", sightOf("hang"), quiet, true, "no-retry-yet",
			"the count is a lower bound: no answer within 1m0s: the probe left then, and no hit came later" + more},
		{"and the tail still had it", "hang", sightOf("hang"), busy, true, "no-retry-yet",
			"the count is a lower bound: a hit was in progress up to 1m0s after the probe left, and who waits for it may try again" + more +
				"\nthe count is a lower bound: no answer within 1m0s: the probe left then, and no hit came later" + more},
		{"in the background", "hang", sightOf("hang"), busy, false, "no-retry-yet",
			"the count is a lower bound: a hit was in progress up to 1m0s after the answer, and who waits for it may try again" + more},
		{"orphans", "503", sightOf("503", 40_000, 40_000), quiet, true, "lower-bound",
			"the count is a lower bound: no answer within 1m0s: the probe left then, and 1 hit came later, work that nobody waited for" + more},
		{"for ever", "503", sightOf("503", 1000, 1000), arriving, false, "lower-bound", "the count is a lower bound: hits still came 1m0s after the answer" + more},
		{"a long rest", "503", sightOf("503", 1600), quiet, false, "one-layer-retries",
			"rests were up to 1.6s and the next may be 1.6s, so retries in the background may come after --quiet-for 3s: 4s is safe"},
		{"rests that grow", "503", sightOf("503", 500, 1000), quiet, false, "one-layer-retries",
			"rests were up to 1s and the next may be 2s, so retries in the background may come after --quiet-for 3s: 5s is safe"},
		{"rests that grow outside", "503", sightOf("503", 0, 800, 0, 1200, 0), quiet, false, "layers-multiply",
			"rests were up to 1.2s and the next may be 1.8s, so retries in the background may come after --quiet-for 3s: 4s is safe"},
	} {
		r := probeResult{Fault: tt.fault, Answer: probeAnswer{Late: tt.late, AfterMS: 60_000}}
		r.judge(tt.seen, tt.end, &probeFlags{timeout: time.Minute, quietFor: 3 * time.Second})
		if got := strings.Join(r.Doubts, "\n"); r.Finding.Code != tt.code || got != tt.doubts {
			t.Errorf("%s: %s, want %s\n got %s\nwant %s", tt.name, r.Finding.Code, tt.code, got, tt.doubts)
		}
		if r.AtLeast && len(r.Possible)+len(r.Layers) > 0 {
			t.Errorf("%s: a lower bound that is taken apart: %v", tt.name, r.Possible)
		}
	}
}
