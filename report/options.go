package report

import (
	"regexp"
	"strings"
)

// Options of the text renderers. The zero value prints everything but the tree,
// plain and as wide as it likes.
type Options struct {
	Width int  // terminal columns; 0: no limit
	Lines int  // of a frame, which has to fit the screen; 0: those of a small one
	Color bool // verdicts, warnings and retries in colour
	Tree  bool // the tree of one request's attempts
	Quiet bool // numbers, doubts and verdicts only: no title, histogram, layers or findings
}

const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	bold   = "\x1b[1m"
	plain  = "\x1b[0m"
)

func (o Options) paint(color, s string) string {
	if !o.Color || s == "" {
		return s
	}
	return color + s + plain
}

// paintRetries paints the part of each bar that is retries.
func (o Options) paintRetries(line string) string {
	if !o.Color || !strings.Contains(line, retryBlock) {
		return line
	}
	return retryRuns.ReplaceAllString(line, yellow+"$0"+plain)
}

var retryRuns = regexp.MustCompile(retryBlock + "+")

func (o Options) verdict(s string) string {
	switch s {
	case Reproduced, AsExpected, passed:
		return o.paint(green, s)
	case Off, failed:
		return o.paint(red, s)
	case NotComparable:
		return o.paint(yellow, s)
	}
	return s
}
