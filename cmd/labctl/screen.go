package main

import (
	"io"
	"strings"
)

// screen is the other screen of a terminal, without scrollback, that full-screen
// programs draw on: drawing over one's own lines on the first one leaves litter when
// the terminal is resized, since it breaks lines anew and scrolls some of them away.
// The cursor is hidden only within what is written at one go.
type screen struct {
	w     io.Writer
	size  func() (columns, lines int)
	shown bool
}

const (
	enterScreen = "\x1b[?1049h"
	leaveScreen = "\x1b[H\x1b[J\x1b[?1049l"            // emptied, for terminals that have one screen only
	beginFrame  = "\x1b[?2026h\x1b[?25l\x1b[?7l\x1b[H" // shown as one, no cursor, no wrap, from the top
	endFrame    = "\x1b[J\x1b[?7h\x1b[?25h\x1b[?2026l"
	clearRest   = "\x1b[K"
)

// draw puts lines in the place of those before.
func (s *screen) draw(lines []string) {
	text := beginFrame + strings.Join(lines, clearRest+"\r\n") + endFrame
	if !s.shown {
		text = enterScreen + text
	}
	s.shown = true
	_, _ = io.WriteString(s.w, text) // a terminal that is gone is no reason to stop
}

// leave shows the first screen again, as it was before.
func (s *screen) leave() {
	if s.shown {
		s.shown = false
		_, _ = io.WriteString(s.w, leaveScreen)
	}
}
