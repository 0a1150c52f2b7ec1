package card

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"labctl/audit"
)

func auditSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(SchemaJSON()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("audit.v1.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("audit.v1.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestGoldenAuditsFollowTheSchema(t *testing.T) {
	schema := auditSchema(t)
	for _, file := range []string{"curl.json", "chain.json", "hostile.json", "empty.json"} {
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

func TestSchemaIsStrictAboutWhatIsRequired(t *testing.T) {
	schema := auditSchema(t)
	probe := func(a map[string]any) map[string]any { return a["probes"].([]any)[0].(map[string]any) }
	for _, change := range []func(map[string]any){
		func(a map[string]any) { delete(a, "policy") },
		func(a map[string]any) { a["findings"] = nil },
		func(a map[string]any) { a["schema"] = "labctl/audit/v2" },
		func(a map[string]any) { probe(a)["connection"] = "kept" },
		func(a map[string]any) { probe(a)["gaps_ms"] = nil },
		func(a map[string]any) { probe(a)["hits"] = -1 },
		func(a map[string]any) { delete(probe(a), "exit") },
		func(a map[string]any) { a["findings"].([]any)[0].(map[string]any)["severity"] = "fatal" },
	} {
		var text bytes.Buffer
		if err := JSON(&text, curl()); err != nil {
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

// The schema describes every field of the model and no other one.
func TestSchemaHasTheFieldsOfTheModel(t *testing.T) {
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(SchemaJSON(), &schema); err != nil {
		t.Fatal(err)
	}
	for name, model := range map[string]any{
		"audit": audit.Audit{}, "noise": audit.NoiseMS{}, "probe": audit.Row{}, "policy": audit.Policy{}, "rest": audit.Rest{},
		"retry_after": audit.RetryAfterRule{}, "elapsed": audit.Elapsed{}, "timeout": audit.Timeout{}, "method": audit.MethodRule{},
		"hidden_replays": audit.HiddenReplays{}, "chain": audit.Chain{}, "layer": audit.Layer{}, "finding": audit.Finding{},
	} {
		described := schema.Defs[name].Properties
		fields := reflect.TypeOf(model)
		for i := range fields.NumField() {
			field, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
			if field == "-" {
				continue
			}
			if _, ok := described[field]; !ok {
				t.Errorf("schema/audit.v1.json does not describe %q of %s: add it under %s", field, fields, name)
			}
			delete(described, field)
		}
		for field := range described {
			t.Errorf("schema/audit.v1.json describes %q under %s, which %s does not have", field, name, fields)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	for _, a := range []audit.Audit{curl(), chain(), plainGo(), hostile(), empty()} {
		var first, second bytes.Buffer
		if err := JSON(&first, a); err != nil {
			t.Fatal(err)
		}
		read, err := Read(first.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := JSON(&second, read); err != nil {
			t.Fatal(err)
		}
		if first.String() != second.String() {
			t.Errorf("changed by reading:\n%s", second.String())
		}
		if !strings.HasSuffix(first.String(), "}\n") {
			t.Error("no line break at the end")
		}
	}
}

// What nobody filled in is an empty list, as the schema requires, and never null.
func TestJSONHasNoNullLists(t *testing.T) {
	bare := audit.Audit{Subject: "x", Probes: []audit.Row{row("503", 0, "gave up")}, Policy: audit.Policy{Hidden: &audit.HiddenReplays{}},
		Chains: []audit.Chain{{Fault: "503", Method: "GET", Connection: "fresh"}}}
	var text bytes.Buffer
	if err := JSON(&text, bare); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(&text)
	if err != nil {
		t.Fatal(err)
	}
	if err := auditSchema(t).Validate(doc); err != nil {
		t.Error(err)
	}
}

// What the JSON leaves out is there again after reading.
func TestReadFillsTheBase(t *testing.T) {
	var text bytes.Buffer
	if err := JSON(&text, curl()); err != nil {
		t.Fatal(err)
	}
	a, err := Read(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if a.Policy.Rest.Base != time.Second {
		t.Errorf("base %v, want 1s", a.Policy.Rest.Base)
	}
}

func TestReadErrors(t *testing.T) {
	audited := func(rest string) string {
		return `{"schema": "labctl/audit/v1", "subject": "x"` + rest + `}`
	}
	probe := func(rest string) string {
		return audited(`, "probes": [{"fault": "503", "method": "GET", "connection": "fresh"` + rest + `}]`)
	}
	for text, want := range map[string]string{
		"":                                     "the audit is empty or ends in the middle: " + again,
		`{"schema": "lab`:                      "the audit is empty or ends in the middle: " + again,
		"{\n  oops}":                           "line 2 is not JSON: invalid character 'o' looking for beginning of object key string: " + again,
		`{}`:                                   `this JSON has no "schema": ` + again,
		`{"schema": "labctl/audit/v2"}`:        `schema "labctl/audit/v2" is not known: this labctl reads audits of labctl/audit/v1, so use the version that wrote the file`,
		`{"schema": "labctl/audit/v1"}`:        `the audit has no "subject": name what was audited`,
		audited("") + " {}":                    "line 1: there is more after the audit: keep one JSON document in a file",
		audited(`, "probse": []`):              `this is no audit of this version: json: unknown field "probse": ` + again,
		audited(`, "probes": [{"hits": "4"}]`): `line 1: "probes.hits" cannot be a JSON string: ` + again,
		audited(`, "probes": [{"method": "GET"}]`):                          "a probe has no fault or no method: give each both",
		audited(`, "probes": [{"fault": "503", "method": "GET"}]`):          `probe "503 GET, " must have the connection fresh or reused`,
		probe(`, "hits": -1`):                                               `probe "503 GET, fresh" has -1 hits and 0 hidden ones of them, which cannot be`,
		probe(`, "hits": 1, "hidden": 2`):                                   `probe "503 GET, fresh" has 1 hits and 2 hidden ones of them, which cannot be`,
		probe(`}, {"fault": "503", "method": "GET", "connection": "fresh"`): `probe "503 GET, fresh" is there twice: keep one, and its repeats in its trials`,
		audited(`, "findings": [{"code": "herd", "severity": "fatal"}]`):    `finding "herd" has the severity "fatal" and must have danger, risk or note`,
	} {
		_, err := Read([]byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%s\n  got  %v\n  want %s", text, err, want)
		}
	}
}

func TestJSONRefusesWhatIsNoNumber(t *testing.T) {
	a := curl()
	a.Noise.P99 = math.NaN()
	if err := JSON(&bytes.Buffer{}, a); err == nil || !strings.Contains(err.Error(), "must be finite") {
		t.Errorf("got %v", err)
	}
}

// A renderer changes nothing in the audit that it was given.
func TestRenderersLeaveTheAuditAlone(t *testing.T) {
	a := audit.Audit{Subject: "x", Probes: []audit.Row{{Fault: "503"}}, Policy: audit.Policy{Hidden: &audit.HiddenReplays{}}, Chains: []audit.Chain{{}}}
	if err := JSON(&bytes.Buffer{}, a); err != nil {
		t.Fatal(err)
	}
	if a.Schema != "" || a.Probes[0].GapsMS != nil || a.Policy.Hidden.Faults != nil || a.Chains[0].Layers != nil {
		t.Errorf("changed: %+v", a)
	}
	b := curl()
	for _, render := range []func() error{
		func() error { return Text(&bytes.Buffer{}, b, Options{}) },
		func() error { return Markdown(&bytes.Buffer{}, b) },
		func() error { return JUnit(&bytes.Buffer{}, b, "") },
		func() error { return Index(&bytes.Buffer{}, []audit.Audit{b, plainGo()}) },
	} {
		if err := render(); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(b, curl()) {
		t.Errorf("changed: %+v", b)
	}
}

// Whatever can be read can be shown, and written as it was read.
func FuzzRead(f *testing.F) {
	for _, a := range []audit.Audit{curl(), chain(), hostile(), empty()} {
		var text bytes.Buffer
		if err := JSON(&text, a); err != nil {
			f.Fatal(err)
		}
		f.Add(text.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Read(data)
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := JSON(&first, a); err != nil {
			t.Fatal(err)
		}
		again, err := Read(first.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := JSON(&second, again); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("changed by reading:\n%s\n%s", first.Bytes(), second.Bytes())
		}
		for _, show := range []func() error{
			func() error { return Text(&first, a, Options{Width: 80}) },
			func() error { return Markdown(&first, a) },
			func() error { return JUnit(&first, a, "") },
			func() error { return Index(&first, []audit.Audit{a}) },
		} {
			if err := show(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
