package proxy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Option is something that a recipe can be told.
type Option struct {
	Name string
	Kind Kind
	Doc  string // what it does there, in the program's own terms
}

// Kind is what the value of an option looks like.
type Kind string

// The kinds of option.
const (
	Flag  Kind = "no value"
	Count Kind = "a number"
	Span  Kind = "a duration from 1ms to 1h"
	List  Kind = "words joined by +"
)

// The names of options, so that recipes cannot call one thing by two.
const (
	servers        = "servers"
	retries        = "retries"
	connectRetries = "connect-retries"
	on             = "on"
	statuses       = "statuses"
	nonIdempotent  = "non-idempotent"
	idempotentOnly = "idempotent-only"
	maxFails       = "max-fails"
	failTimeout    = "fail-timeout"
	readTimeout    = "read-timeout"
	tryDuration    = "try-duration"
	keepAlive      = "keep-alive"
	bufferRequest  = "buffer-request"
	redispatch     = "redispatch"
)

// most bounds counts: a tail is to be hit often, not for ever.
const most = 100

// check says what is wrong with options, the first by name.
func (r Recipe) check(options map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		o, known := r.option(name)
		if !known {
			return fmt.Errorf("proxy %s has no option %.40q: it knows %s", r.Name, name, r.known())
		}
		if err := r.checkValue(o, options[name]); err != nil {
			return fmt.Errorf("proxy %s: option %s: %w", r.Name, name, err)
		}
	}
	_, a := options[on]
	_, b := options[statuses]
	if a && b {
		return fmt.Errorf("proxy %s: on and statuses say the same thing: use one", r.Name)
	}
	return nil
}

// known lists the options with their values, for errors and help.
func (r Recipe) known() string {
	var names []string
	for _, o := range r.Options {
		switch o.Kind {
		case Flag:
			names = append(names, o.Name)
		case Count:
			names = append(names, o.Name+"=N")
		case Span:
			names = append(names, o.Name+"=1s")
		case List:
			names = append(names, o.Name+"="+r.example())
		}
	}
	return strings.Join(names, ", ")
}

func (r Recipe) checkValue(o Option, value string) error {
	switch o.Kind {
	case Flag:
		if value != "" {
			return fmt.Errorf("it takes no value, and has %.40q", value)
		}
	case Count:
		least := 0
		if o.Name == servers {
			least = 1
		}
		if n, err := strconv.Atoi(value); err != nil || n < least || n > most {
			return fmt.Errorf("%.40q is not a number from %d to %d", value, least, most)
		}
	case Span:
		d, err := time.ParseDuration(value)
		if err != nil || d < time.Millisecond || d > time.Hour {
			return fmt.Errorf("%.40q is not %s", value, o.Kind)
		}
	case List:
		for word := range strings.SplitSeq(value, "+") {
			if _, err := r.word(word); err != nil {
				return err
			}
		}
	}
	return nil
}

// word translates a word of on= into the program's language.
func (r Recipe) word(word string) (string, error) {
	if own, ok := r.words[word]; ok {
		return own, nil
	}
	if n, err := strconv.Atoi(word); err == nil && r.status != "" && n >= 400 && n <= 599 {
		return strings.ReplaceAll(r.status, "%s", word), nil
	}
	return "", fmt.Errorf("%.40q is nothing that it can try again: it knows %s", word, r.example())
}

// example shows all words that on= takes.
func (r Recipe) example() string {
	words := slices.Sorted(maps.Keys(r.words))
	if r.status != "" {
		words = append(words, "503")
	}
	return strings.Join(words, "+")
}
