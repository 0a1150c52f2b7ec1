package main

import (
	"fmt"
	"io"
)

// progress is one line on a terminal, written over and over, that says what is
// being run. Without a writer it is silent.
type progress struct{ w io.Writer }

// clearLine goes back to the start of the line and empties it.
const clearLine = "\r\x1b[K"

// longestProgress keeps the line from wrapping, since only its last row could be
// cleared again.
const longestProgress = 72

func (p progress) show(text string) {
	if p.w != nil {
		fmt.Fprint(p.w, clearLine, shorten(text, min(longestProgress, p.room())))
	}
}

func (p progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, clearLine)
	}
}

// room is how long a line can be.
func (p progress) room() int {
	columns, _ := terminalSize(p.w)
	return columns - 1
}

// shorten makes text one harmless line of so many characters.
func shorten(text string, most int) string {
	text = oneLine(text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:max(most-1, 0)]) + "…"
	}
	return text
}
