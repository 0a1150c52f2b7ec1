package ui

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answer is the answer to a state as an address has it.
func answer(t *testing.T, query string) Answer {
	t.Helper()
	s, err := ParseState(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	a, err := BuiltIn().Answer(t.Context(), s)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return a
}
