package main

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// terminal understands what a screen says to one. Its main screen has what was there
// before.
type terminal struct {
	main, other    [][]rune
	alternate      bool
	hidden, nowrap bool
	row, column    int
	drawn          int // frames
}

func newTerminal(before string) *terminal {
	return &terminal{main: [][]rune{[]rune(before)}}
}

// sequence is one escape sequence, or a character.
var sequence = regexp.MustCompile(`\x1b\[(\??)([\d;]*)([A-Za-z])|(?s:.)`)

func (t *terminal) Write(p []byte) (int, error) {
	for _, m := range sequence.FindAllStringSubmatch(string(p), -1) {
		if m[3] != "" {
			t.obey(m[1]+m[3], m[2])
			continue
		}
		t.put([]rune(m[0])[0])
	}
	return len(p), nil
}

func (t *terminal) obey(what, number string) {
	n, _ := strconv.Atoi(number)
	switch {
	case what == "?h" && n == 1049:
		t.alternate, t.other = true, nil
	case what == "?l" && n == 1049:
		t.alternate, t.row, t.column = false, 0, 0
	case n == 25:
		t.hidden = what == "?l"
	case n == 7:
		t.nowrap = what == "?l"
	case n == 2026 && what == "?h":
		t.drawn++
	case what == "H":
		t.row, t.column = 0, 0
	case what == "K", what == "J":
		line := t.line()
		*line = (*line)[:min(len(*line), t.column)]
		if s := t.screen(); what == "J" {
			*s = (*s)[:t.row+1]
		}
	}
}

func (t *terminal) screen() *[][]rune {
	if t.alternate {
		return &t.other
	}
	return &t.main
}

func (t *terminal) line() *[]rune {
	s := t.screen()
	for len(*s) <= t.row {
		*s = append(*s, nil)
	}
	return &(*s)[t.row]
}

func (t *terminal) put(c rune) {
	switch c {
	case '\r':
		t.column = 0
	case '\n':
		t.row++
	default:
		line := t.line()
		for len(*line) <= t.column {
			*line = append(*line, ' ')
		}
		(*line)[t.column] = c
		t.column++
	}
}

// shows is what is seen.
func (t *terminal) shows() string {
	var b strings.Builder
	for _, line := range *t.screen() {
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// fits reports whether a screen of that size holds all of it.
func (t *terminal) fits(columns, lines int) bool {
	for _, line := range *t.screen() {
		if len(line) > columns {
			return false
		}
	}
	return len(*t.screen()) <= lines
}

func TestFramesReplaceEachOther(t *testing.T) {
	term := newTerminal("$ labctl")
	s := screen{w: term}
	for _, frame := range []string{"one", "three\n\nfour", "a longer line\nsix", "7"} {
		s.draw(strings.Split(frame, "\n"))
		if got := term.shows(); got != frame+"\n" {
			t.Errorf("the screen shows\n%swant\n%s", got, frame)
		}
		if term.hidden || term.nowrap {
			t.Errorf("between frames: cursor hidden %v, wrap off %v", term.hidden, term.nowrap)
		}
	}
	for range 2 {
		s.leave()
		if got := term.shows(); got != "$ labctl\n" || term.alternate {
			t.Errorf("left behind: %q", got)
		}
	}
}

// A screen that never had a frame says nothing.
func TestNoFrameNoTrace(t *testing.T) {
	var b bytes.Buffer
	(&screen{w: &b}).leave()
	if b.Len() > 0 {
		t.Errorf("said %q", b.String())
	}
}
