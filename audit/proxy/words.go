package proxy

import (
	"fmt"
	"slices"
	"strings"

	"labctl/audit/subject"
)

// A startError is a proxy that ended before it answered.
type startError struct {
	name   string
	dir    string
	result subject.Result
}

func (e *startError) Error() string {
	if e.result.Err != nil {
		return fmt.Sprintf("proxy %s: %v", e.name, e.result.Err)
	}
	return fmt.Sprintf("proxy %s ended at its start with code %d and said: %s", e.name, e.result.Code, lastWords(e.result.Output, e.dir))
}

// portTaken reports whether another port would help.
func (e *startError) portTaken() bool {
	return strings.Contains(strings.ToLower(e.result.Output), "in use")
}

// pleasantries mark lines that HAProxy and Caddy print when all is well.
var pleasantries = []string{"[NOTICE]", `"level":"info"`}

// maxWords bounds the last words, in bytes.
const maxWords = 400

// lastWords is what a proxy said of its end, in one line, each thing once, and without
// the folder that is gone by then.
func lastWords(output, dir string) string {
	output = strings.ReplaceAll(output, dir+"/", "")
	var lines []string
	for line := range strings.SplitSeq(output, " | ") {
		pleasant := slices.ContainsFunc(pleasantries, func(p string) bool { return strings.Contains(line, p) })
		if line != "" && !pleasant && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	words := strings.Join(lines, " | ")
	switch {
	case words == "":
		return "nothing"
	case len(words) > maxWords:
		return strings.ToValidUTF8(words[:maxWords], "") + "…"
	}
	return words
}
