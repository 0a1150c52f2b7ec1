package report

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func resultSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(SchemaJSON()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("result.v1.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("result.v1.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestGoldenResultsFollowTheSchema(t *testing.T) {
	schema := resultSchema(t)
	for _, file := range []string{"nested-retry.json", "set.json", "empty.json", "baseline.json", "expected.json"} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// What version 1 grew by is in its schema, too, and no baseline keeps it.
func TestSchemaKnowsCallsAndIdealBins(t *testing.T) {
	r := nestedRetry()
	r.Variants[0].Edges = []CallEdge{{From: "client", To: "a", Requests: 1, Attempts: 3}}
	r.Variants[0].IdealBins = []int64{9}
	var b bytes.Buffer
	if err := WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	check := func(text string) error {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return resultSchema(t).Validate(doc)
	}
	if err := check(b.String()); err != nil {
		t.Error(err)
	}
	if err := check(strings.Replace(b.String(), `"from": "client"`, `"from": ""`, 1)); err == nil {
		t.Error("a call from nobody follows the schema")
	}
	if v := Baseline(r).Variants[0]; v.Edges != nil || v.IdealBins != nil {
		t.Errorf("the baseline keeps %v and %v", v.Edges, v.IdealBins)
	}
}

func TestSchemaIsStrictAboutWhatIsRequired(t *testing.T) {
	schema := resultSchema(t)
	for _, change := range []func(map[string]any){
		func(r map[string]any) { delete(r, "figures") },
		func(r map[string]any) { r["warnings"] = nil },
		func(r map[string]any) { r["engine"] = "real" },
		func(r map[string]any) { r["schema"] = "labctl/result/v2" },
		func(r map[string]any) { r["variants"].([]any)[0].(map[string]any)["hits"] = "9" },
		func(r map[string]any) { r["figures"].([]any)[0].(map[string]any)["verdict"] = "maybe" },
	} {
		var text bytes.Buffer
		if err := WriteJSON(&text, nestedRetry()); err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(text.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		doc["grown"] = "version 1 grows by optional fields"
		if err := schema.Validate(doc); err != nil {
			t.Fatalf("a new field: %v", err)
		}
		change(doc)
		if schema.Validate(doc) == nil {
			t.Errorf("accepted %v", doc)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	for _, results := range [][]Result{{nestedRetry()}, {jitterHerd(), hostile()}, {}} {
		var first, second bytes.Buffer
		if err := WriteJSON(&first, results...); err != nil {
			t.Fatal(err)
		}
		read, err := ReadJSON(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteJSON(&second, read...); err != nil {
			t.Fatal(err)
		}
		if first.String() != second.String() {
			t.Errorf("changed by reading:\n%s", second.String())
		}
	}
}

func TestReadJSONErrors(t *testing.T) {
	head := `{"schema": "labctl/result/v1", "scenario": "x", "engine": "sim"`
	for text, want := range map[string]string{
		"":                               "the result is empty: pass a file written by labctl run --format json",
		`{"schema": "lab`:                "the result ends in the middle: write it again with labctl run --format json",
		"{\n  oops}":                     "line 2 is not JSON: invalid character 'o' looking for beginning of object key string",
		`{}`:                             `this JSON has no "schema": pass a file written by labctl run --format json`,
		`[]`:                             "line 1: the document must be an object but is array",
		`{"schema": "labctl/result/v2"}`: `schema "labctl/result/v2" is not known: this labctl reads labctl/result/v1 and labctl/results/v1, so use the version that wrote the file`,
		`{"schema": "labctl/result/v1", "engine": "sim"}`:                   `result 1: it has no "scenario": name the scenario or file that ran`,
		`{"schema": "labctl/result/v1", "scenario": "x", "engine": "real"}`: `result 1: its engine is "real" and must be live, sim or both`,
		head + `} {}`:                           "line 1: there is more after the result: keep one JSON document in a file",
		head + `, "variants": [{"hits": "9"}]}`: `line 1: variants.hits must be a whole number in range but is string`,
		head + `, "variants": [{"name": "v", "engine": "sim"}, {"name": "v", "engine": "sim"}]}`: `result 1: variant "v" is there twice: give each a name of its own`,
		head + `, "variants": [{"name": "v", "engine": "sim", "retry_bins": [1]}]}`:              `result 1: variant "v" has more retry bins than bins: they must be the same bins`,
		`{"schema": "labctl/results/v1", "results": [{"schema": "other"}]}`:                      `result 1: its schema is "other" and must be "labctl/result/v1"`,
	} {
		_, err := ReadJSON(strings.NewReader(text))
		if err == nil || err.Error() != want {
			t.Errorf("%s\n  got  %v\n  want %s", text, err, want)
		}
	}
}

func TestWriteJSONRefusesWhatIsNoNumber(t *testing.T) {
	r := nestedRetry()
	r.Variants[0].Amplification = math.NaN()
	if err := WriteJSON(&bytes.Buffer{}, r); err == nil || !strings.Contains(err.Error(), "must be finite") {
		t.Errorf("got %v", err)
	}
}

// A reader changes nothing in the result that it was given.
func TestWriteJSONLeavesTheResultAlone(t *testing.T) {
	r := Result{Scenario: "x", Engine: "sim", Variants: []Variant{{Name: "v", Engine: "sim"}}, Grids: []Grid{{Cells: [][]int64{nil}}}}
	if err := WriteJSON(&bytes.Buffer{}, r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != "" || r.Variants[0].Bins != nil || r.Grids[0].Cells[0] != nil || r.Figures != nil {
		t.Errorf("changed: %+v", r)
	}
}
