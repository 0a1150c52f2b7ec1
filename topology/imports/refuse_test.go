package imports_test

import (
	"strings"
	"testing"
	"time"

	"labctl/topology/file"
	"labctl/topology/imports"
)

// Every refusal is one line: where, which field, what is wrong.
func TestReadRefuses(t *testing.T) {
	for _, tt := range []struct{ format, text, want string }{
		{"linkerd", "", `no format "linkerd": choose istio, envoy, grpc-service-config, gateway-api`},
		{imports.Istio, "", "x.yaml: it says nothing"},
		{imports.Istio, "---\n---\n", "x.yaml: it says nothing"},
		{imports.Istio, "\xff", "x.yaml: it is no UTF-8 text: save it as UTF-8"},
		{imports.Istio, strings.Repeat("#", file.MaxBytes+1), "x.yaml: 4194305 bytes are over the limit of 4194304: give the parts about routes and clusters"},
		{imports.Istio, "kind: [\n", "x.yaml:2:1: did not find expected node content"},
		{imports.Istio, "a: &a [1]\nb: [*a, *a]\n", "x.yaml:1:4: anchors and aliases are not expanded: write the values out, as yq 'explode(.)' does"},
		{imports.Istio, "<<: {a: 1}\n", "x.yaml:1:1: <<: maps are not merged: write the keys out"},
		{imports.Istio, "kind: !!str x\n", "x.yaml:1:7: tags are not read: leave them out"},
		{imports.Istio, "kind: Pod\n", "x.yaml: there is no VirtualService or DestinationRule in it that says what becomes of HTTP requests"},
		{imports.Istio, "spec: {}\n", "x.yaml:1:1: it has no kind: give the resources as kubectl get -o yaml writes them"},
		{imports.Istio, "- 1\n", "x.yaml:1:1: a list stands where keys are needed"},
		{imports.Istio, "kind: VirtualService\nkind: Pod\n", "x.yaml:2:1: kind: the key stands twice, also on line 1: keep one"},
		{imports.Istio, "kind: VirtualService\nspec: {http: {}}\n", "x.yaml:2:14: spec.http: a map stands where a list is needed"},
		{imports.Istio, virtualService(`retries: {attempts: many}`), `x.yaml:4:61: spec.http[0].retries.attempts: "many" is not a whole number from 0 to 999999`},
		{imports.Istio, virtualService(`retries: {attempts: -1}`), `x.yaml:4:61: spec.http[0].retries.attempts: "-1" is not a whole number from 0 to 999999`},
		{imports.Istio, virtualService(`retries: {attempts: 99999999999999999999}`), `x.yaml:4:61: spec.http[0].retries.attempts: "99999999999999999999" is not a whole number from 0 to 999999`},
		{imports.Istio, virtualService(`timeout: 5`), `x.yaml:4:50: spec.http[0].timeout: "5" is not a duration: write it like 0.25s`},
		{imports.Istio, virtualService(`timeout: -5s`), `x.yaml:4:50: spec.http[0].timeout: "-5s" is less than no time`},
		{imports.Istio, virtualService(`timeout: 9000h`), `x.yaml:4:50: spec.http[0].timeout: "9000h" is more than a year`},
		{imports.Istio, virtualService(`timeout: {seconds: 5}`), "x.yaml:4:50: spec.http[0].timeout: a map stands where one value is needed"},

		{imports.Envoy, "static_resources: {}\n", "x.yaml: there is no virtual host or cluster in it: give the bootstrap, a route configuration, or the answer of /config_dump"},
		{imports.Envoy, "5\n", `x.yaml:1:1: "5" stands where keys are needed`},
		{imports.Envoy, routes(`retry_policy: {num_retries: 1e9}`, `type: EDS`), `x.yaml:1:125: virtual_hosts[0].routes[0].route.retry_policy.num_retries: "1e9" is not a whole number from 0 to 999999`},
		{imports.Envoy, routes(`retry_policy: {num_retries: 1, numRetries: 2}`, `type: EDS`),
			"x.yaml:1:128: virtual_hosts[0].routes[0].route.retry_policy.numRetries: the key stands twice, also on line 1: keep one"},
		{imports.Envoy, routes(`retry_policy: {retry_back_off: {base_interval: 1s, max_interval: 0.5s}}`, `type: EDS`),
			"x.yaml:1:162: virtual_hosts[0].routes[0].route.retry_policy.retry_back_off.max_interval: 500ms is less than base_interval, 1s, which Envoy refuses"},
		{imports.Envoy, routes(``, `circuit_breakers: {thresholds: [{retry_budget: {budget_percent: {value: .inf}}}]}`),
			`x.yaml:3:98: clusters[0].circuit_breakers.thresholds[0].retry_budget.budget_percent.value: ".inf" is not a number from 0 to 100`},

		{imports.GRPC, "{}", "x.yaml: there is no methodConfig in it, nor retryThrottling"},
		{imports.GRPC, methodConfig(`"retryPolicy": {"retryableStatusCodes": [14]}`), "x.yaml:1:72: methodConfig[0].retryPolicy: maxAttempts is missing, without which gRPC refuses the config"},
		{imports.GRPC, methodConfig(`"retryPolicy": {"maxAttempts": 3}`), "x.yaml:1:72: methodConfig[0].retryPolicy: retryableStatusCodes are missing, without which gRPC refuses the config"},
		{imports.GRPC, methodConfig(retryPolicy("1", "1s", "1s", "2")), `x.yaml:1:88: methodConfig[0].retryPolicy.maxAttempts: "1" is not a whole number from 2 to 2147483647`},
		{imports.GRPC, methodConfig(retryPolicy("2", "0s", "1s", "2")), "x.yaml:1:109: methodConfig[0].retryPolicy.initialBackoff: it must be more than 0, or gRPC refuses the config"},
		{imports.GRPC, methodConfig(retryPolicy("2", "1s", "1s", "NaN")), `x.yaml:1:156: methodConfig[0].retryPolicy.backoffMultiplier: "NaN" is not a number from 0.001 to 1000`},
		{imports.GRPC, methodConfig(`"retryPolicy": {}, "hedgingPolicy": {}`), "x.yaml:1:93: methodConfig[0].hedgingPolicy: retryPolicy is given as well, and gRPC refuses both: keep one"},
		{imports.GRPC, `{"retryThrottling": {"maxTokens": 2000, "tokenRatio": 1}}`, `x.yaml:1:35: retryThrottling.maxTokens: "2000" is not a whole number from 1 to 1000`},
		{imports.GRPC, `{"retryThrottling": {}}`, "x.yaml:1:21: retryThrottling: maxTokens is missing, without which gRPC refuses the config"},

		{imports.GatewayAPI, "kind: Pod\n", "x.yaml: there is no HTTPRoute or XBackendTrafficPolicy in it"},
		{imports.GatewayAPI, rule(`retry: 3`), `x.yaml:2:54: spec.rules[0].retry: "3" stands where keys are needed`},
		{imports.GatewayAPI, rule(`retry: {codes: 503, backoff: soon}`), `x.yaml:2:76: spec.rules[0].retry.backoff: "soon" is not a duration: write it like 0.25s`},
	} {
		_, err := imports.Read(tt.format, "x.yaml", []byte(tt.text))
		shown := tt.text
		if len(shown) > 200 {
			shown = shown[:200] + "…"
		}
		equal(t, shown, message(err), tt.want)
	}
}

