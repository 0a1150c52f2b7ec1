package export

import (
	"reflect"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"
)

// Whatever a text says, it comes back as that text: it cannot become a key, a second
// document or a number.
func TestTextsStayTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alphabet := rapid.SampledFrom([]string{"\n", " ", "- ", ": ", "#", "---\n", "'", `"`, "\\", "\t", "\r", "|", "{", "&a", "*a", "!!int ", "é", "\u2028", "\u0085", "\ufeff", "a", "1", "no"})
		piece := rapid.Custom(func(t *rapid.T) string {
			out := ""
			for _, s := range rapid.SliceOfN(alphabet, 0, 12).Draw(t, "pieces") {
				out += s
			}
			return out
		})
		value, file := piece.Draw(t, "value"), piece.Draw(t, "file")
		data, err := render(object{{"kind", value}, {"data", object{{"file", text(file)}}}, {"args", []string{value, file}}})
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := yaml.Load(data, &got); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		want := map[string]any{"kind": value, "data": map[string]any{"file": file}, "args": []any{value, file}}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %q, want %q\n%s", got, want, data)
		}
	})
}

// What one reader of YAML takes for a truth or a number, and another does not, is quoted.
func TestDoubtfulWordsAreQuoted(t *testing.T) {
	for _, word := range []string{"", "y", "n", "yes", "No", "on", "OFF", "true", "null", "~", "1_000", "1:30", "0o7", "1e3", ".inf", "2026-03-01", "=", "<<"} {
		if node(word).Style != yaml.DoubleQuotedStyle {
			t.Errorf("%q stands without quotes", word)
		}
	}
	if node("kubernetes.io/name").Style != 0 {
		t.Error("an ordinary word has quotes")
	}
}

// So is a text whose lines, or whose beginning, readers of YAML see in different ways.
func TestDoubtfulTextsAreQuoted(t *testing.T) {
	for _, s := range []string{"", " a\n", "\na\n", "a\u2028b\n", "a\u0085b\n", "\ufeffa\n", "a\tb\n", "a\r\n"} {
		if node(text(s)).Style != yaml.DoubleQuotedStyle {
			t.Errorf("%q stands without quotes", s)
		}
	}
	for _, s := range []string{"a: é → b\n", "a", "a \n\n"} {
		if node(text(s)).Style != yaml.LiteralStyle {
			t.Errorf("%q is not a block", s)
		}
	}
}
