package manifesttest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/kubectl-validate/pkg/openapiclient"
	"sigs.k8s.io/kubectl-validate/pkg/validator"
	"sigs.k8s.io/yaml"
)

// components are where the API's own description has the schema of a kind.
var components = map[string][2]string{
	"ConfigMap":     {"api/v1", "io.k8s.api.core.v1.ConfigMap"},
	"Service":       {"api/v1", "io.k8s.api.core.v1.Service"},
	"Deployment":    {"apis/apps/v1", "io.k8s.api.apps.v1.Deployment"},
	"Job":           {"apis/batch/v1", "io.k8s.api.batch.v1.Job"},
	"NetworkPolicy": {"apis/networking.k8s.io/v1", "io.k8s.api.networking.v1.NetworkPolicy"},
}

// schemas know the description of the API without asking anybody for it. Of the two
// that read it, kubectl-validate sees unknown fields, and misses that one is not there.
type schemas struct {
	kubectl *validator.Validator
	json    map[string]*jsonschema.Schema // by kind
}

func newSchemas(t *testing.T) schemas {
	t.Helper()
	builtins := openapiclient.NewHardcodedBuiltins("1.30")
	v, err := validator.New(builtins)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := builtins.Paths()
	if err != nil {
		t.Fatal(err)
	}
	s := schemas{v, map[string]*jsonschema.Schema{}}
	for kind, at := range components {
		data, err := paths[at[0]].Schema("application/json")
		if err != nil {
			t.Fatal(err)
		}
		if s.json[kind], err = compile(data, at[1]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func compile(description []byte, component string) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(description))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("api.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("api.json#/components/schemas/" + component)
}

func (s schemas) check(manifest []byte) error {
	_, object, err := s.kubectl.Parse(manifest)
	if err == nil {
		err = s.kubectl.Validate(object)
	}
	if err != nil {
		return err
	}
	data, err := yaml.YAMLToJSON(manifest)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	schema := s.json[object.GetKind()]
	if schema == nil {
		return fmt.Errorf("no schema of %s", object.GetKind())
	}
	return schema.Validate(doc)
}

func TestManifestsPassTheSchemas(t *testing.T) {
	s := newSchemas(t)
	for _, dir := range cases(t, "kubernetes") {
		for _, m := range decode(t, dir) {
			if err := s.check(m.text); err != nil {
				t.Errorf("%s: %v\n%s", dir, err, m.text)
			}
		}
	}
}

func TestTheSchemasSee(t *testing.T) {
	s := newSchemas(t)
	whole := string(decode(t, golden+"/kubernetes/sweep")[2].text)
	for _, change := range [][2]string{
		{"completions: 4", `completions: "4"`},                   // a text for a number
		{"restartPolicy: Never", "restartPolicy: 1"},             // a number for a text
		{"drop:\n            - ALL", "drop: ALL"},                // a text for a list
		{"    spec:\n", "    specs:\n"},                          // a field that there is not
		{"mountPath: /lab", "subPath: lab"},                      // what must be there is not
		{"name: lab-file\n        configMap", "configMap"},       // likewise
		{"      - name: labctl\n        image", "      - image"}, // likewise
	} {
		broken := strings.Replace(whole, change[0], change[1], 1)
		if broken == whole {
			t.Fatalf("%q is not in the manifest", change[0])
		}
		if s.check([]byte(broken)) == nil {
			t.Errorf("%q for %q passes", change[1], change[0])
		}
	}
}
