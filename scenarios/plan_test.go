package scenarios_test

import (
	"reflect"
	"strings"
	"testing"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/file"
	"labctl/topology/policy"
)

func setting(path, value string) []topology.Setting {
	return []topology.Setting{{Path: path, Value: value}}
}

func perLayer(flag, field string, values ...string) []scenarios.LayerSetting {
	return []scenarios.LayerSetting{{Flag: flag, Field: field, Values: values}}
}

// describe lists the runs of a plan outside its grids; a star marks those whose
// figures can be compared with the published ones.
func describe(p scenarios.Plan) string {
	var out []string
	for _, r := range p.Runs {
		name := r.Name
		if r.Published {
			name += "*"
		}
		if r.Group == "" {
			out = append(out, name)
		}
	}
	return strings.Join(out, " | ")
}

// Overrides win over variants; variants that become alike run once, under the
// name of what made them so; what is changed is not compared.
func TestOverrides(t *testing.T) {
	for _, tt := range []struct {
		what, scenario string
		o              scenarios.Overrides
		want           string
	}{
		{"nothing changed", "nested-retry", scenarios.Overrides{}, "a3xb3* | outermost-only* | client3xa3xb3*"},
		{"attempts make all variants one", "nested-retry", scenarios.Overrides{Attempts: []int{2, 4, 3}}, "attempts=2,4,3"},
		{"one that is as published keeps its name", "nested-retry", scenarios.Overrides{Attempts: []int{3, 3, 3}}, "client3xa3xb3*"},
		{"even with the word", "nested-retry", scenarios.Overrides{Attempts: []int{1, 3, 1}}, "outermost-only*"},
		{"one layer", "nested-retry", scenarios.Overrides{Attempts: []int{7}}, "attempts=7"},
		{"a rest changes each and merges none", "nested-retry", scenarios.Overrides{PerLayer: perLayer("--rest", "rest", "10ms")}, "a3xb3 | outermost-only | client3xa3xb3"},
		{"a field that is what sets two apart merges these two", "nested-retry",
			scenarios.Overrides{Set: setting("services.b.calls.c.retry.attempts", "1")}, "outermost-only* | client3xa3xb3"},
		{"a tail that fails otherwise changes each", "nested-retry", scenarios.Overrides{Set: setting("services.c.fault", "429")},
			"a3xb3 | outermost-only | client3xa3xb3"},
		{"both parts name it", "nested-retry",
			scenarios.Overrides{Attempts: []int{2, 2}, PerLayer: perLayer("--rest", "rest", "1ms", "2ms"), Set: setting("run.bin", "1s")},
			"attempts=2,2 rest=1ms,2ms bin=1s"},

		{"the reference stays what it is", "jitter-herd", scenarios.Overrides{PerLayer: perLayer("--jitter", "jitter", "full")},
			"fixed* | jitter | smeared | no-barrier"},
		{"jitter none is the reference", "jitter-herd", scenarios.Overrides{PerLayer: perLayer("--jitter", "jitter", "none")},
			"fixed* | smeared | no-barrier"},
		{"but it follows in all else", "jitter-herd", scenarios.Overrides{Set: setting("load.herd.clients", "1000")},
			"fixed | jitter | smeared | no-barrier"},
		{"without a barrier jitter is the published no-barrier", "jitter-herd", scenarios.Overrides{Set: setting("load.herd.barrier", "false")},
			"fixed | no-barrier* | smeared"},
		{"a seed changes no figure", "jitter-herd", scenarios.Overrides{Set: setting("run.seed", "7")},
			"fixed* | jitter* | smeared* | no-barrier*"},
		{"nor does another view", "jitter-herd", scenarios.Overrides{Set: setting("run.at", "a")},
			"fixed* | jitter* | smeared* | no-barrier*"},
	} {
		equal(t, tt.what, describe(plan(t, tt.scenario, tt.o)), tt.want)
	}
}

