package proxy

import (
	"fmt"
	"slices"
	"strings"
)

// A Recipe is how to run one kind of proxy.
type Recipe struct {
	Name     string   // as in --proxy
	Title    string   // as its makers write it
	Programs []string // its possible names in PATH or a folder of system programs
	Servers  int      // that it balances over by default: where an upstream is one address, that often
	Options  []Option

	file     string              // of the configuration
	args     []string            // of the program; {} is the folder of the files
	more     func(fill) []string // arguments that depend on the setup; may be nil
	env      []string            // of the program; {} likewise
	version  []string            // arguments that make it say its version
	modules  []string            // that Apache has to load
	words    map[string]string   // of on=, in the program's language
	status   string              // a status in it, %s being the digits; "": on= takes no statuses
	between  string              // the words
	statuses []string            // what the option statuses stands for, in words of on=
	abrupt   bool                // it takes a second to end when it is asked, and so is not
	leaves   func(fill) string   // a pattern of files outside of its folder, for an abrupt end; may be nil
}

// Named finds a recipe.
func Named(name string) (Recipe, error) {
	for _, r := range recipes() {
		if r.Name == name {
			return r, nil
		}
	}
	return Recipe{}, fmt.Errorf("no recipe for the proxy %.40q: there are %s", name, strings.Join(Names(), ", "))
}

// Names lists the recipes.
func Names() []string {
	var names []string
	for _, r := range recipes() {
		names = append(names, r.Name)
	}
	return names
}

// Parse reads a recipe with options, as in "nginx" or "nginx:statuses,max-fails=0".
// Options that are no more than a word are on. What the values may be is checked too.
func Parse(text string) (Recipe, map[string]string, error) {
	name, rest, more := strings.Cut(text, ":")
	r, err := Named(name)
	if err != nil {
		return Recipe{}, nil, err
	}
	options := map[string]string{}
	if more {
		for word := range strings.SplitSeq(rest, ",") {
			key, value, _ := strings.Cut(word, "=")
			if _, twice := options[key]; twice {
				return Recipe{}, nil, fmt.Errorf("proxy %s: the option %s is there twice: leave one out", name, key)
			}
			options[key] = value
		}
	}
	return r, options, r.check(options)
}

// option finds an option that the recipe knows.
func (r Recipe) option(name string) (Option, bool) {
	i := slices.IndexFunc(r.Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return Option{}, false
	}
	return r.Options[i], true
}
