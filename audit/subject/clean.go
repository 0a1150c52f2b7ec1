package subject

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapes are the sequences that colour a terminal, move its cursor or rename it.
var escapes = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)?|\x1b.?`)

// clean makes one line for people of the end of an output: its lines with bars between
// them, of a progress bar the last state, and nothing that could take hold of a terminal.
func clean(output []byte) string {
	for range utf8.UTFMax - 1 { // a character that was cut in half by the limit
		if len(output) > 0 && !utf8.RuneStart(output[0]) {
			output = output[1:]
		}
	}
	text := escapes.ReplaceAllString(strings.ToValidUTF8(string(output), "\uFFFD"), "")
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		line = strings.Join(strings.Fields(strings.Map(printable, line[strings.LastIndexByte(line, '\r')+1:])), " ")
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " | ")
}

func printable(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsPrint(r):
		return r
	}
	return -1
}
