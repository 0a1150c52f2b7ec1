package program_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/faultserver/program"
)

// sequence steps a fresh State through requests written "id@instant", either part
// optional, and returns the actions as program text.
func sequence(t *testing.T, text, requests string) string {
	t.Helper()
	p, err := program.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	s := program.NewState(p)
	var got []string
	for _, request := range strings.Fields(requests) {
		id, instant, found := strings.Cut(request, "@")
		var at time.Duration
		if found {
			if at, err = time.ParseDuration(instant); err != nil {
				t.Fatal(err)
			}
		}
		got = append(got, s.Next(id, at, 0).String())
	}
	return strings.Join(got, " ")
}

// The table is the specification of turns. A dot is a request without an id.
func TestNext(t *testing.T) {
	for _, tt := range []struct{ why, program, requests, want string }{
		{"one step is for ever", "503", ". . .", "503 503 503"},
		{"a count, then recovery", "503x2,ok", ". . . .", "503 503 ok ok"},
		{"no count is one request", "ok,503", ". . .", "ok 503 503"},
		{"the fifth attempt succeeds", "503,503,503,503,200", ". . . . . .", "503 503 503 503 200 200"},
		{"a count on the last step changes nothing", "ok,503x2", ". . . .", "ok 503 503 503"},
		{"options travel with their step", "429+retry-after=2,delay=60ms+503", ". .", "429+retry-after=2 503+delay=60ms"},
		{"every kind takes a turn", "reset,close,hang,lost,malformed,badchunk,302+location=again,ok", ". . . . . . . .", "reset close hang lost malformed badchunk 302+location=again ok"},
		{"what a step leaves unsaid is filled in", "truncate,halfreset+body=2B,stall,slow", ". . . .", "truncate+body=1KiB halfreset+body=2B stall+body=1KiB slow+over=1s+body=1KiB"},
		{"ids share turns without each", "503,ok", "a b a b", "503 ok ok ok"},

		{"each id has its own turns", "each:503,ok", "a b a b a", "503 503 ok ok ok"},
		{"requests without an id share a position", "each:503,ok", "@0s a @0s", "503 503 ok"},

		{"a window holds its start and not its end", "503@1s..2s,ok", "@999ms @1s @1999999999ns @2s", "ok 503 503 ok"},
		{"an instant before the release is in no window", "503@0s..2s,ok", "@-1ns @0s", "ok 503"},
		{"windows only are ok outside", "503@1s..2s", "@0s @1s @3s", "ok 503 ok"},
		{"a window does not hold up the sequence", "503@1s..2s,429,ok", "@0s @1s @3s", "429 503 ok"},
		{"nor use its turns, wherever it stands", "429,503@1s..2s,ok", "@1s @1s @3s @3s", "503 503 429 ok"},
		{"the step before a last window repeats", "429,503@1s..2s", "@0s @3s @1s", "429 429 503"},
		{"a count limits a window", "503x2@0s..2s,ok", "@0s @1s @1s @1s", "503 503 ok ok"},
		{"a used up window gives way to the next", "503x1@0s..2s,429@0s..3s", "@0s @1s @2s @3s", "503 429 429 ok"},
		{"of two windows the first in the program acts", "503@1s..3s,429@0s..2s", "@0s @1s @2s", "429 503 503"},
		{"time may go back", "503@0s..1s,429", "@2s @0s @2s", "429 503 429"},
		{"each id has its own count in a window", "each:503x1@0s..2s,ok", "a@0s a@1s b@1s b@1s", "503 ok 503 ok"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			if got := sequence(t, tt.program, strings.ReplaceAll(tt.requests, ".", "@0s")); got != tt.want {
				t.Errorf("%s on %s:\n got %s\nwant %s", tt.program, tt.requests, got, tt.want)
			}
		})
	}
}

// Luck u falls inside p % exactly when u < p/100 · 2⁶⁴.
func TestNextChance(t *testing.T) {
	const half = 1 << 63
	for _, tt := range []struct {
		program string
		luck    []uint64
		want    string
	}{
		{"503:50%", []uint64{0, half - 1, half, 1<<64 - 1, 0}, "503 503 ok ok 503"},
		{"503:100%", []uint64{0, 1<<64 - 1}, "503 503"},
		{"503:0.0001%", []uint64{0, 18446744073709, 18446744073710}, "503 503 ok"},
		{"503:50%,429", []uint64{half, half, half}, "ok 429 429"}, // it took its turn
		{"503:50%@0s..1s,429", []uint64{0, half}, "503 ok"},       // and ok is not passed over
	} {
		s := program.NewState(program.MustParse(tt.program))
		var got []string
		for _, u := range tt.luck {
			got = append(got, s.Next("", 0, u).String())
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.program, got, tt.want)
		}
	}
}

