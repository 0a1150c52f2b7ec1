package control

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

type media struct {
	Schema  json.RawMessage
	Example any
}

type response struct {
	Curl    string `json:"x-curl"` // what gets it
	Content map[string]media
}

type operation struct {
	OperationID string
	Security    []map[string][]string
	RequestBody struct{ Content map[string]media }
	Responses   map[string]response
}

// operations reads the document: its operations by method and path.
func operations(t *testing.T) map[string]operation {
	t.Helper()
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("the document is OpenAPI %q", doc.OpenAPI)
	}
	found := map[string]operation{}
	for path, item := range doc.Paths {
		for method, text := range item {
			if method == "parameters" {
				continue
			}
			var op operation
			if err := json.Unmarshal(text, &op); err != nil {
				t.Fatalf("%s %s: %v", method, path, err)
			}
			found[strings.ToUpper(method)+" "+path] = op
		}
	}
	return found
}

// The document has every route and no other, and says which ask for the token.
func TestDocumentAndRoutes(t *testing.T) {
	documented := operations(t)
	ids := map[string]bool{}
	for _, r := range new(api).routes() {
		name := r.method + " " + r.path
		op, found := documented[name]
		if !found {
			t.Errorf("%s is not in openapi.json", name)
		}
		delete(documented, name)
		if _, says401 := op.Responses["401"]; r.guarded != says401 || r.guarded != (len(op.Security) > 0) {
			t.Errorf("%s: guarded %v, but the document says 401 %v, security %v", name, r.guarded, says401, op.Security)
		}
		if op.OperationID == "" || ids[op.OperationID] {
			t.Errorf("%s: operationId %q is missing or not its own", name, op.OperationID)
		}
		ids[op.OperationID] = true
	}
	for name := range documented {
		t.Errorf("%s is in openapi.json, and no route", name)
	}
}

// The examples of the document are what its commands get. Time is a bubble's.
func TestExamples(t *testing.T) {
	schemas := compileSchemas(t)
	for name, op := range operations(t) {
		if len(op.Responses) == 0 {
			t.Errorf("%s has no responses", name)
		}
		for code, res := range op.Responses {
			synctest.Test(t, func(t *testing.T) {
				what := name + " " + code
				h := exampleTails(t)
				w := curl(t, h, name, res.Curl)
				if got := fmt.Sprint(w.Code); got != code {
					t.Fatalf("%s: %s gets %s: %s", what, res.Curl, got, w.Body)
				}
				checkExample(t, what, w, res, schemas)
			})
		}
	}
}

