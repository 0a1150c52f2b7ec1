package program_test

import (
	"fmt"
	"testing"
	"time"

	"labctl/faultserver/program"
)

// The same luck gives the same delay, wherever the program runs.
func TestDelayIsDrawn(t *testing.T) {
	for _, tt := range []struct{ program, want string }{
		{"503+delay=uniform(10ms..20ms)", "[18.833ms 15.666ms 18.939ms]"},
		{"delay=empirical(1ms;2ms;9ms)", "[9ms 2ms 9ms]"},
		{"delay=uniform(1s..1s)", "[1s 1s 1s]"},
		{"delay=exponential(0s)", "[0s 0s 0s]"},
		{"slow+delay=empirical(5ms)", "[5ms 5ms 5ms]"},
		{"throttle=3/s+delay=empirical(5ms)", "[5ms 5ms 5ms]"},
		{"delay=lognormal(1h;10),delay=lognormal(1h;10),delay=lognormal(1h;10)", "[1h0m0s 1h0m0s 1h0m0s]"}, // no draw beyond MaxDelay
	} {
		s := program.NewState(program.MustParse(tt.program))
		var got []time.Duration
		for _, u := range []uint64{0, 1, 1<<64 - 1} {
			got = append(got, s.Next("", 0, u).Delay.Round(time.Microsecond))
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: got %v, want %s", tt.program, got, tt.want)
		}
	}
}

// Chance and delay come from one number and have nothing to do with each other: the
// delays of the few that fail are as those of all.
func TestDelayIsIndependentOfChance(t *testing.T) {
	s := program.NewState(program.MustParse("503+delay=uniform(0s..1s):10%"))
	failed, sum := 0, time.Duration(0)
	for i := range uint64(100_000) {
		if a := s.Next("", 0, bits(i)); a.Kind == program.Status {
			failed++
			sum += a.Delay
		}
	}
	if mean := sum / time.Duration(failed); failed < 9_700 || failed > 10_300 || mean < 488*msec || mean > 512*msec {
		t.Errorf("%d failed after %v in the mean, want about 10 000 after 500 ms", failed, mean)
	}
}

// What engines ask before a run.
func TestWhatAProgramDependsOn(t *testing.T) {
	for _, tt := range []struct {
		program                    string
		lucky, constant, stateless bool
	}{
		{"503", false, true, true},
		{"truncate", false, true, true},
		{"slow+delay=60ms", false, true, true},
		{"stall", false, true, true},
		{"conn:503", false, true, true},
		{"conn:ok,close", false, false, false},
		{"503:30%", true, false, true},
		{"delay=uniform(10ms..20ms)", true, false, true},
		{"503@0s..1s", false, false, true},
		{"503,ok", false, false, false},
		{"throttle=10/s", false, false, false},
		{"throttle=10/s@0s..1s", false, false, false},
	} {
		p := program.MustParse(tt.program)
		_, constant := p.Constant()
		if p.Lucky() != tt.lucky || constant != tt.constant || p.Stateless() != tt.stateless {
			t.Errorf("%s: lucky %v, constant %v, stateless %v", tt.program, p.Lucky(), constant, p.Stateless())
		}
	}
	for text, want := range map[string]bool{"ok,hang": true, "ok,stall:30%": true, "ok,slow,lost,truncate": false} {
		if p := program.MustParse(text); p.Hangs() != want {
			t.Errorf("%s: hangs %v", text, p.Hangs())
		}
	}
	a, _ := program.MustParse("slow").Constant()
	if got := a.String(); got != "slow+over=1s+body=1KiB" {
		t.Errorf("the constant action is %s, not what Next returns", got)
	}
}
