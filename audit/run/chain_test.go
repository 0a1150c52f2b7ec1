package run_test

import (
	"slices"
	"testing"
	"time"

	"labctl/audit"
	"labctl/audit/proxy"
	"labctl/audit/run"
	"labctl/audit/subject"
	"labctl/audit/subjects"
)

// quietNoise is more than a replay needs that nobody rests before, on a busy machine too,
// and less than the 100 ms of the shortest rest here.
var quietNoise = audit.Noise{Median: time.Millisecond, P99: 20 * time.Millisecond}

// TestWhoMultiplies counts in front of each layer of chains that really run.
func TestWhoMultiplies(t *testing.T) {
	retryable := subject.Command{Args: []string{"../subjects/build/subjects", "retryablehttp", "GET", "", "", "", "{url}"}}
	closing := subject.Command{Args: []string{"../subjects/build/subjects", "retryablehttp-close", "GET", "", "", "", "{url}"}}
	curl := subject.Command{Args: []string{"curl", "-sS", "--retry", "2", "{url}"}}
	post := subject.Command{Args: []string{"curl", "-sS", "--retry", "2", "-d", "body", "{url}"}}
	type factors [][2]int // of each layer: attempts, hidden
	for _, c := range []struct {
		name    string
		command subject.Command
		proxies []string
		fault   string
		hits    int
		layers  factors
	}{
		// Each closed connection of HAProxy's is a reused one for Go, but the first.
		{"hidden replays", retryable, []string{"haproxy:retries=3,statuses"}, "close", 28, factors{{7, 3}, {28, 0}}},
		{"nothing to replay on", closing, []string{"haproxy:retries=3,statuses"}, "close", 16, factors{{4, 0}, {16, 0}}},
		{"statuses are a product", retryable, []string{"haproxy:retries=3,statuses"}, "503", 16, factors{{4, 0}, {16, 0}}},
		{"what nobody retries", retryable, []string{"haproxy:retries=3,statuses"}, "404", 1, factors{{1, 0}, {1, 0}}},
		// Passive health checks take both servers out after one pass: 9 in place of 18.
		{"health checks", curl, []string{"nginx:statuses", "haproxy:retries=2,statuses"}, "503", 9, factors{{3, 0}, {3, 0}, {9, 0}}},
		{"without health checks", post, []string{"nginx:statuses,non-idempotent,max-fails=0", "haproxy:retries=2,statuses,buffer-request"}, "503", 18, factors{{3, 0}, {6, 0}, {18, 0}}},
		{"two upstreams", curl, []string{"nginx:statuses,max-fails=0"}, "503", 6, factors{{3, 0}, {6, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			chain := chainOf(t, c.command, c.proxies, c.fault)
			var got factors
			for _, l := range chain.Layers {
				got = append(got, [2]int{l.Attempts, l.Hidden})
			}
			if chain.Hits != c.hits || !slices.Equal(got, c.layers) {
				t.Errorf("%d hits, layers %v, want %d, %v", chain.Hits, got, c.hits, c.layers)
			}
		})
	}
}

// chainOf makes the trial of the whole chain.
func chainOf(t *testing.T, c subject.Command, proxies []string, fault string) audit.Chain {
	t.Helper()
	if s, known := subjects.Named("../subjects/build", "go-retryablehttp"); known && c.Args[0] == s.Args[0] {
		if _, built := s.Installed(); !built {
			t.Skipf("%s is not here: %s", s.Title, s.Cure)
		}
	}
	var path run.Path
	for _, text := range proxies {
		recipe, options, err := proxy.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, installed := proxy.Installed(recipe); !installed {
			t.Skipf("%s is not installed: make audits-deps", recipe.Title)
		}
		path.Proxies = append(path.Proxies, run.Proxy{Recipe: recipe, Options: options})
	}
	f, _ := audit.FaultNamed(fault)
	plan := run.Plan{Caller: run.Program{Command: c}, Path: path, Probes: run.Choice{
		Faults: []audit.Fault{f}, Connections: []audit.Connection{audit.Reused},
	}.Probes()}
	prefixes := plan.Prefixes()
	chains, err := prefixes[len(prefixes)-1].Chains(t.Context(), quietNoise)
	if err != nil {
		t.Fatal(err)
	}
	return chains[0]
}
