package ui

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseState(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{"", ""},
		{"lab=jitter-herd&clients=1000", ""},
		{"lab=a%20b&attempts=3,3,3&backoff=exponential:1.5&rate=280/s", ""},
		{"lab=x&colour=red", `the address says "colour", which is no setting: leave it out`},
		{"lab=x&lab=y", "the address says lab twice: leave one out"},
		{"lab=" + strings.Repeat("x", 201), "lab: 201 bytes are over the limit of 200"},
		{"lab=%zz", `the address cannot be read: invalid URL escape "%zz": start anew without what follows the #`},
	} {
		s, err := ParseState(tt.query)
		switch {
		case err != nil && err.Error() != tt.want, err == nil && tt.want != "":
			t.Errorf("%q: error %v, want %q", tt.query, err, tt.want)
		case err == nil && s.Query() != strings.ReplaceAll(tt.query, "%20", "+"):
			t.Errorf("%q: comes back as %q", tt.query, s.Query())
		}
	}
}

// What is handed on may be a state, a fragment, or the address of a page that is gone.
func TestStateOfAnAddress(t *testing.T) {
	const state = "lab=jitter-herd&limit=25%25"
	for _, text := range []string{state, "#" + state, "http://127.0.0.1:4711/TOKEN/#" + state, "file:///home/x/labctl.html#" + state} {
		if s, err := stateOf(text); err != nil || s.Query() != state {
			t.Errorf("%s: %q, %v", text, s.Query(), err)
		}
	}
}

// Whatever a field holds, it survives the way through an address.
func TestStateSurvivesAnAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s State
		for _, f := range s.fields() {
			*f.at = strings.TrimSpace(rapid.StringN(0, 20, maxText).Draw(t, f.name))
		}
		got, err := ParseState(s.Query())
		if err != nil {
			t.Fatal(err)
		}
		if got != s {
			t.Fatalf("%q comes back as %q", s, got)
		}
	})
}
