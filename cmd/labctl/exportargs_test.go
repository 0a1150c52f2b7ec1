package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// What a manifest starts is a command of this program, with flags that it has: package
// export writes them as texts, which nothing else holds together.
func TestExportedArgumentsAreOurs(t *testing.T) {
	files, err := filepath.Glob("../../topology/export/testdata/*/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range files {
		for _, args := range argumentsIn(t, name) {
			c, rest, err := newRoot(streams{}).Find(args)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := c.ParseFlags(rest); err != nil {
				t.Errorf("%s: %q: %v", name, args, err)
			}
			if c.Args != nil && c.Args(c, c.Flags().Args()) != nil {
				t.Errorf("%s: %q: %v", name, args, c.Args(c, c.Flags().Args()))
			}
			seen[c.Name()] = true
		}
	}
	for _, command := range []string{"node", "serve", "collect", "sweep", "ready"} {
		if !seen[command] {
			t.Errorf("no manifest starts %s: this test looks in the wrong place", command)
		}
	}
}

// argumentsIn finds the arguments of all containers of a file, and those of the health
// checks.
func argumentsIn(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for _, doc := range bytes.Split(data, []byte("\n---\n")) {
		var v any
		if err := yaml.Load(doc, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, argumentsOf(v)...)
	}
	return out
}

func argumentsOf(v any) (out [][]string) {
	switch v := v.(type) {
	case []any:
		for _, kid := range v {
			out = append(out, argumentsOf(kid)...)
		}
	case map[string]any:
		for key, kid := range v {
			words := texts(kid)
			switch {
			case key == "args" && words != nil, key == "command" && v["entrypoint"] != nil:
				out = append(out, words)
			case key == "test" && words != nil:
				out = append(out, words[2:]) // CMD /labctl …
			default:
				out = append(out, argumentsOf(kid)...)
			}
		}
	}
	return out
}

// texts is a list of texts, or nil.
func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, kid := range list {
		s, is := kid.(string)
		if !is {
			return nil
		}
		out = append(out, expand.Replace(s))
	}
	return out
}

// expand does what Kubernetes and Compose do to an argument.
var expand = strings.NewReplacer("$$", "$", "$(JOB_COMPLETION_INDEX)", "0")