// Which variants a run stands for is said. One that is run alone has the name that it
// has among the others: no row is called jitter that has none.
func TestAlikeVariants(t *testing.T) {
	plain := scenarios.Overrides{Policies: []scenarios.LayerPolicies{{
		Layer: topology.ClientName, Text: "my.yaml", Policies: []topology.Policy{{Retry: &policy.Retry{Attempts: 4}}}}}}
	none := scenarios.Overrides{PerLayer: perLayer("--jitter", "jitter", "none")}
	for _, tt := range []struct {
		scenario, only string
		o              scenarios.Overrides
		want, said     string
	}{
		{"jitter-herd", "", plain, "policy=my.yaml | smeared | no-barrier", "policy=my.yaml: fixed and jitter are alike with these flags, and run once"},
		{"jitter-herd", "jitter", plain, "policy=my.yaml", "policy=my.yaml: fixed and jitter are alike with these flags, and run once"},
		{"jitter-herd", "smeared", plain, "smeared", ""},
		{"jitter-herd", "jitter", none, "fixed", "fixed: fixed and jitter are alike with these flags, and run once"},
		{"jitter-herd", "jitter", scenarios.Overrides{PerLayer: perLayer("--jitter", "jitter", "full")}, "jitter", ""},
		{"jitter-herd", "jitter", scenarios.Overrides{}, "jitter*", ""},
		{"nested-retry", "", plain, "policy=my.yaml | outermost-only", "policy=my.yaml: a3xb3 and client3xa3xb3 are alike with these flags, and run once"},
		{"nested-retry", "client3xa3xb3", scenarios.Overrides{Attempts: []int{2, 4}}, "attempts=2,4",
			"attempts=2,4: a3xb3, outermost-only and client3xa3xb3 are alike with these flags, and run once"},
	} {
		s, _ := scenarios.Find(tt.scenario)
		if tt.only != "" {
			s, _ = s.Only(tt.only)
		}
		p, err := scenarios.NewPlan(s, tt.o)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, tt.scenario+" "+tt.only, describe(p), tt.want)
		said := ""
		for _, f := range ideal(t, p).Findings {
			if f.Code == "variants-alike" {
				said += f.Variant + ": " + f.Message
			}
		}
		equal(t, tt.scenario+" "+tt.only+": said", said, tt.said)
	}
}

