package file_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/file"
	"labctl/topology/policy"
)

const measured = `# Measured: curl 7.88.1.
#
# retries: 408, 429 and 5xx
version: 1
policies:
  - retry: {attempts: 4, on: [408, 429, 5xx], rest: 1s, backoff: exponential, cap: 10m}
  - timeout: 2s
`

func measuredPolicies(t *testing.T) []topology.Policy {
	t.Helper()
	on, err := policy.ParseFilter("408", "429", "5xx")
	if err != nil {
		t.Fatal(err)
	}
	return []topology.Policy{
		{Retry: &policy.Retry{Attempts: 4, Filter: on, Rest: policy.Rest{
			Base: time.Second, Backoff: policy.Backoff{Growth: policy.Exponential}, Cap: 10 * time.Minute}}},
		{Timeout: &policy.TimeoutAfter{Limit: 2 * time.Second}},
	}
}

// What is written is read back, and is in canonical form as it stands.
func TestPolicyFile(t *testing.T) {
	for _, tt := range []struct {
		header   []string
		policies []topology.Policy
		want     string
	}{
		{[]string{"Measured: curl 7.88.1.", "", "retries: 408,\n429 and 5xx"}, measuredPolicies(t), measured},
		{nil, nil, "version: 1\npolicies: []\n"},
		{[]string{"# \xff\u2028x\x00 "}, []topology.Policy{{Name: "outer", Route: "!slow", Retry: &policy.Retry{Attempts: policy.Unlimited,
			Rest: policy.Rest{Base: time.Second}}}},
			"# # \uFFFD x\nversion: 1\npolicies:\n  - {name: outer, retry: {attempts: unlimited, rest: 1s}, route: \"!slow\"}\n"},
	} {
		got := string(file.WritePolicies(tt.header, tt.policies))
		equal(t, "written", got, tt.want)
		back, err := file.ReadPolicies("p.yaml", []byte(got))
		if err != nil || !reflect.DeepEqual(back, tt.policies) {
			t.Errorf("read back (%v):\n got %+v\nwant %+v", err, back, tt.policies)
		}
		formatted, err := file.Format("p.yaml", []byte(got))
		equal(t, "error", message(err), "")
		equal(t, "formatted", string(formatted), got)
	}
}

// A policy file is tidied like a lab, with its comments.
func TestPolicyFileIsFormatted(t *testing.T) {
	got, err := file.Format("p.yaml", []byte(`policies: # measured
 - retry: {retries: 3, rest: 1000ms} # attempts: 4
   # not decided
 - timeout: {limit: 2s}
version: 1 # so far
`))
	equal(t, "error", message(err), "")
	equal(t, "formatted", string(got), `version: 1 # so far
policies: # measured
  - retry: {attempts: 4, rest: 1s} # attempts: 4
  # not decided
  - timeout: 2s
`)
}

// Every refusal is one line, as that of a lab.
func TestReadPoliciesRefuses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ": it says nothing: start with version: 1, or with the example of labctl init"},
		{"policies: []\n", ":1:1: version: it is missing: start with version: 1"},
		{"version: 2\npolicies: []\n", `:1:10: version: the value "2": this labctl reads version 1`},
		{"version: 1\n", ":1:1: policies: there are none: write policies: [{retry: {attempts: 3}}, {timeout: 1s}], outermost first, or [] for none at all"},
		{small, ":1:1: it is a lab, and a policy file has just version and policies: labctl run FILE runs a lab"},
		{"version: 1\npolices: []\n", `:2:1: no key "polices"; did you mean policies?`},
		{"version: 1\nretry: {attempts: 3}\n", `:2:1: no key "retry": there are version, policies`},
		{"version: 1\npolicies: {retry: {attempts: 3}}\n", ":2:11: policies: a map stands where a list is needed: write policies: [{retry: {attempts: 3}}, {timeout: 1s}], outermost first"},
		{"version: 1\npolicies: [{retry: 3}]\n", ":2:20: retry: 3 attempts are one retry fewer, 3 retries one attempt more: say attempts: 3 or retries: 3"},
		{"version: 1\npolicies: [{retries: 3}]\n", `:2:13: policies: no key "retries": it belongs to a retry: write retry: {retries: 3}`},
		{"version: 1\npolicies: [{retry: {attempts: 3, rest: 5}}]\n", `:2:40: retry.rest: "5" is not a duration: write it like 50ms, 1.5s or 2m`},
		{"version: 1\npolicies: [{retry: {attempts: 3, rest: 2s, cap: 1s}}]\n", ":2:44: retry.cap: 1s is below the first rest of 2s: raise the cap or shorten the rest"},
		{"version: 1\npolicies: [{retry: {attempts: unlimited}}]\n", ":2:1: policies: retries without a limit and without a rest never let time go by: say a rest"},
		{"version: 1\npolicies: [{timeout: 1s}, {name: inner, timeout: 2s}]\n", ":2:27: inner: 2s is longer than the timeout of 1s around it, and never reached: shorten it, or lengthen that"},
		{"version: 1\npolicies: [&x {timeout: 1s}]\n", ":2:12: &x: anchors are not for labs: write the value where it is needed"},
	} {
		_, err := file.ReadPolicies("p.yaml", []byte(tt.text))
		equal(t, tt.text, message(err), "p.yaml"+tt.want)
	}
	_, err := file.Read("p.yaml", []byte(measured))
	equal(t, "a policy file as a lab", message(err),
		`p.yaml:5:1: no key "policies": a lab has them at its calls, and a file of policies alone is for --policy, as in labctl run jitter-herd --policy FILE`)
}

// An editor and ReadPolicies agree.
func TestPolicySchema(t *testing.T) {
	schema := compiled(t, file.PolicySchema())
	for _, text := range []string{measured, "version: 1\npolicies: []\n"} {
		if err := validates(t, schema, text); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
	}
	for _, text := range []string{"version: 1\n", "version: 1\npolicies: [{retry: {rest: 1s}}]\n", "version: 1\npolicies: []\nservices: {}\n"} {
		if validates(t, schema, text) == nil {
			t.Errorf("the schema takes\n%s", text)
		}
	}
}

// Whatever is in a file: no panic, one line for an error, and what is read can be
// written and read again.
func FuzzReadPolicies(f *testing.F) {
	for _, text := range []string{measured, "version: 1\npolicies: [{retry: 3}]\n", "version: 1\npolicies: [] # none\n", small} {
		f.Add(text, "a header")
	}
	f.Fuzz(func(t *testing.T, text, header string) {
		policies, err := file.ReadPolicies("x.yaml", []byte(text))
		if err != nil {
			if msg := err.Error(); len(msg) > 3000 || strings.ContainsAny(msg, "\n\r") || !strings.HasPrefix(msg, "x.yaml:") {
				t.Errorf("an error that is not one line of a file: %q", msg)
			}
			policies = nil
		}
		out := file.WritePolicies([]string{header}, policies)
		again, err := file.ReadPolicies("x.yaml", out)
		if err != nil || !reflect.DeepEqual(again, policies) {
			t.Fatalf("%v in\n%s", err, out)
		}
		if formatted, err := file.Format("x.yaml", out); err != nil || string(formatted) != string(out) {
			t.Errorf("formatted (%v):\n%s\nnot\n%s", err, formatted, out)
		}
	})
}
