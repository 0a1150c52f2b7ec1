package run_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"labctl/audit"
	"labctl/audit/infer"
	"labctl/audit/run"
	"labctl/audit/subject"
	"labctl/audit/subjects"
)

// Cases that people reported, with the real programs.

// judged audits a command with some faults of the catalogue.
func judged(t *testing.T, c subject.Command, choice run.Choice, limit time.Duration) infer.Verdict {
	t.Helper()
	plan := run.Plan{Caller: run.Program{Command: c}, Probes: choice.Probes(), Time: limit}
	trials, err := plan.Perform(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return infer.Infer(trials, quietNoise)
}

// choose asks with all methods that the command has a place for.
func choose(t *testing.T, c subject.Command, names ...string) run.Choice {
	t.Helper()
	choice := run.Choice{Methods: []run.Method{{}}}
	if c.Has(subject.Method) {
		choice.Methods = []run.Method{{Name: "GET"}, {Name: "POST"}, {Name: "POST", Keyed: true}, {Name: "PUT"}}
	}
	for _, name := range names {
		f, known := audit.FaultNamed(name)
		if !known {
			t.Fatalf("no fault %q", name)
		}
		choice.Faults = append(choice.Faults, f)
	}
	return choice
}

// command is a program of the catalogue with all placeholders in it.
func command(t *testing.T, name string) subject.Command {
	t.Helper()
	s, known := subjects.Named("../subjects/build", name)
	if !known {
		t.Fatalf("no subject %q", name)
	}
	version, installed := s.Installed()
	if !installed {
		t.Skipf("%s is not here: %s", s.Title, s.Cure)
	}
	t.Logf("%s %s", s.Title, version)
	return subject.Command{Args: s.Argv(subjects.Call{
		Method: "{method}", Body: "{body}", Key: "{key}", Warm: "{warm}", URL: "{url}",
	})}
}

func rowOf(t *testing.T, rows []audit.Row, fault, method string, keyed bool, on audit.Connection) audit.Row {
	t.Helper()
	i := slices.IndexFunc(rows, func(r audit.Row) bool {
		return r.Fault == fault && r.Method == method && r.Key == keyed && r.Connection == string(on)
	})
	if i < 0 {
		t.Fatalf("no row of %s %s %s", fault, method, on)
	}
	return rows[i]
}

// A time budget that is checked before the rest lets the last rest cross it, and a
// timeout of an attempt is none of the call (curl/curl#17444, #8877, #7675).
func TestBudgetBeforeTheRest(t *testing.T) {
	if testing.Short() {
		t.Skip("curl rests for 15 s")
	}
	t.Run("budget", func(t *testing.T) {
		t.Parallel()
		c := subject.Command{Args: []string{"curl", "-s", "--retry", "10", "--retry-max-time", "10", "{url}"}}
		choice := choose(t, c, "503", "503 retry-after=1", "503 retry-after=3") // attempts alone could be a limit of five
		choice.Connections = []audit.Connection{audit.Fresh}
		v := judged(t, c, choice, time.Minute)
		if hits := v.Rows[0].Hits; hits != 5 {
			t.Errorf("%d hits, want 5: at 0, 1, 3, 7 and 15 s", hits)
		}
		if e := v.Policy.Elapsed; e == nil || e.Rule != "before-rest" {
			t.Errorf("elapsed %+v, want a limit that is checked before the rest", e)
		}
	})
	t.Run("timeout", func(t *testing.T) {
		t.Parallel()
		c := subject.Command{Args: []string{"curl", "-s", "--max-time", "2", "--retry", "3", "{url}"}}
		choice := choose(t, c, "hang")
		choice.Connections = []audit.Connection{audit.Fresh}
		v := judged(t, c, choice, time.Minute)
		if hits := v.Rows[0].Hits; hits != 4 {
			t.Errorf("%d hits, want 4", hits)
		}
		if limit := v.Policy.Timeout; limit == nil || limit.Spans != "attempt" || limit.LimitMS != 2000 {
			t.Errorf("timeout %+v, want 2 s of each attempt", limit)
		}
	})
}

// Stacks repeat by themselves what they take for lost on a connection that was good once:
// Go by method and key (golang/go#19943), the old Java client whatever it is (JDK-6427251).
func TestHiddenReplays(t *testing.T) {
	for name, hits := range map[string]map[string]int{
		"go-net-http":        {"GET": 2, "POST": 1, "POST+key": 2, "PUT": 1},
		"java-urlconnection": {"GET": 2, "POST": 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := command(t, name)
			v := judged(t, c, choose(t, c, "close", "reset"), 20*time.Second)
			for method, want := range hits {
				plain, keyed := strings.CutSuffix(method, "+key")
				for _, fault := range []string{"close", "reset"} {
					if row := rowOf(t, v.Rows, fault, plain, keyed, audit.Reused); row.Hits != want {
						t.Errorf("%s %s on a reused connection: %d hits, want %d", fault, method, row.Hits, want)
					}
				}
			}
			if v.Policy.Hidden == nil || !slices.Contains(v.Policy.Hidden.Methods, "GET") {
				t.Errorf("hidden replays %+v, want those of a GET", v.Policy.Hidden)
			}
		})
	}
}

// Seconds that do not fit become none (hashicorp/go-retryablehttp#297): judged by what it
// waits, not by what it was told.
func TestHugeRetryAfter(t *testing.T) {
	c := command(t, "go-retryablehttp")
	v := judged(t, c, choose(t, c, "429", "429 retry-after=1", "429 retry-after=9223372037"), 20*time.Second)
	if row := rowOf(t, v.Rows, "429 retry-after=9223372037", "GET", false, audit.Fresh); row.Hits != 4 {
		t.Errorf("%d hits, want 4", row.Hits)
	}
	if r := v.Policy.RetryAfter; r == nil || r.Huge != "overflow" || r.Seconds != "exact" {
		t.Errorf("Retry-After %+v, want exact, and an overflow of huge ones", r)
	}
	if !slices.ContainsFunc(v.Findings, func(f audit.Finding) bool {
		return strings.Contains(f.Message, "9223372037") && strings.Contains(f.Message, "overflow")
	}) {
		t.Errorf("no finding of the overflow in %v", v.Findings)
	}
}

// A body that was read once goes out empty, which only a fresh connection shows
// (google/go-containerregistry#2454).
func TestBodiesOfRepetitions(t *testing.T) {
	for name, want := range map[string][]int64{"go-rewind": {63, 63}, "go-no-rewind": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := command(t, name)
			v := judged(t, c, choose(t, c, "503 twice, then ok"), 20*time.Second)
			row := rowOf(t, v.Rows, "503 twice, then ok", "PUT", false, audit.Fresh)
			if want != nil && !slices.Equal(row.BodyBytes[:2], want) {
				t.Errorf("bodies %v, want %v", row.BodyBytes, want)
			}
			whole := len(row.BodyBytes) > 1 && !slices.ContainsFunc(row.BodyBytes, func(n int64) bool { return n != 63 })
			if whole != (want != nil) {
				t.Errorf("hits %d, bodies %v", row.Hits, row.BodyBytes)
			}
		})
	}
}
