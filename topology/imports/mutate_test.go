package imports_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"labctl/topology/imports"
)

// TestAnythingAnywhere: the samples with other values in a few places, of any type.
// What fuzzing of bytes seldom reaches stands right there.
func TestAnythingAnywhere(t *testing.T) {
	for _, tt := range []struct{ format, name string }{
		{imports.Istio, "mesh.yaml"}, {imports.Envoy, "edge.yaml"}, {imports.Envoy, "dump.json"},
		{imports.GRPC, "payments.json"}, {imports.GatewayAPI, "gateway.yaml"},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", tt.name))
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			var doc yaml.Node
			loader, err := yaml.NewLoader(bytes.NewReader(data))
			if err != nil || loader.Load(&doc) != nil {
				t.Fatal(err)
			}
			var all []*yaml.Node
			collect(doc.Content[0], &all)
			for range rapid.IntRange(1, 3).Draw(t, "places") {
				n := all[rapid.IntRange(0, len(all)-1).Draw(t, "place")]
				put(n, rapid.SampledFrom(values).Draw(t, "value"))
			}
			text, err := yaml.Dump(&doc)
			if err != nil {
				t.Skip(err)
			}
			holds(t, tt.format, string(text))
		})
	}
}

// values are what somebody may write where something else belongs.
var values = []string{"0", "1", "5", "-1", "4294967295", "999999", "99999999999999999999", "1.5", "0.0001", ".nan", ".inf", "true", "null", "''", "x", "client", "0s", "1ns", "0.001s", "8760h",
	"9000h", "-1s", "503", "5xx", "[]", "[1, 2]", "{}", "{a: {b: [c]}}", "[{name: x}]", "{value: 100}", "RANDOM", "[503, 302, UNAVAILABLE, 99]", "\"a\\nb\\u2028c\""}

// put replaces a node.
func put(n *yaml.Node, text string) {
	var v yaml.Node
	if err := yaml.Load([]byte(text), &v); err != nil {
		panic(err)
	}
	*n = *v.Content[0]
}

// collect lists a node and all inside it, keys left out.
func collect(n *yaml.Node, all *[]*yaml.Node) {
	*all = append(*all, n)
	for i, c := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			collect(c, all)
		}
	}
}
