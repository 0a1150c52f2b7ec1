package imports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"labctl/topology/file"
)

// source is a file that is being read. Its first error is kept, and what is read
// behind it does not matter: so readers need not ask after every field.
type source struct {
	name string
	out  File
	err  error
}

// documents parses the text. Like labs, other files have no need of anchors, and
// what cannot be expanded cannot explode.
func (s *source) documents(data []byte) ([]*yaml.Node, error) {
	if len(data) > file.MaxBytes {
		return nil, s.whole("%d bytes are over the limit of %d: give the parts about routes and clusters", len(data), file.MaxBytes)
	}
	if !utf8.Valid(data) {
		return nil, s.whole("it is no UTF-8 text: save it as UTF-8")
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		return nil, s.whole("%v", err)
	}
	var all []*yaml.Node
	for {
		var doc yaml.Node
		err := loader.Load(&doc)
		switch {
		case errors.Is(err, io.EOF):
			return all, s.said(all)
		case err != nil:
			return nil, s.syntax(err)
		}
		for _, n := range doc.Content {
			if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
				continue // behind a --- at the end
			}
			if err := s.plain(n); err != nil {
				return nil, err
			}
			all = append(all, n)
		}
	}
}

func (s *source) said(all []*yaml.Node) error {
	if len(all) == 0 {
		return s.whole("it says nothing")
	}
	return nil
}

func (s *source) syntax(err error) error {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return s.whole("%v", err)
	}
	text := strings.TrimPrefix(load.Message, "yaml: ")
	if strings.Contains(text, "max depth") {
		text = "nested too deeply for settings"
	}
	return &file.Error{File: s.name, Line: load.Mark.Line, Column: load.Mark.Column, Text: short(text)}
}

// plain refuses what makes YAML more than maps, lists and values.
func (s *source) plain(n *yaml.Node) error {
	text := ""
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		text = "anchors and aliases are not expanded: write the values out, as yq 'explode(.)' does"
	case n.Tag == "!!merge":
		text = "<<: maps are not merged: write the keys out"
	case n.Style&yaml.TaggedStyle != 0:
		text = "tags are not read: leave them out"
	}
	if text != "" {
		return &file.Error{File: s.name, Line: n.Line, Column: n.Column, Text: text}
	}
	for _, c := range n.Content {
		if err := s.plain(c); err != nil {
			return err
		}
	}
	return nil
}

// whole is an error of the file as a whole.
func (s *source) whole(format string, args ...any) error {
	return &file.Error{File: s.name, Text: fmt.Sprintf(format, args...)}
}

// note keeps something for the reader of the lab.
func (s *source) note(at *yaml.Node, path, format string, args ...any) {
	s.out.Notes = append(s.out.Notes, Note{Place{s.name, at.Line}, shortPath(path), fmt.Sprintf(format, args...)})
}

// most is how much of a text is shown.
const most = 120

// shortPath keeps the end of a path, where what it is about stands.
func shortPath(path string) string {
	if cut := len(path) - most; cut > 0 {
		if dot := strings.IndexByte(path[cut:], '.'); dot >= 0 {
			return "…" + short(path[cut+dot:])
		}
	}
	return short(path)
}

// short keeps what a file says on one line that a terminal can show.
func short(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff
	}), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + " …"
	}
	return text
}

// route keeps what holds for a host; at is where the host is said.
func (s *source) route(at value, r Route) {
	if r.Host.Name == "" {
		if at.there() {
			at.note("left out: it says no host")
		}
		return
	}
	s.out.Routes = append(s.out.Routes, r)
}

// cluster does so for what holds for all its requests; in is what it stands in.
func (s *source) cluster(at, in value, c Cluster) {
	switch {
	case c.Host.Name != "":
		s.out.Clusters = append(s.out.Clusters, c)
	case at.there():
		at.note("left out: it says no host")
	case in.there():
		in.note("left out: it says no host")
	}
}
