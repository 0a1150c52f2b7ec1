package export

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// An object is a map whose order is kept.
type object []field

type field struct {
	key   string
	value any // object, list, []string, string, text, int, bool
}

type list []any

// A text is a file inside a file, which people will want to read.
type text string

// plain is a string that no version of YAML takes for anything else, but for words.
var plain = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9._/-]+$`)

// words are truths and numbers to some readers of YAML: those of Kubernetes and of
// Compose differ about them, and about 1_000 and 1:30, which are not plain.
var words = regexp.MustCompile(`^(?i:yes|no|on|off|true|false|null|nan|inf)$`)

// render writes documents.
func render(docs ...object) ([]byte, error) {
	var out bytes.Buffer
	for i, d := range docs {
		data, err := yaml.Dump(node(d), yaml.WithIndent(2), yaml.WithLineWidth(-1))
		if err != nil {
			return nil, fmt.Errorf("cannot write YAML: %w", err)
		}
		if i > 0 {
			out.WriteString("---\n")
		}
		out.Write(data)
	}
	return out.Bytes(), nil
}

func node(v any) *yaml.Node {
	switch v := v.(type) {
	case object:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range v {
			n.Content = append(n.Content, str(f.key), node(f.value))
		}
		return n
	case list:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, kid := range v {
			n.Content = append(n.Content, node(kid))
		}
		return n
	case []string:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, s := range v {
			n.Content = append(n.Content, str(s))
		}
		return n
	case text:
		return literal(string(v))
	case int:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(v)}
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v)}
	default:
		return str(v.(string))
	}
}

// str is a string, in quotes wherever there could be a doubt.
func str(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if !plain.MatchString(s) || words.MatchString(s) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// ordinary reports whether all readers of YAML see the same in a literal block: they
// differ about which characters end a line, and about blocks that begin with a space.
func ordinary(s string) bool {
	odd := strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
	return s != "" && s[0] != ' ' && s[0] != '\n' && !odd && utf8.ValidString(s)
}

func literal(s string) *yaml.Node {
	n := str(s)
	n.Style = yaml.DoubleQuotedStyle
	if ordinary(s) {
		n.Style = yaml.LiteralStyle
	}
	return n
}
