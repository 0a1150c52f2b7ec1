package main

import (
	"fmt"

	"github.com/spf13/pflag"
)

// onceFlag is text that is given once. A plain one would drop the first of two values
// without a word, and with it a file that somebody waits for.
type onceFlag struct {
	text *string
	said bool
}

// onceVarP adds a flag with a shorthand, by which an error names it.
func onceVarP(flags *pflag.FlagSet, text *string, name, shorthand, usage string) {
	flags.VarP(&onceFlag{text: text}, name, shorthand, usage)
}

func (f *onceFlag) String() string {
	if f.text == nil { // the zero value, which the usage compares with
		return ""
	}
	return *f.text
}

func (f *onceFlag) Set(text string) error {
	if f.said {
		return givenTwice{*f.text, text}
	}
	*f.text, f.said = text, true
	return nil
}

func (*onceFlag) Type() string { return "string" }

// givenTwice says that -o stands twice.
type givenTwice struct{ first, second string }

func (e givenTwice) Error() string {
	return fmt.Sprintf("-o %s -o %s: one command writes to one place: keep one of them", e.first, e.second)
}
