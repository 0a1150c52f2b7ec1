package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// command is the line that gives the result of a scenario again. It leaves out
// what only says where the result goes, and names the scenario alone: the others
// of the same line have results of their own.
func command(c *cobra.Command, scenario, net string) string {
	name := c.Name()
	if name == "check" {
		name = "run" // which gives the result that a check looks at
	}
	words := []string{"labctl", name, scenario}
	add := func(flag, value string) { words = append(words, "--"+flag, shellWord(value)) }
	c.Flags().Visit(func(f *pflag.Flag) {
		values, repeated := f.Value.(pflag.SliceValue)
		switch {
		case notOfTheLab[f.Name]:
		case repeated:
			for _, v := range values.GetSlice() {
				add(f.Name, v)
			}
		case f.Value.Type() == "bool" && f.Value.String() == "true":
			words = append(words, "--"+f.Name)
		case f.Value.Type() == "bool":
			words = append(words, "--"+f.Name+"=false")
		default:
			add(f.Name, f.Value.String())
		}
	})
	if _, said := given(c, "net"); !said && net != "" && net != defaultNet {
		add("net", net) // a baseline's
	}
	return strings.Join(words, " ")
}

// notOfTheLab are flags that change no number.
var notOfTheLab = map[string]bool{"format": true, "output": true, "quiet": true, "update": true, "watch": true, "trace": true}

var plainWord = regexp.MustCompile(`^[\w.,:=+%@/-]+$`)

// shellWord quotes a word for a shell where it needs that.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
