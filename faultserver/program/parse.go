package program

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The prefixes of a program, which say whose position it has.
const (
	eachPrefix = "each:"
	connPrefix = "conn:"
)

// Parse reads a program. An error names the step that is wrong, counted from 1,
// and says what to write instead. Space around steps is ignored.
func Parse(text string) (Program, error) {
	if len(text) > MaxLength {
		return Program{}, fmt.Errorf("fault program: %d bytes long, the limit is %d; give repeated steps a count, such as 503x20", len(text), MaxLength)
	}
	var p Program
	rest, err := p.cutPrefix(text)
	if err != nil {
		return Program{}, err
	}
	if rest == "" {
		return Program{}, errors.New("fault program: no steps; write ok for a service without faults")
	}
	for part := range strings.SplitSeq(rest, ",") {
		if len(p.Steps) == MaxSteps {
			return Program{}, fmt.Errorf("fault program: more than %d steps; give repeated steps a count, such as 503x20", MaxSteps)
		}
		part = strings.TrimSpace(part)
		step, err := parseStep(part)
		if err != nil {
			return Program{}, fmt.Errorf("fault program: step %d %s: %w", len(p.Steps)+1, quote(part), err)
		}
		p.Steps = append(p.Steps, step)
	}
	if err := checkRefuse(p); err != nil {
		return Program{}, err
	}
	return p, nil
}

// cutPrefix reads whose turns the steps are.
func (p *Program) cutPrefix(text string) (rest string, err error) {
	rest, p.Each = strings.CutPrefix(strings.TrimSpace(text), eachPrefix)
	if !p.Each {
		rest, p.Conn = strings.CutPrefix(rest, connPrefix)
	}
	rest = strings.TrimSpace(rest)
	if p.Each && strings.HasPrefix(rest, connPrefix) || p.Conn && strings.HasPrefix(rest, eachPrefix) {
		return "", errors.New("fault program: each: counts turns by request and conn: by connection; keep one of them")
	}
	return rest, nil
}

// MustParse is [Parse] for programs in the source; it panics on an error.
func MustParse(text string) Program {
	p, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return p
}

// checkRefuse keeps refuse alone: whether a port is open is settled before any
// request exists that could take a turn.
func checkRefuse(p Program) error {
	alone := len(p.Steps) == 1 && !p.Each && !p.Conn && p.Steps[0].String() == Refuse.String()
	for i, step := range p.Steps {
		if step.Kind == Refuse && !alone {
			return fmt.Errorf("fault program: step %d %s: a closed port cannot take turns, windows or options; write refuse alone, or reset for a failing connection", i+1, quote(step.String()))
		}
	}
	return nil
}

func parseStep(text string) (step Step, err error) {
	head, window, windowed := strings.Cut(text, "@")
	if windowed {
		if step.Window, err = parseWindow(window); err != nil {
			return step, err
		}
	}
	head, chance, chancy := strings.Cut(head, ":")
	if chancy {
		if err := checkColon(head); err != nil {
			return step, err
		}
	}
	head, times, counted := cutTimes(head)
	switch {
	case chancy && (counted || strings.Contains(chance, "x")):
		return step, errors.New("a count and a chance together are not a step; write the count as several steps, such as 503:30%,503:30%")
	case chancy:
		step.Chance, err = ParseChance(chance)
	case counted:
		step.Times, err = parseTimes(times)
	}
	if err != nil {
		return step, err
	}
	return step, step.parse(head)
}

// checkColon refuses what stands in front of a colon that was not meant to begin a
// chance.
func checkColon(head string) error {
	option, value, _ := strings.Cut(head[strings.LastIndexByte(head, '+')+1:], "=")
	switch {
	case head+":" == eachPrefix || head+":" == connPrefix:
		return fmt.Errorf("%s: stands once, before the first step; move it to the front", head)
	case slices.Contains(shapeWords, value):
		return errors.New("a colon begins a chance, so a distribution has parentheses; write for example delay=uniform(10ms..20ms)")
	case option == "location" && (value == "http" || value == "https"):
		return errors.New("a colon begins a chance, so a location is a reference without one; write for example 302+location=again")
	}
	return nil
}

// cutTimes splits a count off the end. An x counts only before a digit, a sign or
// nothing, so that a misspelt word with an x is still called an unknown action.
func cutTimes(text string) (head, times string, found bool) {
	i := strings.LastIndexByte(text, 'x')
	if i < 0 {
		return text, "", false
	}
	if times = text[i+1:]; times != "" && !strings.ContainsRune("-0123456789", rune(times[0])) {
		return text, "", false
	}
	return text[:i], times, true
}

func parseTimes(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < 1 || n > MaxTimes {
		return 0, fmt.Errorf("count %s is not a number from 1 to %d; write for example x2", quote("x"+text), MaxTimes)
	}
	return int(n), nil
}

// quote shortens what an error repeats, so that it stays one readable line.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}
