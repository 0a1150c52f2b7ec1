package program

import (
	"errors"
	"fmt"
	"strings"

	"labctl/internal/suggest"
)

var optionWords = []string{
	"delay", "over", "retry-after", "date-retry-after", "raw-retry-after", "location", "body", "burst", closeWord,
}

// shapeWords are the distributions that have a name.
var shapeWords = []string{"uniform", "exponential", "lognormal", "empirical"}

func (a *actionText) option(name, value string) (err error) {
	switch name {
	case "delay":
		err = a.delay(value)
	case "over":
		a.Over, err = parseOver(value)
	case "retry-after":
		err = a.retryAfter(value)
	case "date-retry-after":
		a.RetryAfterDate = true
		a.RetryAfter, err = parseSeconds(value)
	case "raw-retry-after":
		err = a.rawRetryAfter(value)
	case "location":
		err = a.location(value)
	case "body":
		a.Body, err = parseSize(value)
	case "burst":
		a.Rate.Burst, err = parseBurst(value)
	case closeWord:
		err = errors.New("close takes no value; write +close")
	default:
		err = fmt.Errorf("unknown option %s; known are %s%s", quote(name), strings.Join(optionWords, ", "), suggest.DidYouMean(name, optionWords))
	}
	return err
}

// check refuses words that cannot all come true.
func (a *actionText) check() error {
	delays := a.Delay > 0 || !a.Drawn.IsZero()
	switch {
	case a.Kind == Refuse:
		return nil // the whole program decides, see checkRefuse
	case a.has("over") && a.Kind != Slow:
		return errors.New("over is the time of a slow body; write slow+over=2s")
	case a.has("burst") && a.Kind != Throttle:
		return errors.New("burst belongs to a throttle; write throttle=10/s+burst=5")
	case a.has("location") && (a.Kind != Status || a.Status/100 != 3):
		return errors.New("location is where a redirect goes; write 302+location=again")
	case a.Kind == Hang && delays:
		return errors.New("hang never answers, so nothing is left to delay; write delay or hang")
	case a.Body > 0 && (a.Status == 204 || a.Status == 205 || a.Status == 304):
		return fmt.Errorf("a %d answer has no body; drop body or use another status", a.Status)
	case a.has("body") && a.Body == 0 && a.Kind.needsBody():
		return fmt.Errorf("%s is about a body; give it one or leave body out for %s", a.Kind, size(DefaultBody))
	}
	return a.checkAnswer()
}

// checkAnswer refuses what needs an answer where there is none, or not such a one.
func (a *actionText) checkAnswer() error {
	retryAfter := ""
	for _, name := range a.seen {
		if strings.HasSuffix(name, "retry-after") {
			if retryAfter != "" {
				return fmt.Errorf("%s and %s are one header; keep one", retryAfter, name)
			}
			retryAfter = name
		}
	}
	switch cuts := a.Kind.cuts(); {
	case cuts && (retryAfter != "" || a.Close):
		return fmt.Errorf("%s stops within its answer; keep at most a delay and a body", a.Kind)
	case !cuts && !a.Kind.Answers() && (retryAfter != "" || a.Body > 0 || a.Close):
		return fmt.Errorf("%s sends no answer that could carry options; keep at most a delay", a.Kind)
	case a.Kind == Throttle && retryAfter != "":
		return fmt.Errorf("a throttle works out its own Retry-After; drop %s", retryAfter)
	}
	return nil
}

// valueExample shows an option, or a throttle, with its value.
func valueExample(name string) string {
	switch name {
	case "delay":
		return "delay=60ms"
	case "over":
		return "over=2s"
	case "raw-retry-after":
		return "raw-retry-after=soon"
	case "location":
		return "location=again"
	case "body":
		return "body=64KiB"
	case "burst":
		return "burst=5"
	case "throttle":
		return "throttle=10/s"
	}
	return name + "=2"
}