// Whatever a chain names, the answer says what to name.
func TestBuildRefuses(t *testing.T) {
	mesh := sample(t, imports.Istio, "mesh.yaml")
	twice := read(t, imports.Istio, "kind: VirtualService\nspec: {http: [{route: [{destination: {host: a.x.svc.cluster.local}}, {destination: {host: a.y.svc.cluster.local}}]}]}\n")
	for _, tt := range []struct {
		file  imports.File
		chain string
		want  string
	}{
		{mesh, "checkout,stock", "--chain: it begins with client and names at least one host, such as client,checkout"},
		{mesh, "client", "--chain: it begins with client and names at least one host, such as client,checkout"},
		{mesh, "client,stock,stock", "--chain: stock stands twice: a chain comes by each host once"},
		{mesh, "client,checkout,checkout.shop.svc.cluster.local", "--chain: checkout.shop.svc.cluster.local stands twice: a chain comes by each host once"},
		{mesh, "client,client", "--chain: client stands twice: a chain comes by each host once"},
		{mesh, "client,a b", `--chain: nothing was read of "a b": there are checkout, checkout-canary, stock`},
		{twice, "client,a", "--chain: a is a-x and a-y: say which"},
	} {
		_, _, err := imports.Build([]imports.File{tt.file}, strings.Split(tt.chain, ","))
		equal(t, tt.chain, message(err), tt.want)
	}
}

// Whatever somebody puts into a file, the answer comes soon, and on one line.
func TestReadRefusesSoon(t *testing.T) {
	const n = file.MaxBytes / 32
	for _, text := range []string{
		strings.Repeat("[", n), strings.Repeat("- ", n), strings.Repeat("{a: ", n), "a: &a [" + strings.Repeat("*a, ", n) + "]\n",
		"{" + strings.Repeat("a: 1, ", n/2) + "}\n", "kind: " + strings.Repeat("x", n) + "\n", "kind: \"" + strings.Repeat("\\n", n) + "\"\n",
		"methodConfig: [{timeout: " + strings.Repeat("9", n) + "}]\n", "{\"" + strings.Repeat("\\u0007", n/4) + "\": [*b]}\n",
	} {
		for _, format := range imports.Formats() {
			begun := time.Now()
			_, err := imports.Read(format, "x.yaml", []byte(text))
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("%s %.20q took %v", format, text, took)
			}
			if got := message(err); got == "" || len(got) > 2000 || strings.ContainsAny(got, "\n\r") {
				t.Errorf("%s %.20q: got %q", format, text, got)
			}
		}
	}
}

// A lab of many hosts is made soon, too.
func TestManyHosts(t *testing.T) {
	text := "methodConfig: [{name: [" + strings.Repeat("{service: '!'}, {service: '?'}, ", 5000)
	var hosts strings.Builder
	for i := range 12_000 {
		hosts.WriteString("{service: 'p" + strings.Repeat("x", i%7) + "." + strings.Repeat("!", i%500+1) + "'}, ")
	}
	begun := time.Now()
	f, err := imports.Read(imports.GRPC, "x.yaml", []byte(text+hosts.String()+"]}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := imports.Build([]imports.File{f}, nil); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}
