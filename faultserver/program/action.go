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

var (
	actionWords = []string{"ok", "reset", closeWord, "hang", "refuse"}
	optionWords = []string{"delay", "retry-after", "date-retry-after", "body", closeWord}
)

// actionText gathers the words of one step before they are known to agree.
type actionText struct {
	Action
	named string   // the word of the action, when there is one besides close
	seen  []string // options, to catch repetition
}

// parseAction reads an action and its options, in any order.
func parseAction(text string) (Action, error) {
	if text == "" {
		return Action{}, errors.New("there is no action; known are " + knownActions)
	}
	var a actionText
	for word := range strings.SplitSeq(text, "+") {
		if err := a.add(word); err != nil {
			return Action{}, err
		}
	}
	a.settle()
	return a.Action, a.check()
}

// add takes one word between plus signs.
func (a *actionText) add(word string) error {
	if word == "" {
		return errors.New("a + joins an action and an option; write for example 503+delay=60ms")
	}
	name, value, valued := strings.Cut(word, "=")
	if !valued && word != closeWord {
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
	switch word {
	case "ok":
		a.Kind = OK
	case "reset":
		a.Kind = Reset
	case "hang":
		a.Kind = Hang
	case "refuse":
		a.Kind = Refuse
	default:
		a.Kind = Status
		a.Status, err = parseStatus(word)
	}
	return err
}

func (a *actionText) option(name, value string) (err error) {
	switch name {
	case "delay":
		a.Delay, err = parseDelay(value)
	case "retry-after":
		a.RetryAfter, err = parseSeconds(value)
	case "date-retry-after":
		a.RetryAfterDate = true
		a.RetryAfter, err = parseSeconds(value)
	case "body":
		a.Body, err = parseSize(value)
	case closeWord:
		err = errors.New("close takes no value; write +close")
	default:
		err = fmt.Errorf("unknown option %s; known are %s%s", quote(name), strings.Join(optionWords, ", "), suggest.DidYouMean(name, optionWords))
	}
	return err
}

// settle decides what close meant, and what a step of options only is.
func (a *actionText) settle() {
	closes := slices.Contains(a.seen, closeWord)
	a.Close = closes && a.named != ""
	if closes && a.named == "" {
		a.Kind = Close
	}
	if a.Kind == OK {
		a.Status = statusOK
	}
}

// check refuses words that cannot all come true.
func (a *actionText) check() error {
	answer := a.RetryAfter > 0 || a.Body > 0 || a.Close
	switch {
	case a.Kind == Refuse:
		return nil // the whole program decides, see checkRefuse
	case slices.Contains(a.seen, "retry-after") && slices.Contains(a.seen, "date-retry-after"):
		return errors.New("retry-after and date-retry-after are one header; keep one")
	case !a.Kind.Answers() && answer:
		return fmt.Errorf("%s sends no answer that could carry options; keep at most a delay", a.Kind)
	case a.Kind == Hang && a.Delay > 0:
		return errors.New("hang never answers, so nothing is left to delay; write delay or hang")
	case a.Body > 0 && (a.Status == 204 || a.Status == 205 || a.Status == 304):
		return fmt.Errorf("a %d answer has no body; drop body or use another status", a.Status)
	}
	return nil
}

func parseStatus(word string) (int, error) {
	if slices.Contains(optionWords, word) {
		return 0, fmt.Errorf("%s lacks its value; write for example %s", word, optionExample(word))
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

const (
	statusOK     = 200
	knownActions = "ok, a status such as 503, reset, close, hang, refuse"
)

func optionExample(name string) string {
	switch name {
	case "delay":
		return "delay=60ms"
	case "body":
		return "body=64KiB"
	}
	return name + "=2"
}
