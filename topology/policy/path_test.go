package policy

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// text writes a path as its layers did.
func (p Path) text() string {
	s := RootPath(p.Client, p.Request)
	for _, h := range p.Hops {
		s = ExtendPath(s, h.From, h.To, h.Attempt)
	}
	return s
}

func TestParsePath(t *testing.T) {
	const start, hop = " does not start with CLIENT.REQUEST", " is not FROM>TO#ATTEMPT"
	for text, want := range map[string]string{
		"0.0":                          "0.0",
		"17.3":                         "17.3",
		"17.0/client>a#1/a>b#3":        "17.0/client>a#1/a>b#3",
		"18446744073709551615.0/a>b#1": "18446744073709551615.0/a>b#1",
		"":                             `error: path ""` + start,
		"17":                           `error: path "17"` + start,
		"17.":                          `error: path "17."` + start,
		".3":                           `error: path ".3"` + start,
		"-1.0":                         `error: path "-1.0"` + start,
		"+1.0":                         `error: path "+1.0"` + start,
		"1.2.3":                        `error: path "1.2.3"` + start,
		"18446744073709551616.0":       `error: path "18446744073709551616.0"` + start,
		"client>a#1":                   `error: path "client>a#1"` + start,
		"1.2/":                         `error: hop ""` + hop,
		"1.2//a>b#1":                   `error: hop ""` + hop,
		"1.2/a>b#1/":                   `error: hop ""` + hop,
		"1.2/a>b":                      `error: hop "a>b"` + hop,
		"1.2/a#1":                      `error: hop "a#1"` + hop,
		"1.2/>b#1":                     `error: hop ">b#1"` + hop,
		"1.2/a>#1":                     `error: hop "a>#1"` + hop,
		"1.2/a>b#0":                    `error: hop "a>b#0"` + hop,
		"1.2/a>b#-1":                   `error: hop "a>b#-1"` + hop,
		"1.2/a>b#":                     `error: hop "a>b#"` + hop,
		"1.2/a>b#1#2":                  `error: hop "a>b#1#2"` + hop,
		"1.2/a>b#99999999999999999999": `error: hop "a>b#99999999999999999999"` + hop,
		"1.2/a>b#1/\x00":               `error: hop "\x00"` + hop,
	} {
		p, err := ParsePath(text)
		got := p.text()
		if err != nil {
			got = "error: " + err.Error()
			equal(t, "path beside an error", fmt.Sprint(p), fmt.Sprint(Path{}))
		}
		equal(t, text, got, want)
	}
}

// TestIsFirst: a hit is of the first wave when every layer above it made its
// first attempt.
func TestIsFirst(t *testing.T) {
	for text, want := range map[string]bool{
		"1.2":                   true,
		"1.2/client>a#1":        true,
		"1.2/client>a#1/a>b#1":  true,
		"1.2/client>a#2":        false,
		"1.2/client>a#2/a>b#1":  false,
		"1.2/client>a#1/a>b#10": false,
	} {
		p, err := ParsePath(text)
		equal(t, "error", err, nil)
		equal(t, text, p.IsFirst(), want)
	}
}

// TestPathLuck: the luck that travels in the header is the one that the edges
// hand down.
func TestPathLuck(t *testing.T) {
	p, err := ParsePath("17.3/client>a#1/a>b#2")
	equal(t, "error", err, nil)
	want := RootLuck(9, 17, 3).Attempt(NewEdgeID("client", "a"), 1).Attempt(NewEdgeID("a", "b"), 2)
	equal(t, "luck", p.Luck(9), want)
}

func TestPathRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z][a-z0-9._-]{0,9}`)
		p := Path{Client: rapid.Uint64().Draw(t, "client"), Request: rapid.Uint64().Draw(t, "request")}
		for range rapid.IntRange(0, 9).Draw(t, "hops") {
			p.Hops = append(p.Hops, Hop{name.Draw(t, "from"), name.Draw(t, "to"), rapid.IntRange(1, 1_000_000).Draw(t, "attempt")})
		}
		again, err := ParsePath(p.text())
		if err != nil || fmt.Sprint(again) != fmt.Sprint(p) {
			t.Fatalf("%s → %v, %v", p.text(), again, err)
		}
	})
}

// FuzzParsePath: whatever a foreign client sends gives an error or a path that
// reads the same when it is written again.
func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"17.0/client>a#1/a>b#3", "0.0", "1.2/", "1.2/a>b>c#1", "1.2/a>b#+1", "1.2/a>b#01", "1.2//", strings.Repeat("/", 99)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePath(s)
		if err != nil {
			equal(t, "hops beside an error", len(p.Hops), 0)
			return
		}
		equal(t, "hops", len(p.Hops), strings.Count(s, "/"))
		again, err := ParsePath(p.text())
		equal(t, "error", err, nil)
		equal(t, "again", again.text(), p.text())
		equal(t, "luck", again.Luck(1), p.Luck(1))
	})
}
