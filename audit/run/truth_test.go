package run_test

import (
	"context"
	"flag"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"labctl/audit"
	"labctl/audit/proxy"
	"labctl/audit/run"
	"labctl/audit/subject"
	"labctl/audit/subjects"
)

var whole = flag.Bool("truth", false, "compare every cell of the ground truth, which takes some minutes; else a handful")

// handful are subjects that every machine has.
var handful = []string{"curl", "curl-retry", "curl-retry-null", "wget"}

// TestTheGroundTruth holds the hits of the audit against what an independent tail
// counted, cell by cell.
func TestTheGroundTruth(t *testing.T) {
	cells, err := subjects.Truth()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects.All("../subjects/build") {
		if s.Truth == "" || !*whole && !slices.Contains(handful, s.Name) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			version, installed := s.Installed()
			if !installed {
				t.Skipf("%s is not here: %s", s.Title, s.Cure)
			}
			compare(t, s, version, cells)
		})
	}
}

// slots bound the trials of all subjects at once.
var slots = make(chan struct{}, run.DefaultParallel)

func compare(t *testing.T, s subjects.Subject, version string, cells []subjects.Cell) {
	mine := slices.DeleteFunc(slices.Clone(cells), func(c subjects.Cell) bool {
		f, known := subjects.FaultOf(c.Fault)
		return c.Subject != s.Truth || c.Racy || !known || f.Program == ""
	})
	if len(mine) == 0 {
		t.Fatalf("the ground truth has no cell of %s", s.Truth)
	}
	if !strings.Contains(mine[0].Version, version) {
		t.Skipf("this is %s %s, and the ground truth is of %s", s.Title, version, mine[0].Version)
	}
	t.Logf("%s %s: %d cells", s.Title, version, len(mine))
	var wait sync.WaitGroup
	for _, c := range mine {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			hits, took := hitsOf(t, s, c)
			if !slices.Contains(c.Hits, hits) { // its timeout of a second may have been the machine's doing
				hits, took = hitsOf(t, s, c)
			}
			if !slices.Contains(c.Hits, hits) {
				t.Errorf("%s %s: %d hits in %v, twice, want %v", c.Fault, c.Method, hits, took, c.Hits)
			}
		})
	}
	wait.Wait()
}

// hitsOf makes the trial of a cell. Its hits count the warm-up.
func hitsOf(t *testing.T, s subjects.Subject, c subjects.Cell) (int, time.Duration) {
	f, _ := subjects.FaultOf(c.Fault)
	on := audit.Fresh
	if f.Program != "refuse" {
		on = audit.Reused // connections as they come
	}
	plan := run.Plan{
		Caller: caller{s, c.Method, f.Warm}, Path: between(t, s), Body: "body of POST\n",
		Probes: []audit.Probe{{Fault: audit.Fault{Name: c.Fault, Program: f.Program}, Method: c.Method, Connection: on}},
	}
	trials, err := plan.Perform(context.Background())
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	if why := trials[0].Uncounted; why != "" {
		t.Logf("%s %s: not compared: %s", c.Fault, c.Method, why)
		return c.Hits[0], 0
	}
	return len(trials[0].Hits), trials[0].Elapsed
}

func between(t *testing.T, s subjects.Subject) run.Path {
	if s.Proxy == "" {
		return run.Path{}
	}
	recipe, options, err := proxy.Parse(s.Proxy)
	if err != nil {
		t.Error(err)
	}
	return run.Path{Proxies: []run.Proxy{{Recipe: recipe, Options: options}}}
}

// caller is a subject of the catalogue.
type caller struct {
	subjects.Subject
	method string
	warm   bool
}

func (c caller) Warms() run.Warms {
	if c.warm {
		return run.Always
	}
	return run.Never
}

func (c caller) Call(ctx context.Context, a run.Ask) (run.Told, error) {
	argv := c.Argv(subjects.Call{Method: c.method, URL: a.URL, Body: a.Body, Key: a.Key, Warm: a.Warm})
	r := subject.Run(ctx, subject.Command{Args: argv}, nil, subject.Limits{Time: a.Time})
	return run.Told{Exit: audit.Exit{Code: r.Code, TimedOut: r.TimedOut, Output: r.Output}, Elapsed: r.Elapsed}, r.Err
}
