package proxy

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// setup is for a proxy in front of nothing.
func setup(options map[string]string) Setup {
	return Setup{Upstreams: []string{"127.0.0.1:1"}, Options: options}
}

// needs skips a test where a proxy is not installed.
func needs(t *testing.T, name string) Recipe {
	t.Helper()
	r, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := Installed(r); !ok {
		t.Skipf("%s is not installed", r.Title)
	}
	return r
}

func TestAProxyThatDoesNotStart(t *testing.T) {
	for _, tt := range []struct{ recipe, option, want string }{
		{"nginx", "401", `^proxy nginx ended at its start with code 1 and said: .*\[emerg\].* invalid value "http_401" in nginx.conf:\d+$`},
		{"haproxy", "418", `^proxy haproxy ended at its start with code 1 and said: \[ALERT\].* unknown keyword '418'`},
	} {
		t.Run(tt.recipe, func(t *testing.T) {
			t.Parallel()
			r := needs(t, tt.recipe)
			_, err := Start(t.Context(), r, setup(map[string]string{"on": tt.option}))
			if err == nil || !regexp.MustCompile(tt.want).MatchString(err.Error()) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestStartWantsAFreePort(t *testing.T) {
	t.Parallel()
	r := needs(t, "nginx")
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := setup(nil)
	s.Listen = l.Addr().String()
	_, err = Start(t.Context(), r, s)
	if err == nil || !strings.HasPrefix(err.Error(), "proxy nginx: cannot listen on "+s.Listen) {
		t.Errorf("got %v", err)
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	t.Parallel()
	r := needs(t, "nginx")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, r, setup(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestStartNamesWhatIsMissing(t *testing.T) {
	_, err := Start(t.Context(), Recipe{Name: "none", Title: "None", Programs: []string{"labctl-none", "none-labctl"}}, setup(nil))
	const want = "proxy none: no program labctl-none or none-labctl on this machine: install None, or leave the layer out"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Nothing is left: no listener, no files, no shared memory.
func TestStop(t *testing.T) {
	for _, name := range []string{"nginx", "apache", "squid"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, name, "127.0.0.1:1")
			p.Stop()
			p.Stop()
			if c, err := net.Dial("tcp", p.Addr); err == nil {
				c.Close()
				t.Error("it still accepts connections")
			}
			if _, err := os.Stat(p.dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("its folder: got %v, want none", err)
			}
			if left, _ := filepath.Glob(p.leaves); len(left) > 0 {
				t.Errorf("it left %v", left)
			}
		})
	}
}

func TestLastWords(t *testing.T) {
	for _, tt := range []struct{ output, want string }{
		{"", "nothing"},
		{"bind() failed | bind() failed | still could not bind()", "bind() failed | still could not bind()"},
		{"[NOTICE] (1) : version | [ALERT] (1) : parsing [/d/a.cfg:3]", "[ALERT] (1) : parsing [a.cfg:3]"},
		{strings.Repeat("é", maxWords), strings.Repeat("é", maxWords/2) + "…"},
	} {
		if got := lastWords(tt.output, "/d"); got != tt.want {
			t.Errorf("%.40q: got %q, want %q", tt.output, got, tt.want)
		}
	}
}

func TestVersions(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := needs(t, name)
			v := Version(t.Context(), r)
			if !regexp.MustCompile(`^\d+\.\d+`).MatchString(v) {
				t.Errorf("got %q, want a version", v)
			}
			t.Logf("%s %s", r.Title, v)
		})
	}
}
