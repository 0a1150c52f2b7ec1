package suggest

import "testing"

func TestDidYouMean(t *testing.T) {
	known := []string{"nested-retry", "jitter-herd", "ok"}
	for _, tt := range []struct{ word, want string }{
		{"nested-rety", "; did you mean nested-retry?"},
		{"jiter-herdd", "; did you mean jitter-herd?"},
		{"okk", "; did you mean ok?"},
		{"storm", ""},
		{"", ""},
		{"a word that is much longer than any known one", ""},
	} {
		if got := DidYouMean(tt.word, known); got != tt.want {
			t.Errorf("DidYouMean(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}
