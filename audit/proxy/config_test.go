package proxy

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// variants are the files that are kept as they should be: what each proxy does out of the
// box, with all that it can be told, and what is worth a look between.
var variants = []string{
	"nginx", "nginx:statuses", "nginx:on=error+503,non-idempotent,max-fails=0,retries=1,servers=3,keep-alive,read-timeout=1s,try-duration=5s,fail-timeout=500ms",
	"haproxy", "haproxy:statuses", "haproxy:on=refused+timeout+503,retries=1,servers=2,redispatch,buffer-request,idempotent-only,read-timeout=1s",
	"apache", "apache:on=500+503,retries=2,servers=3,read-timeout=1500ms,fail-timeout=1s",
	"caddy", "caddy:retries=3", "caddy:retries=3,try-duration=5s,non-idempotent,max-fails=2,fail-timeout=10s,read-timeout=1s,servers=1",
	"squid", "squid:statuses,retries=3,connect-retries=2,servers=3,read-timeout=1s",
	"varnish", "varnish:retries=2", "varnish:on=error,buffer-request", "varnish:on=500+503,servers=2,read-timeout=1s",
	"envoy", "envoy:statuses,retries=3,servers=2,read-timeout=1500ms,try-duration=10s",
}

func TestConfigurations(t *testing.T) {
	for _, text := range variants {
		t.Run(text, func(t *testing.T) {
			r, options, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c, err := r.Config(Setup{
				Listen: "127.0.0.1:8080", Upstreams: []string{"127.0.0.1:9001"}, Options: options,
				Dir: "/tmp/labctl", Root: text == r.Name, ModuleDir: "/usr/lib/apache2/modules",
			})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, strings.NewReplacer(":", "_", "=", "-", ",", "_").Replace(text), shown(c))
		})
	}
}

// shown is a configuration in one text.
func shown(c Config) string {
	var out strings.Builder
	out.WriteString("$ " + strings.Join(append(c.Env, c.Args...), " ") + "\n")
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		out.WriteString("\n== " + name + " ==\n" + c.Files[name])
	}
	return out.String()
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at it with go test ./audit/proxy -update and git diff\n%s", path, got)
	}
}

// What the golden files hold is what the programs understand.
func TestConfigurationsStart(t *testing.T) {
	for _, text := range variants {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			start(t, text, "127.0.0.1:1")
		})
	}
}

func TestConfigurationsThatAreRefused(t *testing.T) {
	good := Setup{Listen: "127.0.0.1:8080", Upstreams: []string{"127.0.0.1:9001"}}
	for _, tt := range []struct {
		change func(*Setup)
		want   string
	}{
		{func(s *Setup) { s.Listen = "8080" }, "proxy nginx: where to listen must be host:port: address 8080: missing port in address"},
		{func(s *Setup) { s.Upstreams = nil }, "proxy nginx: no upstream: name one host:port at least"},
		{func(s *Setup) { s.Upstreams = []string{"tail"} }, "proxy nginx: an upstream must be host:port: address tail: missing port in address"},
		{func(s *Setup) { s.Options = map[string]string{"retries": "x"} }, `proxy nginx: option retries: "x" is not a number from 0 to 100`},
	} {
		s := good
		tt.change(&s)
		if _, err := nginx().Config(s); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}
