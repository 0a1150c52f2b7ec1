package subject

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, tt := range []struct{ name, output, want string }{
		{"nothing", "", ""},
		{"lines", "one\r\n\n  two\t2 \nthree", "one | two 2 | three"},
		{"progress", "10%\r50%\r100%\ndone\n", "100% | done"},
		{"colour", "\x1b[1;31merror\x1b[0m: \x1b]0;title\x07no", "error: no"},
		{"controls", "a\x00b\x07c\x7f\u202ed", "abcd"},
		{"half a character", "\x82\xacuro €", "uro €"},
		{"no text", "\xff\xfe", "\uFFFD"},
		{"cut off escape", "end\x1b[", "end"},
	} {
		if got := clean([]byte(tt.output)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Whatever a command prints, one line of it can be shown.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"a\nb", "\x1b[31mx", "\x82\xac", "\u202e", "\x1b]8;;http://x\x1b\\link"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		line := clean(output)
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q became %q", output, line)
		}
	})
}

// The end is the same however the pieces were written.
func TestRing(t *testing.T) {
	const text = "0123456789abcdef"
	for limit := 1; limit <= len(text)+1; limit++ {
		for piece := 1; piece <= len(text); piece++ {
			r := ring{limit: limit}
			for at := 0; at < len(text); at += piece {
				r.Write([]byte(text[at:min(at+piece, len(text))]))
			}
			want := text[max(0, len(text)-limit):]
			if got := string(r.end()); got != want || cap(r.bytes) > 4*limit+16 {
				t.Errorf("limit %d, pieces of %d: got %q in %d, want %q", limit, piece, got, cap(r.bytes), want)
			}
		}
	}
}
