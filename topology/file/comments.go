package file

import (
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Format gives the canonical text of a file, a lab or the policies of one call, and
// keeps its comments: one on a line of its own stays in front of what it stood in front of, one behind a key stays
// behind it. Where the key has no place in the canonical text, since it said a
// default, the comment goes to what held it. What cannot be read is an error.
func Format(name string, data []byte) ([]byte, error) {
	root, r, err := canonical(name, data)
	if err != nil {
		return nil, err
	}
	found := comments(string(data), r.root)
	r.attach(root, found)
	out := emit(root)
	_, again, err := canonical(name, out)
	if err != nil {
		return nil, r.file("its canonical text could not be read again, which is a bug of labctl: %v", err)
	}
	if kept := len(comments(string(out), again.root)); kept != len(found) {
		return nil, r.file("%d of %d comments would be kept, which is a bug of labctl", kept, len(found))
	}
	return out, nil
}

// canonical is what a file of either kind says, as the nodes of its canonical text.
func canonical(name string, data []byte) (*node, *reader, error) {
	r, err := open(name, data)
	if err != nil {
		return nil, r, err
	}
	if isPolicyFile(r.root) {
		policies, err := r.policyFile()
		return policyTree(policies), r, err
	}
	lab, err := r.readLab()
	if err != nil {
		return nil, r, err
	}
	return tree(lab), r, nil
}

// comment is one, with its #.
type comment struct {
	position
	text string
	own  bool // nothing else is on its line
	gap  bool // an empty line is in front of it
}

// comments finds all comments of a text. The library hangs them on nodes as well,
// but loses some of them in flow style.
func comments(text string, root *yaml.Node) []comment {
	s := scanner{lines: strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n")}
	s.collect(root)
	for s.line = 0; s.line < len(s.lines); s.line++ {
		s.scan(0)
	}
	return s.found
}

type scanner struct {
	lines  []string
	opaque []*yaml.Node // quoted and literal values that may hold a #, in order
	line   int          // from 0
	found  []comment
}

func (s *scanner) collect(n *yaml.Node) {
	const styles = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Kind == yaml.ScalarNode && n.Style&styles != 0 {
		s.opaque = append(s.opaque, n)
	}
	for _, c := range n.Content {
		s.collect(c)
	}
}

// scan looks for a comment on the line, from a byte on.
func (s *scanner) scan(from int) {
	line := strings.TrimSuffix(s.lines[s.line], "\r")
	column := utf8.RuneCountInString(line[:min(from, len(line))]) + 1
	for i := from; i < len(line); i++ {
		if !utf8.RuneStart(line[i]) {
			continue
		}
		if len(s.opaque) > 0 && s.opaque[0].Line == s.line+1 && s.opaque[0].Column == column {
			s.skip(i)
			return
		}
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			s.found = append(s.found, comment{
				position{s.line + 1, column}, strings.TrimRight(line[i:], " \t"),
				strings.TrimSpace(line[:i]) == "", s.line > 0 && strings.TrimSpace(s.lines[s.line-1]) == "",
			})
			return
		}
		column++
	}
}

// skip passes over the value that starts at a byte of the line, and looks on.
func (s *scanner) skip(at int) {
	n := s.opaque[0]
	s.opaque = s.opaque[1:]
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		s.scan(at + 1) // its header may have a comment
		s.skipBlock(strings.ContainsAny(header(s.lines[n.Line-1][at:]), "123456789"), n)
		return
	}
	quote := s.lines[s.line][at]
	for i := at + 1; ; i++ {
		for i >= len(s.lines[s.line]) {
			if s.line++; s.line >= len(s.lines) {
				return
			}
			i = 0
		}
		switch c := s.lines[s.line][i]; {
		case c == '\\' && quote == '"':
			i++
		case c == quote && quote == '\'' && strings.HasPrefix(s.lines[s.line][i+1:], "'"):
			i++
		case c == quote:
			s.scan(i + 1)
			return
		}
	}
}