// The share of luck that falls inside a chance is the chance, for any percentage: luck
// values in even steps meet it to within one.
func TestChanceRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chance := program.Chance(rapid.Uint32Range(1, 1_000_000).Draw(t, "ppm"))
		const steps = 10_000
		hits := 0
		for i := range uint64(steps) {
			if chance.Hit(i * (math.MaxUint64 / steps)) {
				hits++
			}
		}
		if ppm := hits * 1_000_000 / steps; ppm < int(chance)-100 || ppm > int(chance)+100 {
			t.Fatalf("%s hit %d of %d", chance, hits, steps)
		}
	})
}

// Ids come from strangers. Beyond the bound they share a position, and those that were
// there first keep theirs.
func TestEachIsBounded(t *testing.T) {
	s := program.NewState(program.MustParse("each:503,ok"))
	for i := range program.MaxIDs {
		s.Next(fmt.Sprint("id", i), 0, 0)
	}
	got := fmt.Sprint(s.Next("new", 0, 0), s.Next("newer", 0, 0), s.Next("id7", 0, 0))
	if want := "503 ok ok"; got != want {
		t.Errorf("beyond MaxIDs: got %s, want %s", got, want)
	}
}

// Under conn: every connection has a position, and counts of its own in windows. A
// throttle is the service's, and so is the position of those that nobody knows.
func TestNextOn(t *testing.T) {
	for _, tt := range []struct{ why, program, requests, want string }{
		{"each connection has its own turns", "conn:ok,close", "a a b a b", "ok close ok close close"},
		{"and its own count in a window", "conn:503x1@0s..1s,ok", "a a b b", "503 ok 503 ok"},
		{"a throttle is shared", "conn:throttle=1/m,ok", "a b a", "ok 429+retry-after=60 ok"},
		{"those without a place share one", "conn:ok,close", ". a . a .", "ok ok close close close"},
	} {
		s, places := program.NewState(program.MustParse(tt.program)), map[string]*program.Place{}
		var got []string
		for _, conn := range strings.Fields(tt.requests) {
			if conn == "." {
				got = append(got, s.Next("id", 0, 0).String())
				continue
			}
			if places[conn] == nil {
				places[conn] = new(program.Place)
			}
			got = append(got, s.NextOn(places[conn], 0, 0).String())
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %s on %s:\n got %s\nwant %s", tt.why, tt.program, tt.requests, got, tt.want)
		}
	}
}

// A connection that stays open over a new State is before the first step of that.
func TestPlaceOfAnotherState(t *testing.T) {
	var place program.Place
	first, second := program.NewState(program.MustParse("conn:ok,close")), program.NewState(program.MustParse("conn:429x2,503"))
	got := fmt.Sprint(first.NextOn(&place, 0, 0), first.NextOn(&place, 0, 0), second.NextOn(&place, 0, 0), second.NextOn(&place, 0, 0), second.NextOn(&place, 0, 0))
	if want := "ok close 429 429 503"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if n := testing.AllocsPerRun(100, func() { second.NextOn(&place, 0, 0) }); n != 0 {
		t.Errorf("%v allocations per request of a known connection", n)
	}
}

func TestNextDoesNotAllocate(t *testing.T) {
	for _, text := range []string{
		"503", "503x2,ok", "503:30%", "503x1000000@0s..2s,429+retry-after=2,ok", "throttle=1/s", "delay=lognormal(50ms;0.6)",
	} {
		s := program.NewState(program.MustParse(text))
		if n := testing.AllocsPerRun(100, func() { s.Next("id", time.Second, 1<<63) }); n != 0 {
			t.Errorf("%s: %v allocations per request", text, n)
		}
	}
	s := program.NewState(program.MustParse("each:503,ok"))
	if n := testing.AllocsPerRun(100, func() { s.Next("id", 0, 0) }); n != 0 {
		t.Errorf("each: %v allocations per request of a known id", n)
	}
}

func TestZeroProgramIsOK(t *testing.T) {
	s := program.NewState(program.Program{})
	if a := s.Next("", 0, 0); a.Kind != program.OK || a.Status != 200 {
		t.Errorf("got %+v", a)
	}
}

func BenchmarkNext(b *testing.B) {
	for _, text := range []string{"503", "503:30%", "503@0s..2s,429x3,ok", "each:503,ok"} {
		b.Run(text, func(b *testing.B) {
			s := program.NewState(program.MustParse(text))
			for b.Loop() {
				s.Next("id", time.Second, 1<<63)
			}
		})
	}
}
