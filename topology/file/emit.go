package file

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// node is a piece of a file on its way out.
type node struct {
	kind kind
	key  string  // in a map
	text string  // of a value
	kids []*node // of a map or list

	block bool   // always one kid on a line
	at    string // what comments hold on to: the path, or near it

	head, foot []string // comments on lines of their own: before it, and behind its kids
	tail       string   // a comment on its line
}

type kind uint8

const (
	aValue kind = iota
	aMap
	aList
	aString // a value that must not look like a number or a truth
)

func scalar(text string) *node { return &node{text: text} }

func prose(text string) *node { return &node{kind: aString, text: strings.TrimSpace(text)} }

// value is a value, or the list of those between commas.
func value(text string, many bool) *node {
	words := strings.Split(text, ",")
	if !many || len(words) == 1 {
		return scalar(text)
	}
	n := &node{kind: aList}
	for _, w := range words {
		n.kids = append(n.kids, scalar(strings.TrimSpace(w)))
	}
	return n
}

func (n *node) add(key string, kid *node) {
	kid.key = key
	n.kids = append(n.kids, kid)
}

// first puts a kid in front of the others.
func (n *node) first(key string, kid *node) {
	kid.key = key
	n.kids = append([]*node{kid}, n.kids...)
}

// keep leaves the other kids out.
func (n *node) keep(which func(*node) bool) {
	n.kids = slices.DeleteFunc(n.kids, func(k *node) bool { return !which(k) })
}

// width is how long a line may get before what is on it is spread over several.
const width = 100

// emit writes the tree.
func emit(root *node) []byte {
	e := emitter{}
	for i, k := range root.kids {
		if i > 0 && len(k.head) > 0 {
			e.out.WriteByte('\n')
		}
		e.kid(k, 0)
	}
	e.comments(root.foot, 0)
	return e.out.Bytes()
}

type emitter struct{ out bytes.Buffer }

func (e *emitter) indent(n int) { e.out.WriteString(strings.Repeat(" ", n)) }

func (e *emitter) comments(lines []string, indent int) {
	for _, c := range lines {
		if c != "" {
			e.indent(indent)
		}
		e.out.WriteString(c + "\n")
	}
}

// kid writes a key with its value.
func (e *emitter) kid(n *node, indent int) {
	e.comments(n.head, indent)
	e.indent(indent)
	e.rest(n, indent)
}

// rest writes a key with its value where the indentation is there already.
func (e *emitter) rest(n *node, indent int) {
	key := quoted(n.key, false) + ":"
	tail := ""
	if n.tail != "" {
		tail = " " + n.tail
	}
	if literal(n) {
		e.out.WriteString(key + " |-" + tail + "\n")
		for line := range strings.SplitSeq(n.text, "\n") {
			if line != "" {
				e.indent(indent + 2)
			}
			e.out.WriteString(line + "\n")
		}
		return
	}
	if n.oneLine() {
		if line := key + " " + n.flow(); !n.block && (n.short() || indent+utf8.RuneCountInString(line) <= width) {
			e.out.WriteString(line + tail + "\n")
			return
		}
	}
	e.out.WriteString(key + tail + "\n")
	if n.kind == aList {
		e.items(n, indent+2)
		return
	}
	for _, k := range n.kids {
		e.kid(k, indent+2)
	}
	e.comments(n.foot, indent+2)
}

// items writes the items of a list. An item has no key that a comment could stand
// behind, so such a one goes in front of it.
func (e *emitter) items(n *node, indent int) {
	for _, item := range n.kids {
		e.comments(item.head, indent)
		single := item.kind == aMap && len(item.kids) == 1
		if single && item.kids[0].tail == "" {
			item.kids[0].tail, item.tail = item.tail, ""
		}
		if !single && item.oneLine() {
			if flow := item.flow(); item.short() || indent+2+utf8.RuneCountInString(flow) <= width {
				e.indent(indent)
				e.out.WriteString(strings.TrimSuffix("- "+flow+" "+item.tail, " ") + "\n")
				continue
			}
		}
		first := item.kids[0]
		if item.tail != "" {
			e.comments([]string{item.tail}, indent)
		}
		e.comments(first.head, indent)
		e.indent(indent)
		e.out.WriteString("- ")
		e.rest(first, indent+2)
		for _, k := range item.kids[1:] {
			e.kid(k, indent+2)
		}
		e.comments(item.foot, indent+2)
	}
	e.comments(n.foot, indent)
}

// oneLine reports whether no comment needs a line inside of the node.
func (n *node) oneLine() bool {
	if len(n.foot) > 0 || n.block || literal(n) {
		return false
	}
	for _, k := range n.kids {
		if len(k.head) > 0 || k.tail != "" || !k.oneLine() {
			return false
		}
	}
	return true
}

// short reports whether there is nothing to spread over lines.
func (n *node) short() bool { return n.kind == aValue || n.kind == aString || len(n.kids) == 0 }

// flow is the node on one line.
func (n *node) flow() string {
	switch n.kind {
	case aValue, aString:
		return quoted(n.text, n.kind == aString)
	}
	parts := make([]string, len(n.kids))
	for i, k := range n.kids {
		parts[i] = k.flow()
		if n.kind == aMap {
			parts[i] = quoted(k.key, false) + ": " + parts[i]
		}
	}
	if n.kind == aMap {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// literal reports whether a text is written as lines below its key.
func literal(n *node) bool {
	return n.kind == aString && strings.Contains(n.text, "\n") && !strings.ContainsFunc(n.text, func(r rune) bool {
		return r != '\n' && !unicode.IsPrint(r)
	})
}

// quoted is a value as it stands in a file: plain where nothing could take it for
// anything else, on a line of its own or in a list. A string never is in a list.
func quoted(text string, isString bool) string {
	if plain(text, isString) && !(isString && typed(text)) {
		return text
	}
	return strconv.Quote(strings.ToValidUTF8(text, "\uFFFD"))
}

func plain(text string, commas bool) bool {
	if text == "" || strings.EqualFold(text, "null") || strings.HasSuffix(text, " ") || strings.Contains(text, "  ") {
		return false
	}
	for i, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '/'
		switch {
		case letter:
		case i == 0:
			if r != '-' || len(text) == 1 || !(text[1] >= '0' && text[1] <= '9') {
				return false
			}
		case r == ',' && commas:
		case r == ':':
			if i+1 == len(text) || text[i+1] == ' ' {
				return false
			}
		case !strings.ContainsRune(" .+-%()=;@×·–—…'", r):
			return false
		}
	}
	return true
}

// typed reports whether YAML would take a plain text for more than a text.
func typed(text string) bool {
	switch strings.ToLower(text) {
	case "true", "false", "yes", "no", "on", "off", "y", "n":
		return true
	}
	_, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return err == nil || strings.Trim(text, "0123456789abcdefxABCDEFoX_-:. T+Z") == "" // also dates, and other bases
}
