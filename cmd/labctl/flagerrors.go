package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"labctl/internal/suggest"
)

// flagError words what the flag parser refused.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var twice givenTwice
	switch {
	case errors.As(err, &twice) && c.Name() == "run":
		return fmt.Errorf("%w, as a .json, of which labctl report FILE.json -o makes the other", twice)
	case errors.As(err, &twice):
		return twice
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &empty):
		name, _ := pflag.UnquoteUsage(empty.GetFlag())
		return fmt.Errorf("--%s: its value is missing: write --%s %s", empty.GetFlag().Name, empty.GetFlag().Name, name)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if f.Value.Type() == "bool" {
			return fmt.Errorf("--%s: %q is neither true nor false", f.Name, invalid.GetValue())
		}
		if f.Value.Type() == "duration" {
			return fmt.Errorf("--%s: %q is not a duration: write it like 50ms, 1.5s or 2m", f.Name, invalid.GetValue())
		}
		return fmt.Errorf("--%s: %q is not a whole number", f.Name, invalid.GetValue())
	}
	return err
}

// unknownFlag suggests the flag that was meant, also to those who write long
// flags with one dash, as Go programs do.
func unknownFlag(c *cobra.Command, e *pflag.NotExistError) error {
	see := "labctl help lists the commands"
	if c.HasParent() {
		see = c.CommandPath() + " --help lists them"
	}
	if c.Name() == "audit" && c.Flags().NArg() > 0 {
		return behindDashes(c, c.Flags().Args())
	}
	if word := e.GetSpecifiedShortnames(); word != "" {
		name, _, _ := strings.Cut(word, "=")
		if c.Flags().Lookup(name) != nil {
			return fmt.Errorf("no flag -%s: write --%s, with two dashes", word, word)
		}
		return fmt.Errorf("no flag -%s: %s", word, see)
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	word := "--" + e.GetSpecifiedName()
	return fmt.Errorf("no flag %s: %s%s", word, see, suggest.DidYouMean(word, known))
}

// layerField finds the field of a retry policy that an error is about.
var layerField = regexp.MustCompile(`^(?:--[\w-]+: )?services\.[\w-]+\.calls\.[\w-]+\.retry\.(\w+): (.*)$`)

// faultField finds the fault of a service.
var faultField = regexp.MustCompile(`^services\.[\w-]+\.fault: (.*)$`)

// brokenPath is how the topology joins the name of a service to a field.
var brokenPath = regexp.MustCompile(`^(services\.[\w-]+): (calls\.|fault:)`)

// byFlag names the flag instead of the field, for an error in a field that a
// flag sets: who wrote a flag has never seen the field.
func (f *labFlags) byFlag(c *cobra.Command, err error) error {
	text := brokenPath.ReplaceAllString(err.Error(), "$1.$2")
	for _, s := range f.set {
		if path, _, _ := strings.Cut(s, "="); strings.HasPrefix(text, path+": ") {
			return errors.New("--set " + text)
		}
	}
	for _, p := range plainFlags {
		if rest, ok := strings.CutPrefix(text, p.path+":"); ok {
			return fmt.Errorf("--%s:%s", p.name, rest)
		}
	}
	if m := layerField.FindStringSubmatch(text); m != nil {
		if _, ok := given(c, m[1]); ok {
			return fmt.Errorf("--%s: %s", m[1], m[2])
		}
	}
	if m := faultField.FindStringSubmatch(text); m != nil {
		if _, ok := given(c, "fault"); ok {
			return errors.New("--fault: " + m[1])
		}
	}
	return errors.New(text)
}
