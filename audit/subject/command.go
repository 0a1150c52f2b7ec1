package subject

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The placeholders of a command.
const (
	URL    = "url"    // where the fault is
	Warm   = "warm"   // a URL that is always well, for a request that warms a connection up
	Method = "method" // of the probe
	Body   = "body"   // of the probe
	Key    = "key"    // the Idempotency-Key of the probe
)

// A Command is what a user wants to have audited.
type Command struct {
	Args []string // the program and its words, with placeholders in braces
	Dir  string   // where it runs; "": here
	Env  []string // KEY=value, after the user's environment
}

// Has tells whether a word of the command holds the placeholder.
func (c Command) Has(name string) bool {
	return slices.ContainsFunc(c.Args, func(word string) bool {
		return strings.Contains(strings.ReplaceAll(word, "$"+brace(name), ""), brace(name))
	})
}

// With returns the words with the values in place of their placeholders, also inside a
// word. What has no value stays as it is: braces are common in shell lines and JSON. So
// does ${url}, a variable of the shell. A value is put in as it is, so that in a line for
// a shell the quotes are the user's business.
func (c Command) With(values map[string]string) []string {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, "$"+brace(name), "$"+brace(name), brace(name), value)
	}
	replacer := strings.NewReplacer(pairs...) // in one pass: a body that says {url} stays
	words := make([]string, len(c.Args))
	for i, word := range c.Args {
		words[i] = replacer.Replace(word)
	}
	return words
}

func brace(name string) string { return "{" + name + "}" }

// Check says what is wrong with the command before it is run many times, in one line
// with the cure.
func (c Command) Check() error {
	const form = "labctl audit -- curl -s {url}"
	switch {
	case len(c.Args) == 0 || c.Args[0] == "":
		return fmt.Errorf("no command: write it behind two dashes, as in %s", form)
	case len(c.Args) == 1 && strings.ContainsAny(c.Args[0], " \t\n"):
		return fmt.Errorf("the command %s is one word with spaces in it: write its words without the quotes around all, or a shell line as sh -c %s", quoted(c.Args[0]), quoted(c.Args[0]))
	case c.Has(URL):
		return nil
	case slices.ContainsFunc(c.Args, func(word string) bool { return strings.Contains(word, "${url}") }):
		return errors.New("the command has no {url}, and ${url} is the shell's: write {url} where the address goes, in single quotes")
	}
	return fmt.Errorf("the command has no {url}, so it would never reach the tail: write {url} where the address goes, as in %s; for a program that reads it from a variable, env NAME={url} %s", form, c.Args[0])
}

// quoted clips a word of the user's for a message.
func quoted(word string) string {
	if runes := []rune(word); len(runes) > 60 {
		word = string(runes[:60]) + "…"
	}
	return "'" + strings.Join(strings.Fields(word), " ") + "'"
}
