package export_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/export"
	"labctl/topology/file"
)

var update = flag.Bool("update", false, "write the golden files")

func read(t *testing.T, name string) export.Input {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "labs", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	lab, err := file.Read(name+".yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	return export.Input{Name: lab.Name, Text: data, Topology: lab.Topology, Image: "registry.example/labctl:1.2", Hosts: 1}
}

// cases are what the golden files show. The tests of internal/manifesttest hold the
// same files against the types and rules of Kubernetes and Compose.
func cases(t *testing.T) map[string]export.Input {
	hostile := read(t, "hostile")
	hostile.Variant, hostile.Namespace, hostile.Hosts = "thrice", "retry-lab", 3
	hostile.At = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	sweep := read(t, "chain")
	sweep.Sweep = export.Sweep{
		Over:  []string{"load.herd.clients=1,10", "services.c.fault=503,delay=$(X)"},
		Names: []string{"load.herd.clients", "services.c.fault"},
		Cells: [][]string{{"1", "503"}, {"1", "delay=$(X)"}, {"10", "503"}, {"10", "delay=$(X)"}},
	}
	return map[string]export.Input{"chain": read(t, "chain"), "hostile": hostile, "sweep": sweep}
}

var formats = map[string]func(export.Input) ([]export.File, error){"kubernetes": export.Kubernetes, "compose": export.Compose}

func TestGolden(t *testing.T) {
	for format, write := range formats {
		for name, in := range cases(t) {
			t.Run(format+"/"+name, func(t *testing.T) {
				files, err := write(in)
				if err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join("testdata", format, name), files)
			})
		}
	}
}

func golden(t *testing.T, dir string, files []export.File) {
	t.Helper()
	if *update {
		os.RemoveAll(dir)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		if *update {
			if err := os.WriteFile(path, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != string(f.Data) {
			t.Errorf("%s is not as it was: read it, and write it with -update:\n%s", path, f.Data)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != len(files) {
		t.Errorf("%s has %d files, and there should be %d", dir, len(left), len(files))
	}
}

func TestRefused(t *testing.T) {
	chain := func(names ...string) topology.Topology {
		out := topology.Topology{Services: []topology.Service{{Name: "client"}}, Load: topology.Load{Herd: topology.Herd{Clients: 10}}}
		for i, n := range names {
			out.Services[i].Calls = []topology.Call{{To: n}}
			out.Services = append(out.Services, topology.Service{Name: n})
		}
		return out
	}
	long := strings.Repeat("x", 64)
	for _, tt := range []struct {
		change func(*export.Input)
		want   string
	}{
		{func(in *export.Input) { in.Topology = chain("a_b", "A-B") }, "services.A-B: as a host, it would be lab-a-b, like a_b: rename it"},
		{func(in *export.Input) { in.Topology = chain("_") }, "services._: nothing of its name can be in that of a host: give it letters or digits"},
		{func(in *export.Input) { in.Topology = chain("herd") }, "services.herd: the export needs the name herd for itself: rename the service"},
		{func(in *export.Input) { in.Topology = chain("Herd_0") }, "services.Herd_0: the export needs the name herd-0 for itself: rename the service"},
		{func(in *export.Input) { in.Topology = chain(long) }, "services." + long + ": as a host, lab-" + long + " is longer than the 63 that DNS allows: shorten its name"},
		{func(in *export.Input) { in.Image = "a b" }, `--image "a b": write it as an image is called, such as registry.example/labctl:1.2`},
		{func(in *export.Input) { in.Image = "" }, `--image "": write it as an image is called, such as registry.example/labctl:1.2`},
		{func(in *export.Input) { in.Image = "x\nprivileged: true" }, `--image "x\nprivileged: true": write it as an image is called, such as registry.example/labctl:1.2`},
		{func(in *export.Input) { in.Namespace = "Mine" }, `--namespace "Mine": a namespace has lower-case letters, digits and -, such as retry-lab`},
		{func(in *export.Input) { in.Hosts = 0 }, "--hosts 0: say how many herds there are, from 1 on"},
		{func(in *export.Input) { in.Hosts = 11 }, "--hosts 11: there are 10 clients: say 10 at most"},
		{func(in *export.Input) { in.Hosts = 2 }, "--at: several herds need an instant that they agree on: say one"},
		{func(in *export.Input) {
			in.Hosts, in.Topology.Load.Rate.Steps = 2, []topology.RateStep{{Milli: 1}}
		}, "--hosts 2: the load is an open loop, which cannot be shared: say 1"},
		{func(in *export.Input) { in.Text = make([]byte, 1<<20+1) }, "lab: 1048577 bytes are over the 1048576 that a ConfigMap holds: shorten it, or use compose"},
	} {
		in := export.Input{Name: "lab", Topology: chain("a", "b"), Image: "labctl:local", Hosts: 1}
		tt.change(&in)
		if _, err := export.Kubernetes(in); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

// Whatever a lab is called, its objects have names that hosts may have.
func TestLabsOfAnyName(t *testing.T) {
	for name, want := range map[string]string{
		"": "lab", "..": "lab", "Check out": "check-out", "7": "n7", "ümlaut": "mlaut",
		"an-uncommonly-long-name-of-a-lab": "an-uncommonly-long-n", "x\nkind: Secret": "x-kind--secret",
	} {
		in := read(t, "chain")
		in.Name = name
		files, err := export.Compose(in)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(files[0].Data), "\n")
		if got := strings.Trim(strings.TrimPrefix(first, "name: "), `"`); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func names(files []export.File) []string {
	out := map[string]bool{}
	for _, f := range files {
		out[f.Name] = true
	}
	return slices.Sorted(maps.Keys(out))
}

// A sweep starts nothing that it does not need.
func TestASweepIsOneJob(t *testing.T) {
	files, err := export.Kubernetes(cases(t)["sweep"])
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"README.md", "config.yaml", "network.yaml", "sweep.yaml"}
	if got := names(files); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
