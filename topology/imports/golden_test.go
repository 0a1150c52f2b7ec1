package imports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labctl/topology/bound"
	"labctl/topology/imports"
)

// What becomes of files such as teams have: the lab, and all that is not in it.
func TestSamples(t *testing.T) {
	for _, tt := range []struct{ format, name string }{
		{imports.Istio, "mesh.yaml"}, {imports.Envoy, "edge.yaml"}, {imports.Envoy, "dump.json"},
		{imports.GRPC, "payments.json"}, {imports.GatewayAPI, "gateway.yaml"},
	} {
		_, got := build(t, "", sample(t, tt.format, tt.name))
		golden := filepath.Join("testdata", strings.TrimSuffix(tt.name, filepath.Ext(tt.name))+".lab.golden")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || string(want) != got {
			t.Errorf("%s (%v): got\n%s\nwant\n%s", tt.name, err, got, want)
		}
	}
}

// TestUnknownFieldsAreListed: by file, line and path, wherever they stand.
func TestUnknownFieldsAreListed(t *testing.T) {
	for _, tt := range []struct{ format, name, want string }{
		{imports.Istio, "mesh.yaml", "mesh.yaml:27: items[0].spec.http[0].jitterFactor: not read"},
		{imports.Istio, "mesh.yaml", "mesh.yaml:56: spec.trafficPolicy.tunnel: not read"},
		{imports.Istio, "mesh.yaml", "mesh.yaml:58: kind: PeerAuthentication default: not read"},
		{imports.Envoy, "edge.yaml", "edge.yaml:2: admin: not read"},
		{imports.Envoy, "edge.yaml", "edge.yaml:27: ….listeners[0].filter_chains[0].filters[0].typed_config.route_config.virtual_hosts[0].routes[0].route.quantum_timeout: not read"},
		{imports.GRPC, "payments.json", "payments.json:19: methodConfig[1].colour: not read"},
		{imports.GatewayAPI, "gateway.yaml", "gateway.yaml:11: spec.rules[0].retry.maxBackoff: not read"},
	} {
		found := false
		var all []string
		for _, n := range sample(t, tt.format, tt.name).Notes {
			all = append(all, n.String())
			found = found || n.String() == tt.want
		}
		if !found {
			t.Errorf("no %q in\n%s", tt.want, strings.Join(all, "\n"))
		}
	}
}

// hits is what one request can become at each service, by the bound.
func hits(t *testing.T, chain string, files ...imports.File) string {
	t.Helper()
	lab, _ := build(t, chain, files...)
	var out []string
	for _, s := range bound.Of(&lab.Topology).Services[1:] {
		out = append(out, fmt.Sprint(s.Name, " ", s.Hits))
	}
	return strings.Join(out, ", ")
}

// TestProducts: what settings of several products come to together.
func TestProducts(t *testing.T) {
	mesh, edge := sample(t, imports.Istio, "mesh.yaml"), sample(t, imports.Envoy, "edge.yaml")
	config, gateway := sample(t, imports.GRPC, "payments.json"), sample(t, imports.GatewayAPI, "gateway.yaml")
	for _, tt := range []struct {
		sentence, chain string
		files           []imports.File
		want            string
	}{
		{"istio 3 × envoy 4 × grpc 5", "client,checkout,orders,Payments", []imports.File{mesh, edge, config},
			"checkout 3, orders 12, Payments 60"},
		{"in the order of the chain, whatever that of the files", "client,orders,Payments,checkout", []imports.File{config, edge, mesh},
			"orders 4, Payments 20, checkout 60"},
		{"a hedge multiplies as well", "client,cart,search,Ledger", []imports.File{config, edge, gateway},
			"cart 5, search 15, Ledger 45"},
		{"a service of which nothing was read is called once", "client,cart,between,stock", []imports.File{mesh, gateway},
			"cart 5, between 5, stock 15"},
		{"hosts in full", "client,checkout.shop.svc.cluster.local,shop.Payments", []imports.File{mesh, config},
			"checkout 3, Payments 15"},
		{"without a chain nothing multiplies", "", []imports.File{gateway, config},
			"cart 5, web 2, Payments 5, Ledger 3"},
	} {
		equal(t, tt.sentence, hits(t, tt.chain, tt.files...), tt.want)
	}
}

// TestLibraryInsideMesh: of one host the format that comes first stands outside, and
// its attempts multiply with those inside.
func TestLibraryInsideMesh(t *testing.T) {
	library := read(t, imports.GRPC, `{"methodConfig": [{"name": [{"service": "shop.stock"}], "timeout": "9s", "retryPolicy":
		{"maxAttempts": 5, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}}]}`)
	mesh := read(t, imports.Istio, virtualService(`timeout: 10s, retries: {attempts: 2, perTryTimeout: 500ms, retryOn: 5xx}`))
	equal(t, "both", hits(t, "client,stock", library, mesh), "stock 15")
	equal(t, "stack", stack(t, library, mesh), "deadline retry istio-retry timeout")
	_, text := build(t, "client,stock", library, mesh)
	const want = "# - x.yaml:4: stock: the overall of 10s is left out: around it the call ends after 9s\n"
	if !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
