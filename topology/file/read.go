package file

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"labctl/topology"
)

// Limits of a file. A lab of 1 000 services and 10 000 calls takes about 1 MB.
const (
	MaxBytes    = 4 << 20
	MaxVariants = 1000
	MaxRepeats  = 1_000_000
	// maxWork bounds variants × calls, since each variant is a topology that is
	// checked.
	maxWork = 1_000_000
)

// Read reads a file; the name is for errors, and that of the lab. It accepts one
// YAML document of one version, without anchors, aliases, tags and merge keys: a
// lab has no use for them, and what cannot be expanded cannot explode.
func Read(name string, data []byte) (Lab, error) {
	lab, _, err := read(name, data)
	return lab, err
}

// read returns the marks of the file as well, which comments hold on to.
func read(name string, data []byte) (Lab, *reader, error) {
	r, err := open(name, data)
	if err != nil {
		return Lab{}, r, err
	}
	lab, err := r.readLab()
	return lab, r, err
}

// open parses a file, of whatever kind it is.
func open(name string, data []byte) (*reader, error) {
	r := &reader{name: name, where: map[string]position{}}
	root, err := r.parse(data)
	r.root = root
	return r, err
}

func (r *reader) readLab() (Lab, error) {
	base := filepath.Base(r.name)
	lab := Lab{
		Name:     strings.TrimSuffix(base, filepath.Ext(base)),
		Topology: defaults(),
		where:    r.where,
	}
	if err := r.lab(&lab); err != nil {
		return Lab{}, err
	}
	return lab, r.check(&lab)
}

// defaults is what a file need not say.
func defaults() topology.Topology {
	return topology.Topology{
		Load: topology.Load{Herd: topology.Herd{Clients: 1}},
		Run:  topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
	}
}

// reader reads one file.
type reader struct {
	name  string
	root  *yaml.Node
	where map[string]position // of paths, for errors about them
	marks []mark              // in the order of the file
}

// A mark is a place that a comment may belong to.
type mark struct {
	position
	at string // see node.at
}

// parse makes a tree of nodes of the text.
func (r *reader) parse(data []byte) (*yaml.Node, error) {
	if len(data) > MaxBytes {
		return nil, r.file("%d bytes are over the limit of %d: split the file, or say replicas instead of services", len(data), MaxBytes)
	}
	if line, column, ok := foreign(string(data)); ok {
		return nil, &Error{r.name, line, column, "a byte that is no UTF-8 text: save the file as UTF-8, with \\n or \\r\\n at the end of lines"}
	}
	var doc yaml.Node
	if err := yaml.Load(data, &doc); err != nil {
		return nil, r.syntax(err, data)
	}
	if len(doc.Content) != 1 {
		return nil, r.empty()
	}
	return doc.Content[0], r.plain(doc.Content[0])
}

func (r *reader) empty() error {
	return r.file("it says nothing: start with version: 1, or with the example of labctl init")
}

// foreign finds what YAML would take for a break of a line and editors would not,
// and bytes that are no text.
func foreign(text string) (line, column int, found bool) {
	line, column = 1, 1
	for i, c := range text {
		switch {
		case c == utf8.RuneError && strings.HasPrefix(text[i:], "\uFFFD"):
		case c == utf8.RuneError, c == '\r' && !strings.HasPrefix(text[i:], "\r\n"), c == 0x85, c == 0x2028, c == 0x2029, c == 0xfeff && i > 0,
			c < ' ' && c != '\n' && c != '\r' && c != '\t':
			return line, column, true
		}
		if column++; c == '\n' {
			line, column = line+1, 1
		}
	}
	return 0, 0, false
}

// syntax says what is no YAML, in the library's words where they are clear.
func (r *reader) syntax(err error, data []byte) error {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return r.file("%v", err)
	}
	text := strings.TrimPrefix(load.Message, "yaml: ")
	switch {
	case strings.Contains(text, "no documents"):
		return r.empty()
	case strings.Contains(text, "found multiple"):
		return r.file("it holds more than one document: put each lab into a file of its own, without --- between them")
	case strings.Contains(text, "max depth"):
		text = "nested too deeply for a lab"
	}
	at := load.Mark
	lines := strings.Split(string(data), "\n")
	if n := at.Line; n >= 1 && n <= len(lines) && strings.Contains(indentOf(lines[n-1]), "\t") {
		text = "a tab cannot indent: use spaces"
	}
	if load.ContextMsg != "" && load.ContextMark.Line != at.Line {
		text += fmt.Sprintf(" (%s from line %d)", load.ContextMsg, load.ContextMark.Line)
	}
	return &Error{r.name, at.Line, at.Column, clip(text)}
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// plain refuses what makes YAML more than maps, lists and values.
func (r *reader) plain(n *yaml.Node) error {
	text := ""
	switch {
	case n.Kind == yaml.AliasNode:
		text = fmt.Sprintf("*%s: aliases are not expanded: write the value out", n.Value)
	case n.Anchor != "":
		text = fmt.Sprintf("&%s: anchors are not for labs: write the value where it is needed", n.Anchor)
	case n.Tag == "!!merge":
		text = "<<: maps are not merged: write the keys out"
	case n.Style&yaml.TaggedStyle != 0:
		text = fmt.Sprintf("%s: a lab has no tags: leave it out", n.Tag)
	}
	if text != "" {
		return &Error{r.name, n.Line, n.Column, clip(text)}
	}
	for _, c := range n.Content {
		if err := r.plain(c); err != nil {
			return err
		}
	}
	return nil
}

// file is an error of the file as a whole.
func (r *reader) file(format string, args ...any) error {
	return &Error{File: r.name, Text: clip(fmt.Sprintf(format, args...))}
}

// fail is an error at a node, about a path.
func (r *reader) fail(n *yaml.Node, path, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if path != "" {
		text = path + ": " + text
	}
	return &Error{r.name, n.Line, n.Column, clip(text)}
}
