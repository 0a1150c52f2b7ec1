package policy

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestInstant: arithmetic saturates. The durations are those that Retry-After
// turned into "now" in real clients (hashicorp/go-retryablehttp#297).
func TestInstant(t *testing.T) {
	for _, row := range []struct {
		from Instant
		wait time.Duration
		to   Instant
	}{
		{0, 0, 0},
		{0, time.Second, 1e9},
		{5, -time.Second, 5},
		{5, math.MinInt64, 5},
		{-5, 3, -2},
		{0, math.MaxInt64, Never},
		{1, math.MaxInt64, Never},
		{Never, 1, Never},
		{Never - 1, 1, Never},
		{at(time.Hour), 9_223_372_036 * time.Second, Never},
	} {
		equal(t, "Add", row.from.Add(row.wait), row.to)
	}
	equal(t, "Sub forward", at(3*time.Second).Sub(at(time.Second)), 2*time.Second)
	equal(t, "Sub backward", at(time.Second).Sub(at(3*time.Second)), -2*time.Second)
	equal(t, "Sub saturates upwards", Never.Sub(-1), math.MaxInt64)
	equal(t, "Sub saturates downwards", Instant(math.MinInt64).Sub(1), math.MinInt64)
}

// TestInstantNeverWraps: time only goes forward.
func TestInstantNeverWraps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := Instant(rapid.Int64().Draw(t, "from"))
		wait := time.Duration(rapid.Int64().Draw(t, "wait"))
		to := from.Add(wait)
		if to < from {
			t.Fatalf("%d + %d = %d", from, wait, to)
		}
		if to != Never && to.Sub(from) != max(wait, 0) && from >= 0 {
			t.Fatalf("(%d + %d) − %d = %d", from, wait, from, to.Sub(from))
		}
	})
}

// TestOutcome: what counts as an answer that was asked for.
func TestOutcome(t *testing.T) {
	for _, row := range []struct {
		outcome Outcome
		word    string
		ok      bool
	}{
		{Status(200), "200", true},
		{Status(302), "302", true},
		{Status(399), "399", true},
		{Status(400), "400", false},
		{Status(503), "503", false},
		{Failed(Timeout), "timeout", false},
		{Failed(Refused), "refused", false},
		{Failed(Reset), "reset", false},
		{Failed(Malformed), "malformed", false},
		{Failed(Cancelled), "cancelled", false},
		{Failed(Rejected), "rejected", false},
	} {
		equal(t, "String", row.outcome.String(), row.word)
		equal(t, row.word+" OK", row.outcome.OK(), row.ok)
	}
	for k := range kinds {
		equal(t, "every kind has a name", kindNames[k] != "", true)
	}
}