// The example to start from shows no row twice.
func TestTheExampleHasNoTwins(t *testing.T) {
	lab, err := file.Read("example.yaml", file.Example())
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.FromFile("example.yaml", lab)
	if err != nil {
		t.Fatal(err)
	}
	p, err := scenarios.NewPlan(s, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range p.Runs {
		for _, other := range p.Runs[i+1:] {
			if reflect.DeepEqual(r.Topology, other.Topology) {
				t.Errorf("%s and %s are the same", r.Name, other.Name)
			}
		}
	}
}

// A rebuilt chain retries like the one it replaces, and its new layers like the
// innermost one; the tail fails as before.
func TestAttemptsRebuildTheChain(t *testing.T) {
	p := plan(t, "jitter-herd", scenarios.Overrides{Attempts: []int{2, policy.Unlimited, 4},
		Set: append(setting("run.until", "1s"), setting("services.c.fault", "429")...)})
	services := p.Runs[0].Topology.Services
	var got []string
	for _, s := range services {
		for _, c := range s.Calls {
			got = append(got, s.Name+" "+text(c.Attempts())+" "+c.Retry().Rest.Base.String())
		}
	}
	equal(t, "chain", strings.Join(got, ", "), "client 2 100ms, a -1 100ms, b 4 100ms")
	equal(t, "tail", services[3].Name+" "+services[3].Fault, "c 429")
	equal(t, "without that setting", plan(t, "retry-filter", scenarios.Overrides{Attempts: []int{2, 2}}).Runs[0].Topology.Tail().Fault, "502")
}

// Grids that are asked for are run when asked for; what names the attempts
// leaves nothing for a grid to vary.
func TestGrids(t *testing.T) {
	for _, tt := range []struct {
		what  string
		o     scenarios.Overrides
		grids string
		runs  int
	}{
		{"by default", scenarios.Overrides{}, "power3", 3 + 5},
		{"asked for", scenarios.Overrides{Grid: true}, "power3 grid", 3 + 5 + 25},
		{"with attempts", scenarios.Overrides{Grid: true, Attempts: []int{2, 2}}, "", 1},
		{"with a change of one service: the cells have others", scenarios.Overrides{Grid: true, Set: setting("services.c.fault", "429")}, "", 3},
		{"with rests", scenarios.Overrides{PerLayer: perLayer("--rest", "rest", "1ms")}, "power3", 3 + 5},
	} {
		p := plan(t, "nested-retry", tt.o)
		var names []string
		for _, g := range p.Grids {
			names = append(names, g.Name)
		}
		equal(t, tt.what, strings.Join(names, " "), tt.grids)
		equal(t, tt.what+": runs", len(p.Runs), tt.runs)
	}
	r := ideal(t, plan(t, "nested-retry", scenarios.Overrides{Grid: true}))
	equal(t, "cells are kⁿ, k down and n across", text(r.Grids[1].Cells),
		"[[1 1 1 1 1] [2 4 8 16 32] [3 9 27 81 243] [4 16 64 256 1024] [5 25 125 625 3125]]")
}

// Figures of what the flags changed are shown and not judged; the others are.
func TestChangedFiguresAreNotCompared(t *testing.T) {
	r := ideal(t, plan(t, "jitter-herd", scenarios.Overrides{PerLayer: perLayer("--jitter", "jitter", "full")}))
	for _, f := range r.Figures {
		want := "not comparable: your flags changed the setting that it was published for"
		if strings.HasPrefix(f.ID, "jitter-herd/fixed.") {
			want = "reproduced: "
		}
		equal(t, f.ID, f.Verdict+": "+f.Why, want)
	}
	merged := ideal(t, plan(t, "nested-retry", scenarios.Overrides{Attempts: []int{2, 4, 3}}))
	equal(t, "every figure has an entry", len(merged.Figures), 6)
	for _, f := range merged.Figures {
		equal(t, f.ID+" of variants that are not run", f.Verdict, report.NotComparable)
	}
	equal(t, "hits", merged.Variants[0].Hits, 24)
	equal(t, "finding", merged.Findings[0].Message, "client, a and b all retry: 2 × 4 × 3 = 24")

	least := ideal(t, plan(t, "nested-retry", scenarios.Overrides{Set: setting("services.c.fault", "503x2,ok")}))
	equal(t, "a product is an upper bound", least.Findings[0].Message, "a and b both retry: 3 × 3 = 9 at most; 3 hits per request were seen")
	for _, f := range least.Figures {
		equal(t, f.ID, f.Verdict, report.NotComparable)
	}
}

// Nothing runs unless everything can.
func TestPlanErrors(t *testing.T) {
	for _, tt := range []struct {
		scenario string
		o        scenarios.Overrides
		want     string
	}{
		{"nested-retry", scenarios.Overrides{Attempts: []int{}}, "--attempts: 0 layers: say from 1 to 63"},
		{"nested-retry", scenarios.Overrides{Attempts: make([]int, 64)}, "--attempts: 64 layers: say from 1 to 63"},
		{"nested-retry", scenarios.Overrides{Attempts: []int{3, 0}},
			"services.a.calls.b.retry.attempts: 0 would never call: say 1 for a single try (0 retries)"},
		{"nested-retry", scenarios.Overrides{Attempts: []int{3, -5}},
			"services.a.calls.b.retry.attempts: -5 is negative: say 1 or more attempts, or unlimited"},
		{"nested-retry", scenarios.Overrides{Attempts: []int{policy.Unlimited}},
			"run.until: client retries without a limit, so the run may never end: say when it ends"},
		{"nested-retry", scenarios.Overrides{PerLayer: perLayer("--rest", "rest", "1ms", "2ms")},
			"--rest: 2 values for 3 calling layers: give one for all, or one for each"},
		{"nested-retry", scenarios.Overrides{PerLayer: perLayer("--rest", "rest")},
			"--rest: 0 values for 3 calling layers: give one for all, or one for each"},
		{"nested-retry", scenarios.Overrides{PerLayer: perLayer("--backoff", "backoff", "double")},
			`--backoff: services.client.calls.a.retry.backoff: unknown backoff "double": choose fixed, linear, exponential or exponential:FACTOR`},
		{"jitter-herd", scenarios.Overrides{Set: setting("services.b.fault", "ok")},
			`services.b.fault: no service "b": there are client, a`},
		{"jitter-herd", scenarios.Overrides{Set: setting("load.herd.clients", "0")},
			"load.herd.clients: 0 would send nothing: say 1 or more"},
	} {
		s, _ := scenarios.Find(tt.scenario)
		_, err := scenarios.NewPlan(s, tt.o)
		if err == nil {
			t.Errorf("%+v: no error, want %s", tt.o, tt.want)
			continue
		}
		equal(t, tt.scenario, err.Error(), tt.want)
	}
	if _, ok := scenarios.Find("storm-of-the-century"); ok {
		t.Error("found a scenario that is not there")
	}
}

// A plan leaves the scenario as it was: the next plan of it starts anew.
func TestPlansShareNothing(t *testing.T) {
	s, _ := scenarios.Find("nested-retry")
	before, err := scenarios.NewPlan(s, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scenarios.NewPlan(s, scenarios.Overrides{PerLayer: perLayer("--rest", "rest", "1h")}); err != nil {
		t.Fatal(err)
	}
	for _, r := range before.Runs {
		for _, service := range r.Topology.Services {
			for _, c := range service.Calls {
				equal(t, r.Name+": rest of "+service.Name, c.Retry().Rest.Base, 0)
			}
		}
	}
}
