package program

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// String returns the canonical text, which [Parse] reads back to an equal
// Program: the action first, then the options in the order of the grammar.
func (p Program) String() string {
	if len(p.Steps) == 0 {
		return OK.String()
	}
	var b strings.Builder
	switch {
	case p.Each:
		b.WriteString(eachPrefix)
	case p.Conn:
		b.WriteString(connPrefix)
	}
	for i, step := range p.Steps {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(step.String())
	}
	return b.String()
}

// String returns the step as it stands in a program.
func (s Step) String() string {
	text := s.action()
	switch {
	case s.Chance != unconditional:
		text += ":" + s.Chance.String()
	case s.Times > 0:
		text += "x" + strconv.Itoa(s.Times)
	}
	if s.Window != (Window{}) {
		text += "@" + s.Window.String()
	}
	return text
}

// String returns the action and its options as they stand in a program.
func (a Action) String() string { return Step{Action: a}.action() }

// action returns the action and its options, also those that only a step has.
func (s Step) action() string {
	text := s.Kind.String()
	switch s.Kind {
	case Status:
		text = strconv.Itoa(s.Status)
	case Throttle:
		text += "=" + s.Rate.String()
	}
	text += s.delayText()
	if s.Over > 0 {
		text += "+over=" + span(s.Over)
	}
	text += s.retryAfterText()
	if s.Location != "" {
		text += "+location=" + s.Location
	}
	if s.Body > 0 {
		text += "+body=" + size(s.Body)
	}
	if s.Rate.Burst > 0 {
		text += "+burst=" + strconv.Itoa(s.Rate.Burst)
	}
	if s.Close {
		text += "+close"
	}
	return text
}

// String returns the chance as a percentage, "30%" or "0.25%".
func (c Chance) String() string {
	text := strconv.Itoa(int(c / ppmPerPercent))
	if rest := c % ppmPerPercent; rest > 0 {
		text += strings.TrimRight(fmt.Sprintf(".%04d", rest), "0")
	}
	return text + "%"
}

// String returns the window as "from..to".
func (w Window) String() string { return span(w.From) + ".." + span(w.To) }

// span writes a duration without the zero units that Go appends: 1m, not 1m0s.
func span(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// size writes a number of bytes in the largest unit that divides it.
func size(n int64) string {
	for _, unit := range sizeUnits {
		if n%unit.bytes == 0 {
			return strconv.FormatInt(n/unit.bytes, 10) + unit.name
		}
	}
	return strconv.FormatInt(n, 10)
}
