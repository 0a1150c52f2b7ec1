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

// share is the line that opens the page with this state for somebody else: the address
// of a page ends with its program. A file goes by the name that it has there.
func (m prepared) share() string {
	words, s := []string{"labctl", "ui"}, m.state
	if m.lab.own() {
		words, s.Lab = append(words, shellWord(m.lab.Name())), ""
	}
	if query := s.Query(); query != "" {
		words = append(words, "--state", shellWord(query))
	}
	return strings.Join(words, " ")
}

// yaml is the lab as a file that holds just this, with the limit as what is expected.
func (m prepared) yaml() []byte {
	s := m.lab.Scenario
	lab := file.Lab{Name: "lab.yaml", Title: s.Title, Topology: m.topology()}
	from := report.Clean(m.lab.Name())
	if m.lab.PolicyFile == "" {
		from += ", variant " + m.state.Variant
	}
	header := "# " + from + ", as it was set on the page of labctl ui.\n"
	if m.limit.most > 0 {
		lab.Expect = []file.Expectation{{Field: "retry_peak", Condition: fmt.Sprintf("<= %d", m.limit.most)}}
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
