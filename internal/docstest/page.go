package docstest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// slow is the mark of a session that is run on request only.
const slow = "slow"

// A Page is a Markdown file whose blocks are put to the test.
type Page struct {
	Text   string
	Dir    string                  // an empty folder, which the commands run in
	Slow   bool                    // run the slow sessions too
	Module string                  // folder of the module, which parts of files are looked for in
	Env    []string                // of the commands, beside that of the test
	Live   func(cmd string) bool   // whether a command runs against the clock
	Edit   func(cmd string) string // what to run in place of a command; nil: itself
}

// Check runs a page. It returns what is wrong, a line each, and the page with
// the outputs as they are now, as far as it shows them whole: an update writes it back.
func (p Page) Check() (wrong []string, now string) {
	blocks := Blocks(p.Text)
	outputs := map[int]string{}
	for i, b := range blocks {
		var said []string
		switch {
		case b.Lang == "console" && b.Name == slow && !p.Slow:
		case b.Lang == "console":
			outputs[i], said = p.session(b)
		case b.Lang == "go" && b.Name != "":
			said = p.partOf(b)
		case b.Name != "":
			said = p.write(b)
		case b.Lang == "sh" || b.Lang == "bash" || b.Lang == "shell":
			said = []string{fmt.Sprintf("line %d: a block of %s is not run: make it a console block", b.Line, b.Lang)}
		}
		wrong = append(wrong, said...)
	}
	now = p.Text
	for i := len(blocks) - 1; i >= 0; i-- {
		if text, ran := outputs[i]; ran {
			b := blocks[i]
			now = now[:b.offset] + text + now[b.offset+len(b.Text):]
		}
	}
	return wrong, now
}

// session runs the commands of a block, and returns the block as it is now.
func (p Page) session(b Block) (now string, wrong []string) {
	all := commands(b.Text)
	for len(all) > 0 {
		c := all[0]
		all = all[1:]
		if c.script == "" {
			wrong = append(wrong, fmt.Sprintf("line %d: an output without a command", b.Line+c.line))
			now += c.output
			continue
		}
		got := p.run(c.script)
		for len(all) > 0 && strings.Contains(got, all[0].shown) { // a prompt that it printed itself
			c.output += all[0].shown + all[0].output
			all = all[1:]
		}
		live := p.Live != nil && p.Live(c.script)
		if diff := Match(c.output, got, live); diff != "" {
			wrong = append(wrong, fmt.Sprintf("line %d: $ %s: %s\n%s", b.Line+c.line, strings.TrimSpace(c.script), diff, got))
			if !abridged(c.output, got) {
				c.output = got
			}
		}
		now += c.shown + c.output
	}
	return now, wrong
}

// abridged tells an output that leaves something out: a line has a "…" that the
// command did not print.
func abridged(shown, got string) bool {
	for line := range strings.Lines(shown) {
		if strings.Contains(line, "…") && !strings.Contains(got, line) {
			return true
		}
	}
	return false
}

// run runs a command as a terminal would show it.
func (p Page) run(script string) string {
	if p.Edit != nil {
		script = p.Edit(script)
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), p.Env...)
	out, err := cmd.CombinedOutput()
	text := string(out)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if err != nil {
		text += fmt.Sprintf("(%v)\n", strings.Replace(err.Error(), "exit status", "exit code", 1))
	}
	return text
}

// write makes a block a file.
func (p Page) write(b Block) []string {
	path := filepath.Join(p.Dir, filepath.FromSlash(b.Name))
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(b.Text), 0o644)
	}
	if err != nil {
		return []string{fmt.Sprintf("line %d: %v", b.Line, err)}
	}
	return nil
}

// partOf wants a block in the file of the module that it is said to be from.
func (p Page) partOf(b Block) []string {
	data, err := os.ReadFile(filepath.Join(p.Module, filepath.FromSlash(b.Name)))
	if err != nil {
		return []string{fmt.Sprintf("line %d: %v", b.Line, err)}
	}
	if !strings.Contains(string(data), b.Text) {
		return []string{fmt.Sprintf("line %d: this is not a part of %s", b.Line, b.Name)}
	}
	return nil
}
