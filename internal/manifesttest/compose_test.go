package manifesttest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	compose "github.com/compose-spec/compose-go/v2/types"
)

// load reads a Compose file as docker compose does: against the schema, with variables,
// and with all profiles.
func load(dir string, environment map[string]string) (*compose.Project, error) {
	data, err := os.ReadFile(filepath.Join(dir, "compose.yaml"))
	if err != nil {
		return nil, err
	}
	details := compose.ConfigDetails{
		WorkingDir:  dir,
		ConfigFiles: []compose.ConfigFile{{Filename: filepath.Join(dir, "compose.yaml"), Content: data}},
		Environment: environment,
	}
	return loader.LoadWithContext(context.Background(), details, func(o *loader.Options) { o.Profiles = []string{"*"} })
}

func project(t *testing.T, dir string) *compose.Project {
	t.Helper()
	p, err := load(dir, map[string]string{"LABCTL_TOKEN": "of the test"})
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return p
}

// What a container may do is what the OWASP Docker Security Cheat Sheet asks for: no
// root, no capabilities, no new privileges, a file system that is read only, limits,
// no socket of the engine, no port of the host.
func TestComposeKeepsTheRules(t *testing.T) {
	for _, dir := range cases(t, "compose") {
		for name, s := range project(t, dir).Services {
			limits := s.Deploy.Resources.Limits
			switch {
			case s.User != "65532:65532" || s.Privileged:
				t.Errorf("%s: %s runs as %q", dir, name, s.User)
			case !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.CapAdd) > 0:
				t.Errorf("%s: %s keeps capabilities", dir, name)
			case !slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}):
				t.Errorf("%s: %s has %v", dir, name, s.SecurityOpt)
			case !s.ReadOnly || len(s.Tmpfs) > 0:
				t.Errorf("%s: %s may write", dir, name)
			case limits == nil || limits.MemoryBytes == 0 || limits.NanoCPUs == 0 || limits.Pids == 0:
				t.Errorf("%s: %s has the limits %+v", dir, name, limits)
			case len(s.Ports) > 0 || s.NetworkMode == "host" || s.Pid != "" || s.Ipc != "":
				t.Errorf("%s: %s reaches into the host", dir, name)
			}
			for _, v := range s.Volumes {
				if v.Type != compose.VolumeTypeVolume {
					t.Errorf("%s: %s mounts %s of the host", dir, name, v.Source)
				}
			}
		}
	}
}

// The network leads nowhere else, and the config is the file beside.
func TestComposeNetworkAndFile(t *testing.T) {
	p := project(t, filepath.Join(golden, "compose", "hostile"))
	if !p.Networks["lab"].Internal {
		t.Error("the network leads outside")
	}
	want, err := os.ReadFile(filepath.Join(golden, "labs", "hostile.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(p.Configs["lab"].File)
	if err != nil || string(got) != string(want) {
		t.Errorf("got %q, %v", got, err)
	}
	var names []string
	for name := range p.Services {
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"auth-api", "collect", "herd-0", "herd-1", "herd-2", "n4ever", "null", "on"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

// A $ in a value is no variable, and without a token nothing starts.
func TestComposeVariables(t *testing.T) {
	args := project(t, filepath.Join(golden, "compose", "sweep")).Services["sweep"].Command
	if !slices.Contains(args, "services.c.fault=503,delay=$(X)") {
		t.Errorf("got %q", args)
	}
	if _, err := load(filepath.Join(golden, "compose", "chain"), nil); err == nil {
		t.Error("it starts without a token")
	}
}