func checkExample(t *testing.T, what string, w *httptest.ResponseRecorder, res response, schemas func(json.RawMessage) *jsonschema.Schema) {
	t.Helper()
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	documented, found := res.Content[kind]
	switch {
	case len(res.Content) == 0 && w.Body.Len() == 0:
		return
	case !found:
		t.Errorf("%s: the answer is %q, documented is %v", what, kind, slices.Collect(maps.Keys(res.Content)))
		return
	case kind == "text/plain":
		if documented.Example != w.Body.String() {
			t.Errorf("%s: the example is\n%s\nand the answer\n%s", what, documented.Example, w.Body)
		}
		return
	}
	got, err := jsonschema.UnmarshalJSON(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := schemas(documented.Schema).Validate(got); err != nil {
		t.Errorf("%s: the answer is not of the schema: %v", what, err)
	}
	var plain any
	json.Unmarshal(w.Body.Bytes(), &plain)
	if documented.Example != nil && !reflect.DeepEqual(plain, documented.Example) {
		t.Errorf("%s: the example is\n%v\nand the answer\n%s", what, documented.Example, w.Body)
	}
}

// compileSchemas makes schemas whose objects have no other fields than documented, which
// the document leaves open for later versions.
func compileSchemas(t *testing.T) func(json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range doc.(map[string]any)["components"].(map[string]any)["schemas"].(map[string]any) {
		schema.(map[string]any)["additionalProperties"] = false
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return func(schema json.RawMessage) *jsonschema.Schema {
		var ref struct {
			Ref string `json:"$ref"`
		}
		json.Unmarshal(schema, &ref)
		if ref.Ref == "" {
			ref.Ref = "#/paths/~1-~1openapi.json/get/responses/200/content/application~1json/schema" // the only other one
		}
		compiled, err := c.Compile("openapi.json" + ref.Ref)
		if err != nil {
			t.Fatalf("%s: %v", ref.Ref, err)
		}
		return compiled
	}
}

// exampleTails is what the examples ask: a path, room for two ids, one of which a client
// has called three times on two connections.
func exampleTails(t *testing.T) *Handler {
	t.Helper()
	h, err := New(Config{
		Program: program.MustParse("503x2,ok"),
		Paths:   []PathProgram{{"/orders", program.MustParse("500")}},
		IDs:     2, Token: "secret",
	})
	if err != nil {
		t.Fatal(err)
	}
	pay := func(on *http.Request, attempt string) *http.Request {
		r := httptest.NewRequestWithContext(on.Context(), "POST", "/p/checkout/pay", strings.NewReader(`{"amount": 12}`))
		r.RemoteAddr = on.RemoteAddr
		r.Header.Set("Idempotency-Key", "6f1c")
		r.Header.Set("Content-Length", "14")
		if attempt != "" {
			r.Header.Set("X-Stainless-Retry-Count", attempt)
		}
		return r
	}
	first, second := connect(h, "127.0.0.1:50001"), connect(h, "127.0.0.1:50002")
	for i, r := range []*http.Request{pay(first, ""), pay(first, "1"), pay(second, "2")} {
		time.Sleep(time.Duration(i) * time.Second)
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	return h
}

// connect returns a request that carries a connection of its own.
func connect(h *Handler, remote string) *http.Request {
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = remote
	return r.WithContext(h.gate.context(r.Context(), nil))
}

// curl sends what a command of the document says, which has to be of the operation.
func curl(t *testing.T, h *Handler, operation, line string) *httptest.ResponseRecorder {
	t.Helper()
	args := shellWords(line)
	method, url, body := "", "", ""
	header := http.Header{}
	if len(args) == 0 || args[0] != "curl" {
		t.Fatalf("%s: no command, but %q", operation, line)
	}
	for args = args[1:]; len(args) > 0; args = args[1:] {
		switch args[0] {
		case "-X", "-H", "-d", "--json":
			if len(args) < 2 {
				t.Fatalf("%s: %s without a value", operation, args[0])
			}
		default:
			url = args[0]
			continue
		}
		switch args[0] {
		case "-X":
			method = args[1]
		case "-H":
			name, value, _ := strings.Cut(args[1], ": ")
			header.Set(name, value)
		case "-d":
			body = args[1]
			header.Set("Content-Type", "application/x-www-form-urlencoded")
		case "--json":
			body = args[1]
			header.Set("Content-Type", "application/json")
		}
		args = args[1:]
	}
	if strings.HasSuffix(url, "/one-too-many") { // takes the last place
		h.tails.obtain("other", program.Program{})
	}
	r := httptest.NewRequestWithContext(connect(h, "").Context(), method, url, strings.NewReader(body))
	r.Header = header
	if _, pattern := h.api.mux.Handler(r); pattern != operation {
		t.Fatalf("%s: %q is of %q", operation, line, pattern)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// shellWords splits a line at spaces outside single quotes.
func shellWords(line string) []string {
	quoted := false
	words := strings.FieldsFunc(line, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "'", "")
	}
	return words
}

// Every header that is kept is in the document.
func TestHeadersAreDocumented(t *testing.T) {
	for _, h := range headers {
		if !bytes.Contains(openAPI, []byte(h.name)) {
			t.Errorf("%s is not in openapi.json", h.name)
		}
		if http.CanonicalHeaderKey(h.name) != h.name || h.source == "" {
			t.Errorf("%q is not canonical, or has no source", h.name)
		}
	}
	for _, name := range []string{faultserver.KeyHeader, faultserver.AttemptHeader} {
		if !slices.Contains(headerNames(), name) {
			t.Errorf("%s is the tail's own, and is missing", name)
		}
	}
}
