package imports_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"labctl/topology/file"
	"labctl/topology/imports"
)

func FuzzIstio(f *testing.F) {
	fuzz(f, imports.Istio, "mesh.yaml", virtualService(`retries: {attempts: 3}`))
}
func FuzzEnvoy(f *testing.F)      { fuzz(f, imports.Envoy, "edge.yaml", routes(`timeout: 0s`, `type: EDS`)) }
func FuzzGatewayAPI(f *testing.F) { fuzz(f, imports.GatewayAPI, "gateway.yaml", rule(`retry: {}`)) }
func FuzzGRPC(f *testing.F) {
	fuzz(f, imports.GRPC, "payments.json", methodConfig(retryPolicy("2", "1s", "2s", "1.5")))
}

// fuzz holds a reader to this: no panic, one line for an error with the name of the
// file, and whatever is read makes a lab that can be written and read again.
func fuzz(f *testing.F, format, name string, more ...string) {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	for _, text := range more {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { holds(t, format, text) })
}

// tester is a test, of whatever kind.
type tester interface {
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// holds is what fuzz holds a reader to.
func holds(t tester, format, text string) {
	read, err := imports.Read(format, "x.yaml", []byte(text))
	if err != nil {
		if msg := err.Error(); len(msg) > 2000 || strings.ContainsAny(msg, "\n\r") || !strings.HasPrefix(msg, "x.yaml:") {
			t.Errorf("an error that is not one line of a file: %q", msg)
		}
		return
	}
	for _, n := range read.Notes {
		if line := n.String(); strings.ContainsAny(line, "\n\r") || !strings.HasPrefix(line, "x.yaml:") {
			t.Errorf("a note that is not one line of a file: %q", line)
		}
	}
	lab, notes, err := imports.Build([]imports.File{read}, nil)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "nothing that was read sends") {
			t.Errorf("%v", err)
		}
		return
	}
	out := imports.Write(lab, notes)
	back, err := file.Read("lab.yaml", out)
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if !reflect.DeepEqual(back.Topology, lab.Topology) {
		t.Errorf("\n got %+v\nwant %+v", back.Topology, lab.Topology)
	}
}
