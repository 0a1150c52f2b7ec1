package docstest

import "strings"

// A Block is a fenced block of a page.
type Block struct {
	Line   int    // of its first line of text, from 1
	Lang   string // first word behind the fence
	Name   string // second word: a file, or empty
	Text   string
	offset int // of Text in the page
}

// Blocks returns the fenced blocks of a page in their order.
func Blocks(page string) []Block {
	var found []Block
	var open *Block
	line, offset := 0, 0
	for text := range strings.Lines(page) {
		line++
		offset += len(text)
		fence := strings.HasPrefix(text, "```")
		switch {
		case fence && open != nil:
			open.Text = page[open.offset : offset-len(text)]
			found = append(found, *open)
			open = nil
		case fence:
			words := strings.Fields(strings.TrimLeft(text, "`"))
			open = &Block{Line: line + 1, offset: offset}
			if len(words) > 0 {
				open.Lang = words[0]
			}
			if len(words) > 1 {
				open.Name = words[1]
			}
		}
	}
	return found
}

// A command of a session, and what it prints.
type command struct {
	line   int // from 0, in the block
	script string
	shown  string // as it stands in the block, prompts and all
	output string
}

// commands takes a session apart. What stands before the first prompt is the
// output of nothing, which no command can have: it is returned as a command
// without a script.
func commands(text string) []command {
	var found []command
	n := -1
	for line := range strings.Lines(text) {
		n++
		if script, is := strings.CutPrefix(line, "$ "); is {
			found = append(found, command{line: n, script: script, shown: line})
			continue
		}
		if len(found) == 0 {
			found = append(found, command{line: n})
		}
		last := &found[len(found)-1]
		if more, is := strings.CutPrefix(line, "> "); is && last.output == "" && last.script != "" {
			last.script += more
			last.shown += line
			continue
		}
		last.output += line
	}
	return found
}
