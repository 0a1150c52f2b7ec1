package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"labctl/report"
	"labctl/ui"
)

// page is what the page shows of a state.
func onPage(t *testing.T, labs ui.Labs, query string) ui.Answer {
	t.Helper()
	s, err := ui.ParseState(query)
	if err != nil {
		t.Fatal(err)
	}
	a, err := labs.Answer(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// fromCommand is the one variant of a command line of labctl run.
func fromCommand(t *testing.T, args []string) report.Variant {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), append(args, "--format", "json", "--quiet"), streams{out: &out, err: &errs}); code > exitFailed {
		t.Fatalf("%q: exit code %d: %s", args, code, errs.String())
	}
	var r report.Result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || len(r.Variants) != 1 {
		t.Fatalf("%q: %d variants, %v", args, len(r.Variants), err)
	}
	return r.Variants[0]
}

// asJSON is a variant after its way through JSON.
func asJSON(t *testing.T, v report.Variant) report.Variant {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out report.Variant
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// What is copied from the page gives the numbers that were on it, as a command and as
// a file.
func TestPageAndCommandAgree(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	text := "version: 1\npolicies:\n  - retry: {attempts: 4, rest: 30ms, jitter: equal}\n  - timeout: 2s\n"
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := uiFile(policy)
	if err != nil {
		t.Fatal(err)
	}
	labs := append(ui.Labs{own}, ui.BuiltIn()...)
	lab := filepath.Join(t.TempDir(), "lab.yaml")
	if err := os.WriteFile(lab, []byte(onPage(t, labs, "lab=jitter-herd&clients=30").YAML), 0o600); err != nil {
		t.Fatal(err)
	}
	if own, err = uiFile(lab); err != nil {
		t.Fatal(err)
	}
	labs = append(labs, own)
	for _, query := range []string{
		"lab=jitter-herd&variant=jitter&clients=1000&rest=400ms&jitter=full&limit=500",
		"lab=jitter-herd&variant=fixed&attempts=2,3,2&backoff=exponential:1.5&cap=1s&smear=45ms&outage=2s",
		"lab=nested-retry&variant=a3xb3&attempts=3,3,3",
		"lab=metastable&variant=one-retry&attempts=3&rate=100/s&budget=10%25&deadline=2s",
		"lab=metastable&variant=one-retry&attempts=2,2&rate=50/s&service=1ms",
		"lab=jitter-herd&variant=smeared&workers=20&service=5ms&outage=never&budget=none&deadline=none",
		"lab=" + policy,
		"lab=" + lab + "&rest=70ms&workers=3&service=2ms&outage=never",
		"lab=" + policy + "&attempts=6&rest=10ms&clients=50",
	} {
		a := onPage(t, labs, query)
		want := asJSON(t, a.Variant)
		words := strings.Fields(a.Command)
		if words[0] != "labctl" || strings.Contains(a.Command, "'") {
			t.Fatalf("%s: %s", query, a.Command)
		}
		if got := fromCommand(t, words[1:]); !reflect.DeepEqual(got, want) {
			t.Errorf("%s gives\n%+v\non the page was\n%+v", a.Command, got, want)
		}
		name := filepath.Join(t.TempDir(), "home.yaml")
		if err := os.WriteFile(name, []byte(a.YAML), 0o600); err != nil {
			t.Fatal(err)
		}
		got := fromCommand(t, []string{"run", name, "--engine", "sim"})
		if got.Name = want.Name; !reflect.DeepEqual(got, want) {
			t.Errorf("%s as a file gives\n%+v\non the page was\n%+v", query, got, want)
		}
	}
}

// The page is there until its context ends, and then nothing of it is left.
func TestUICommand(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out := &cancelling{end: cancel}
	var errs bytes.Buffer
	if code := run(ctx, []string{"ui", "storm", "--no-open"}, streams{out: out, err: &errs}); code != 0 {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	if !strings.HasPrefix(out.text, "http://127.0.0.1:") || strings.Count(out.text, "/") != 4 {
		t.Errorf("printed %q", out.text)
	}
}

// A state that was handed on is in the address that is printed, for the lab of this call.
func TestUIBeginsWithAState(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--state", "lab=storm&variant=backoff&clients=20"}, "#lab=storm&variant=backoff&clients=20\n"},
		{[]string{"storm", "--state", "http://127.0.0.1:1/GONE/#clients=20"}, "#lab=storm&clients=20\n"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		out := &cancelling{end: cancel}
		var errs bytes.Buffer
		if code := run(ctx, append([]string{"ui", "--no-open"}, tt.args...), streams{out: out, err: &errs}); code != 0 || !strings.HasSuffix(out.text, "/"+tt.want) {
			t.Errorf("%q: exit code %d, %s%s", tt.args, code, out.text, errs.String())
		}
	}
}

// cancelling ends a context when it is written to.
type cancelling struct {
	end  context.CancelFunc
	text string
}

func (c *cancelling) Write(p []byte) (int, error) {
	c.text += string(p)
	c.end()
	return len(p), nil
}

func TestUIRefusals(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"tidal-wave"}, `no scenario "tidal-wave"`},
		{[]string{"storm", "waves"}, "say one scenario, lab or policy file, or none"},
		{[]string{"nowhere.yaml"}, "cannot read nowhere.yaml: no such file or directory: labctl init writes a lab"},
		{[]string{"--listen", "0.0.0.0:0"}, "--listen 0.0.0.0:0: others could reach that"},
		{[]string{"--state", "lab=tidal"}, `--state: there is no lab "tidal" here: choose one of the list, or start labctl ui with its file`},
		{[]string{"--state", "lab=storm&colour=red"}, `--state: the address says "colour", which is no setting: leave it out`},
		{[]string{"--listen", "8080"}, `--listen "8080": address 8080: missing port in address: write it as 127.0.0.1:8080`},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"ui", "--no-open"}, tt.args...), streams{out: &out, err: &errs})
		if code != exitUsage || !strings.Contains(errs.String(), tt.want) || out.Len() > 0 {
			t.Errorf("%q: exit code %d, %s%s", tt.args, code, out.String(), errs.String())
		}
	}
}

func TestRunOnlyOneVariant(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"run", "storm", "--variant", "none", "--engine", "sim"}, streams{out: &out, err: &errs}); code != exitUsage ||
		!strings.Contains(errs.String(), `--variant: storm has no variant "none": choose immediate, backoff`) {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	if v := fromCommand(t, []string{"run", "storm", "--variant", "backoff", "--engine", "sim"}); v.Name != "backoff" || v.Hits != 350 {
		t.Errorf("%s with %d hits", v.Name, v.Hits)
	}
}
