package file_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"labctl/topology/file"
)

var update = flag.Bool("update", false, "write the schemas anew")

// The committed schemas are those that the tables of fields give.
func TestSchemaIsCommitted(t *testing.T) {
	for name, schema := range map[string][]byte{
		"schema/lab.v1.json":    file.Schema(),
		"schema/policy.v1.json": file.PolicySchema(),
	} {
		if *update {
			if err := os.WriteFile(name, schema, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		committed, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(committed, schema) {
			t.Errorf("%s is out of date (%v): run go test ./topology/file -run Schema -update", name, err)
		}
	}
}

func compiled(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("lab.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("lab.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validates(t *testing.T, schema *jsonschema.Schema, text string) error {
	t.Helper()
	var doc any
	if err := yaml.Load([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return schema.Validate(asJSON(doc))
}

// asJSON turns keys that are numbers into the texts that they are in JSON.
func asJSON(v any) any {
	switch v := v.(type) {
	case map[any]any:
		out := map[string]any{}
		for k, of := range v {
			out[fmt.Sprint(k)] = asJSON(of)
		}
		return out
	case map[string]any:
		for k, of := range v {
			v[k] = asJSON(of)
		}
	case []any:
		for i, of := range v {
			v[i] = asJSON(of)
		}
	}
	return v
}

// An editor and Read agree on what is a lab.
func TestSchemaAgreesWithRead(t *testing.T) {
	schema := compiled(t, file.Schema())
	for _, text := range []string{string(file.Example()), everything} {
		if err := validates(t, schema, text); err != nil {
			t.Errorf("the schema refuses a lab: %v", err)
		}
		if err := validates(t, schema, string(file.Write(read(t, text)))); err != nil {
			t.Errorf("the schema refuses a canonical lab: %v", err)
		}
	}
	for _, text := range []string{
		"{}", "version: 1", "version: 2\n" + small[len("version: 1\n"):],
		small + "loads: {}\n",
		small + "run: {bins: 50ms}\n",
		small + "run: {bin: [50ms]}\n",
		small + "run: {bin: soon}\n",
		small + "load: {herd: {clients: many}}\n",
		small + "load: {herd: {clients: -1}}\n",
		"version: 1\nservices: {client: {calls: [{to: a, policies: [{retry: 3}]}]}, a: {}}\n",
		"version: 1\nservices: {client: {calls: [{to: a, policies: [{retry: {rest: 1s}}]}]}, a: {}}\n",
		"version: 1\nservices: {client: {calls: [{to: a, policies: [{retry: {attempts: 3, retries: 2}}]}]}, a: {}}\n",
		"version: 1\nservices: {client: {calls: [{to: a, policies: [{retry: {attempts: 3}, timeout: 1s}]}]}, a: {}}\n",
		"version: 1\nservices: {client: {calls: [{to: a, policies: [{bulkhead: 10}]}]}, a: {}}\n",
		"version: 1\nservices: {client: {calls: [{policies: []}]}, a: {}}\n",
		"version: 1\nservices: {client: {calls: [{to: a}]}, a: {order: random}}\n",
	} {
		if err := validates(t, schema, text); err == nil {
			t.Errorf("the schema takes %q", text)
		}
		if _, err := file.Read("x.yaml", []byte(text)); err == nil {
			t.Errorf("Read takes %q", text)
		}
	}
}
