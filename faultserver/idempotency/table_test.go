package idempotency_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labctl/faultserver/idempotency"
)

// play does to a table what a line of words says, and returns what it answered:
//
//	b1     Begin by request 1, with the key k
//	f200   Finish with work done and this status
//	crash  Finish without work
//	l1     Leave of request 1
func play(m idempotency.Mode, words string) string {
	t := idempotency.New[int](m)
	var said []string
	for word := range strings.FieldsSeq(words) {
		var n int
		fmt.Sscanf(word[1:], "%d", &n)
		switch word[0] {
		case 'b':
			answer, status := t.Begin("k", n)
			said = append(said, strings.TrimSuffix(fmt.Sprintf("%v:%d", answer, status), ":0"))
		case 'l':
			said = append(said, fmt.Sprint(t.Leave("k", n)))
		default:
			answer, told := t.Finish("k", word != "crash", n)
			said = append(said, strings.TrimSuffix(fmt.Sprintf("%v%v", answer, told), "[]"))
		}
	}
	return strings.Join(said, " ")
}

// The table is the specification. Case A19, with its instants, is a test of the tail.
func TestModes(t *testing.T) {
	const (
		none, after = idempotency.None, idempotency.StoreAfter
		first, wait = idempotency.ReserveFirst, idempotency.ReserveAndWait
	)
	for _, tt := range []struct {
		why   string
		mode  idempotency.Mode
		words string
		want  string
	}{
		{"without a mode every request runs", none, "b1 f200 b2", "run run run"},
		{"what is stored is replayed", after, "b1 f201 b2 b3", "run replay replay:201 replay:201"},
		{"until then every request runs", after, "b1 b2 f200 b3 f201 b4", "run run replay replay:200 run replay:200"},
		{"what failed is not stored", after, "b1 f503 b2 crash b3", "run run run run run"},
		{"a reserved key is a conflict", first, "b1 b2 b3 f200 b4", "run conflict conflict replay replay:200"},
		{"a crash releases it", first, "b1 b2 crash b3 f200 b4", "run conflict run run replay replay:200"},
		{"and so does an answer of 500", first, "b1 f500 b2 b3", "run run run conflict"},
		{"an answer of 404 is stored", first, "b1 f404 b2", "run replay replay:404"},
		{"all who wait get the answer", wait, "b1 b2 b3 f200 b4", "run wait wait replay[2 3] replay:200"},
		{"after a crash the first of them runs", wait, "b1 b2 b3 crash b4 f200", "run wait wait run[2] wait replay[3 4]"},
		{"and one after the other", wait, "b1 b2 b3 crash crash crash b4", "run wait wait run[2] run[3] run run"},
		{"who left is not told", wait, "b1 b2 b3 l2 f200", "run wait wait true replay[3]"},
		{"nor runs", wait, "b1 b2 b3 l2 crash", "run wait wait true run[3]"},
		{"who was told cannot leave", wait, "b1 b2 crash l2 crash b3", "run wait run[2] false run run"},
		{"nobody waits", wait, "l1 b1 l1 f200", "false run false replay"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			if got := play(tt.mode, tt.words); got != tt.want {
				t.Errorf("%v, %s:\n got %s\nwant %s", tt.mode, tt.words, got, tt.want)
			}
		})
	}
}

// A request without a key, and one whose key is too long to keep, is nobody's twin.
func TestKeysThatAreNotRemembered(t *testing.T) {
	for _, key := range []string{"", strings.Repeat("k", idempotency.MaxKey+1)} {
		table := idempotency.New[int](idempotency.ReserveFirst)
		for range 2 {
			if answer, _ := table.Begin(key, 0); answer != idempotency.Run {
				t.Errorf("%d bytes: %v", len(key), answer)
			}
			table.Finish(key, true, 200)
		}
	}
}

// A full table leaves new keys alone, and keeps what it has, also when work failed.
func TestTableIsBounded(t *testing.T) {
	table := idempotency.New[int](idempotency.ReserveFirst)
	for i := range idempotency.MaxKeys {
		table.Begin(fmt.Sprint(i), 0)
	}
	table.Finish("7", false, 0)
	var got []idempotency.Answer
	for _, key := range []string{"new", "new", "7", "7"} {
		answer, _ := table.Begin(key, 0)
		got = append(got, answer)
	}
	if fmt.Sprint(got) != "[run run run conflict]" {
		t.Errorf("got %v", got)
	}
}

// Whatever happens: with a reservation one request works at a time and work that was
// stored is never done again, and every waiter is told exactly once.
func TestReservationsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]idempotency.Mode{idempotency.ReserveFirst, idempotency.ReserveAndWait}).Draw(t, "mode")
		table := idempotency.New[int](mode)
		running, stored, waiting := 0, false, map[int]bool{}
		for i := range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "arrives") || running == 0 {
				switch answer, _ := table.Begin("k", i); answer {
				case idempotency.Run:
					running++
				case idempotency.Wait:
					waiting[i] = true
				case idempotency.Replay:
					if !stored {
						t.Fatal("replay of nothing")
					}
				}
			} else {
				worked := rapid.Bool().Draw(t, "worked")
				running--
				answer, told := table.Finish("k", worked, 200)
				stored = stored || worked
				for _, w := range told {
					if !waiting[w] {
						t.Fatalf("request %d was told twice", w)
					}
					delete(waiting, w)
					if answer == idempotency.Run {
						running++
					}
				}
			}
			if running > 1 || stored && running > 0 || running == 0 && len(waiting) > 0 {
				t.Fatalf("%d at work, %d waiting, stored: %v", running, len(waiting), stored)
			}
		}
	})
}
