package program

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labctl/internal/suggest"
)

// closeWord is both an action and an option.
const closeWord = "close"

// plainWords are the actions that are one word and have no value.
var plainWords = map[string]Kind{
	"ok": OK, "reset": Reset, "hang": Hang, "refuse": Refuse, "truncate": Truncate, "halfreset": HalfReset,
	"malformed": Malformed, "badchunk": BadChunk, "slow": Slow, "stall": Stall, "lost": Lost,
}

var actionWords = []string{
	"ok", "reset", closeWord, "hang", "refuse", "truncate", "halfreset", "malformed", "badchunk", "slow", "stall",
	"lost", "throttle",
}

const knownActions = "ok, a status such as 503, reset, close, hang, refuse, truncate, halfreset, malformed, badchunk, slow, stall, lost, throttle=10/s"

const (
	statusOK      = 200
	statusTooMany = 429
)

// actionText gathers the words of one step before they are known to agree.
type actionText struct {
	*Step
	named string   // the word of the action, when there is one besides close
	seen  []string // options, to catch repetition
}

// parse reads the action of a step and its options, in any order.
func (s *Step) parse(text string) error {
	if text == "" {
		return errors.New("there is no action; known are " + knownActions)
	}
	a := actionText{Step: s}
	for word := range strings.SplitSeq(text, "+") {
		if err := a.add(word); err != nil {
			return err
		}
	}
	a.settle()
	return a.check()
}

// add takes one word between plus signs.
func (a *actionText) add(word string) error {
	if word == "" {
		return errors.New("a + joins an action and an option; write for example 503+delay=60ms")
	}
	name, value, valued := strings.Cut(word, "=")
	if !valued && word != closeWord || name == "throttle" {
		return a.name(word)
	}
	if slices.Contains(a.seen, name) {
		return fmt.Errorf("%s stands twice; keep one", name)
	}
	a.seen = append(a.seen, name)
	if valued {
		return a.option(name, value)
	}
	return nil
}

// name takes the word of an action other than close.
func (a *actionText) name(word string) (err error) {
	if a.named != "" {
		return fmt.Errorf("%s and %s are two actions; separate steps with a comma", a.named, quote(word))
	}
	a.named = word
	kind, known := plainWords[word]
	rate, throttles := strings.CutPrefix(word, "throttle=")
	switch {
	case known:
		a.Kind = kind
	case throttles:
		burst := a.Rate.Burst // an option may come first
		a.Kind = Throttle
		a.Rate, err = parseRate(rate)
		a.Rate.Burst = burst
	default:
		a.Kind = Status
		a.Status, err = parseStatus(word)
	}
	return err
}

// settle decides what close meant, and what a step of options only is.
func (a *actionText) settle() {
	closes := a.has(closeWord)
	a.Close = closes && a.named != ""
	if closes && a.named == "" {
		a.Kind = Close
	}
	if a.Kind.heads() {
		a.Status = statusOK
	}
}

func (a *actionText) has(option string) bool { return slices.Contains(a.seen, option) }

func parseStatus(word string) (int, error) {
	if slices.Contains(optionWords, word) || word == "throttle" {
		return 0, fmt.Errorf("%s lacks its value; write for example %s", word, valueExample(word))
	}
	n, err := strconv.ParseUint(word, 10, 31)
	switch {
	case err != nil:
		return 0, fmt.Errorf("unknown action %s; known are %s%s", quote(word), knownActions, suggest.DidYouMean(word, actionWords))
	case n >= 100 && n < 200:
		return 0, fmt.Errorf("status %d announces an answer and is none; use one from 200 to 599", n)
	case n < 200 || n > 599:
		return 0, fmt.Errorf("there is no status %d; use one from 200 to 599", n)
	}
	return int(n), nil
}
