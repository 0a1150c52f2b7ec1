package subjects_test

import (
	"slices"
	"strings"
	"testing"

	"labctl/audit/subjects"
)

func named(t *testing.T, name string) subjects.Subject {
	t.Helper()
	s, ok := subjects.Named("build", name)
	if !ok {
		t.Fatalf("no subject %s", name)
	}
	return s
}

func TestArgv(t *testing.T) {
	all := subjects.Call{Method: "POST", URL: "U", Body: "B", Key: "K", Warm: "W"}
	get := subjects.Call{Method: "GET", URL: "U"}
	for _, tt := range []struct {
		name string
		call subjects.Call
		want []string
	}{
		{"curl-retry", get, []string{"curl", "-sS", "-m", "1", "--retry", "3", "U"}},
		{"curl-retry", all, []string{"curl", "-sS", "-m", "1", "--retry", "3", "-X", "POST", "-d", "B", "-H", "Idempotency-Key: K", "W", "U"}},
		{"wget", all, []string{"wget", "-q", "-O", "/dev/null", "-T", "1", "--tries=3", "--method=POST", "--body-data=B", "--header=Idempotency-Key: K", "W", "U"}},
		{"go-backoff", get, []string{"build/subjects", "backoff", "GET", "", "", "", "U"}},
		{"go-backoff", all, []string{"build/subjects", "backoff", "POST", "B", "K", "W", "U"}},
		{"go-net-http-key", get, []string{"build/subjects", "net/http", "GET", "", "a-key-of-its-own", "", "U"}},
		{"java-httpclient", get, []string{"java", "-cp", "build/java", "JdkClient", "GET", "", "", "", "U"}},
	} {
		got := named(t, tt.name).Argv(tt.call)
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], `\`, "/")
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %v:\n got %q\nwant %q", tt.name, tt.call, got, tt.want)
		}
	}
}

// A value is a value, also when it looks like a placeholder.
func TestArgvReplacesOnce(t *testing.T) {
	got := named(t, "go-backoff").Argv(subjects.Call{Method: "PUT", Body: "{url}", URL: "{body}"})
	want := []string{"PUT", "{url}", "", "", "{body}"}
	if !slices.Equal(got[2:], want) {
		t.Errorf("got %q, want %q", got[2:], want)
	}
}

func TestSubjectsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range subjects.All("build") {
		if seen[s.Name] {
			t.Errorf("two subjects are called %s", s.Name)
		}
		seen[s.Name] = true
		if s.Title == "" || s.Cure == "" || len(s.Version) == 0 || s.Args[len(s.Args)-1] != "{url}" {
			t.Errorf("%s lacks something: %+v", s.Name, s)
		}
	}
}

func TestNotInstalled(t *testing.T) {
	s, _ := subjects.Named(t.TempDir(), "go-backoff")
	if version, ok := s.Installed(); ok {
		t.Errorf("an empty folder has version %q of it", version)
	}
}