// header is what stands behind | or > before anything else.
func header(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// skipBlock passes over the lines of a literal: those that are indented as its
// first one, or more than its key where it says its indentation itself.
func (s *scanner) skipBlock(says bool, n *yaml.Node) {
	least := 0
	if says {
		least = len(indentOf(s.lines[n.Line-1])) + 1
	}
	for s.line+1 < len(s.lines) {
		next := strings.TrimSuffix(s.lines[s.line+1], "\r")
		indent := len(next) - len(strings.TrimLeft(next, " "))
		blank := strings.TrimSpace(next) == ""
		if !blank && least == 0 {
			least = max(indent, len(indentOf(s.lines[n.Line-1]))+1)
		}
		if !blank && indent < least {
			return
		}
		s.line++
	}
}

// attach hangs comments on the nodes that they belong to.
func (r *reader) attach(root *node, found []comment) {
	nodes := map[string]*node{}
	root.index(nodes)
	slices.SortStableFunc(r.marks, func(a, b mark) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return a.column - b.column
	})
	for _, c := range found {
		after, _ := slices.BinarySearchFunc(r.marks, c.line+1, func(m mark, line int) int { return m.line - line })
		switch {
		case !c.own && after > 0 && r.marks[after-1].line == c.line:
			n, exact := nearest(nodes, r.marks[r.leading(c.line)].at)
			if exact && n.tail == "" && n != root {
				n.tail = c.text
				continue
			}
			n.comment(c)
		case after < len(r.marks) && c.column <= r.marks[after].column:
			n, _ := nearest(nodes, r.marks[after].at)
			n.comment(c)
		default:
			r.foot(nodes, after, c)
		}
	}
}

// comment puts a comment on a line of its own before the node; the root has no
// line to be before.
func (n *node) comment(c comment) {
	if n.at == "" {
		n.foot = withGap(n.foot, c)
		return
	}
	n.head = withGap(n.head, c)
}

// leading is the innermost mark at the start of a line that has one.
func (r *reader) leading(line int) int {
	i, _ := slices.BinarySearchFunc(r.marks, line, func(m mark, line int) int { return m.line - line })
	for i+1 < len(r.marks) && r.marks[i+1].position == r.marks[i].position {
		i++
	}
	return i
}

// foot puts a comment that is indented deeper than what follows behind the keys of
// the map that it is indented as.
func (r *reader) foot(nodes map[string]*node, after int, c comment) {
	for i := after - 1; i >= 0; i-- {
		m := r.marks[r.leading(r.marks[i].line)]
		if m.column <= c.column {
			holder, _ := nearest(nodes, parent(m.at))
			holder.footComment(c)
			return
		}
		for i > 0 && r.marks[i-1].line == m.line {
			i--
		}
	}
	nodes[""].footComment(c)
}

// footComment puts a comment behind the kids of a node; where there are none, and
// it stays on one line, in front of it.
func (n *node) footComment(c comment) {
	if len(n.kids) == 0 {
		n.comment(c)
		return
	}
	n.foot = withGap(n.foot, c)
}

// withGap keeps comments apart that were.
func withGap(to []string, c comment) []string {
	if c.gap && len(to) > 0 {
		to = append(to, "")
	}
	return append(to, c.text)
}

// nearest is the node at a place, or the one that held it.
func nearest(nodes map[string]*node, at string) (n *node, exact bool) {
	if n := nodes[synonym(at)]; n != nil {
		return n, true
	}
	for at != "" {
		at = parent(at)
		if n := nodes[synonym(at)]; n != nil {
			return n, false
		}
	}
	return nodes[""], false
}

// synonym is the place that the canonical text has for another name of a field.
func synonym(at string) string {
	if rest, is := strings.CutPrefix(at, "load.loop"); is {
		return "load.herd" + rest
	}
	if rest, is := strings.CutSuffix(at, ".retries"); is {
		return rest + ".attempts"
	}
	return at
}

func parent(at string) string { return at[:max(strings.LastIndexAny(at, "./"), 0)] }
