package ui

import (
	"fmt"
	"regexp"
	"strings"

	"labctl/report"
	"labctl/topology/file"
)

// command is the line that gives the same numbers in a terminal.
func (m prepared) command() string {
	s := m.lab.Scenario
	name := s.Name
	if s.File != "" {
		name = s.File
	}
	words := []string{"labctl", "run", shellWord(name), "--variant", shellWord(s.Variants[0].Name)}
	if m.lab.PolicyFile != "" {
		words = append(words, "--policy", shellWord(m.lab.PolicyFile))
	}
	for _, c := range m.changes {
		words = append(words, "--"+c.flag, shellWord(c.value))
	}
	return strings.Join(append(words, "--engine", "sim"), " ")
}

// yaml is the lab as a file that holds just this, with the limit as what is expected.
func (m prepared) yaml() []byte {
	s := m.lab.Scenario
	lab := file.Lab{Name: "lab.yaml", Title: s.Title, Topology: m.topology()}
	header := fmt.Sprintf("# %s, variant %s, as it was set on the page of labctl ui.\n", report.Clean(m.lab.Name()), m.state.Variant)
	if limit, _ := m.state.limit(); limit > 0 {
		lab.Expect = []file.Expectation{{Field: "retry_peak", Condition: fmt.Sprintf("<= %d", limit)}}
	}
	header += "# The same numbers: labctl run FILE --engine sim\n"
	return append([]byte(header), file.Write(lab)...)
}

var plainWord = regexp.MustCompile(`^[\w.,:=+%@/-]+$`)

// shellWord quotes a word for a shell where it needs that.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
