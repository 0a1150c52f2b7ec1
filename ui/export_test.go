package ui

import (
	"strings"
	"testing"

	"labctl/scenarios"
	"labctl/topology"
)

// The command says what was set, in the words of the flags, and nothing else.
func TestCommand(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{"lab=jitter-herd", "labctl run jitter-herd --variant fixed --engine sim"},
		{"lab=jitter-herd&variant=jitter&clients=10000&rest=2500ms&jitter=full&limit=500",
			"labctl run jitter-herd --variant jitter --rest 2500ms --jitter full --clients 10000 --engine sim"},
		{"lab=jitter-herd&variant=jitter&attempts=2,3&backoff=exponential:1.5&cap=1s&smear=45ms&outage=2s",
			"labctl run jitter-herd --variant jitter --attempts 2,3 --backoff exponential:1.5 --cap 1s --smear 45ms --fault 503@0s..2s,ok --engine sim"},
		{"lab=jitter-herd&variant=jitter&workers=4&service=5ms&budget=20%25&deadline=1s",
			"labctl run jitter-herd --variant jitter --set services.a.workers=4 --set services.a.time=5ms --set services.client.calls.a.budget.ratio=20% " +
				"--set services.client.calls.a.deadline.limit=1s --set services.client.calls.a.deadline.check=true --set services.client.calls.a.deadline.enforce=true --engine sim"},
		{"lab=metastable&variant=budget-5&budget=none&rate=100/s&attempts=3&deadline=none",
			// --attempts would build a new chain, and lose the workers and their time.
			"labctl run metastable --variant budget-5 --set services.client.calls.a.retry.attempts=3 --set load.rate=100/s " +
				"--set services.client.calls.a.budget=none --set services.client.calls.a.deadline=none --engine sim"},
		{"lab=metastable&variant=one-retry&attempts=2,2&rate=50/s",
			// With more layers there is a new chain, and its tail is as the old one was.
			"labctl run metastable --variant one-retry --attempts 2,2 --set services.b.time=3.333333ms --set services.b.workers=1 " +
				"--set services.b.speed=30s..40s:0% --set load.rate=50/s --engine sim"},
	} {
		if got := answer(t, tt.query).Command; got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.query, got, tt.want)
		}
	}
}

// What is shared opens the same page with the same state, and names the file that it needs.
func TestShare(t *testing.T) {
	for query, want := range map[string]string{
		"lab=jitter-herd": "labctl ui --state 'lab=jitter-herd&variant=fixed'",
		"lab=jitter-herd&variant=jitter&limit=25%25": "labctl ui --state 'lab=jitter-herd&variant=jitter&limit=25%25'",
	} {
		if got := answer(t, query).Share; got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// A policy file takes the place of what a variant says, and is not called by its name.
func TestPolicyIsCalledYours(t *testing.T) {
	own, err := Of("my policy.yaml", scenarios.LayerPolicies{Layer: topology.ClientName, Policies: topology.Chain(3)[0].Calls[0].Policies})
	if err != nil {
		t.Fatal(err)
	}
	labs := Labs{own}
	c := labs.Choices()[0]
	s, _ := ParseState(c.Start)
	a, err := labs.Answer(t.Context(), s)
	switch {
	case err != nil:
		t.Fatal(err)
	case c.Label != "your policy", c.Start != "lab=my+policy.yaml&limit=25%25", c.Task == nil, strings.Contains(a.YAML, "variant jitter"):
		t.Errorf("%+v\n%s", c, a.YAML)
	case a.Share != "labctl ui 'my policy.yaml' --state limit=25%25":
		t.Errorf("shared as %s", a.Share)
	}
}

// The task of the page can be done, and is not done to begin with.
func TestTask(t *testing.T) {
	labs := BuiltIn().First(firstLab)
	task := labs.Choices()[0].Task
	if task == nil || task.Text != "10,000 clients: keep their retries under 500 per 50 ms, by rest and jitter" {
		t.Fatalf("task %+v", task)
	}
	for more, want := range map[string]string{"": bad, "&rest=2500ms&jitter=full": good} {
		if got := answer(t, task.State+more).Verdict[1].Mood; got != want {
			t.Errorf("%s%s: the limit is %s, want %s", task.State, more, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"503@0s..2s,ok": "503@0s..2s,ok", "my lab.yaml": "'my lab.yaml'", "a'b": `'a'\''b'`, "$(rm)": "'$(rm)'", "": "''",
	} {
		if got := shellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

func TestOutage(t *testing.T) {
	for _, tt := range []struct{ fault, kind, always, window string }{
		{"", "never", "503", "503@0s..1s,ok"},
		{"ok", "never", "503", "503@0s..1s,ok"},
		{"503", "always", "503", "503@0s..1s,ok"},
		{"hang", "always", "hang", "hang@0s..1s,ok"},
		{"429+retry-after=2@0s..4s,ok", "window", "429+retry-after=2", "429+retry-after=2@0s..1s,ok"},
		{"503x2,ok", "other", "503", "503@0s..1s,ok"},
		{"503:30%", "other", "503", "503@0s..1s,ok"},
		{"503@1s..2s,ok", "other", "503", "503@0s..1s,ok"},
	} {
		o := outageOf(tt.fault)
		if o.Kind != tt.kind || o.program("always") != tt.always || o.program("1s") != tt.window || o.program("never") != "ok" {
			t.Errorf("%q: %s, always %s, for a second %s", tt.fault, o.Kind, o.program("always"), o.program("1s"))
		}
	}
}
