package ui

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/file"
)

// simulate runs a scenario's one variant in virtual time, as labctl run does.
func simulate(t *testing.T, s scenarios.Scenario, o scenarios.Overrides) report.Result {
	t.Helper()
	p, err := scenarios.NewPlan(s, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(t.Context(), scenarios.Sim(nil))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func only(t *testing.T, scenario, variant string) scenarios.Scenario {
	t.Helper()
	s, _ := scenarios.Find(scenario)
	s, err := s.Only(variant)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sets(pathsAndValues ...string) []topology.Setting {
	var out []topology.Setting
	for i := 0; i < len(pathsAndValues); i += 2 {
		out = append(out, topology.Setting{Path: pathsAndValues[i], Value: pathsAndValues[i+1]})
	}
	return out
}

// What a state comes to is what the settings of a scenario come to.
func TestAnswerIsThatOfTheSettings(t *testing.T) {
	for _, tt := range []struct {
		query, variant string
		o              scenarios.Overrides
	}{
		{"lab=jitter-herd&variant=jitter&clients=1000&rest=400ms&jitter=full", "jitter", scenarios.Overrides{
			PerLayer: []scenarios.LayerSetting{{Field: "rest", Values: []string{"400ms"}}, {Field: "jitter", Values: []string{"full"}}},
			Set:      sets("load.herd.clients", "1000")}},
		{"lab=nested-retry&variant=a3xb3&attempts=3,3,3", "a3xb3", scenarios.Overrides{Attempts: []int{3, 3, 3}}},
		{"lab=jitter-herd&variant=smeared&outage=2s&deadline=1s&budget=10%25&workers=20&service=5ms", "smeared", scenarios.Overrides{
			Set: sets("services.a.fault", "503@0s..2s,ok", "services.a.workers", "20", "services.a.time", "5ms",
				"services.client.calls.a.budget.ratio", "10%", "services.client.calls.a.deadline.limit", "1s",
				"services.client.calls.a.deadline.check", "true", "services.client.calls.a.deadline.enforce", "true")}},
		{"lab=metastable&variant=one-retry&rate=100/s", "one-retry", scenarios.Overrides{Set: sets("load.rate", "100/s")}},
	} {
		s, _ := ParseState(tt.query)
		want := simulate(t, only(t, s.Lab, tt.variant), tt.o).Variants[0]
		if got := answer(t, tt.query).Variant; !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.query, got, want)
		}
	}
}

// queries are states that between them move everything.
var queries = []string{
	"lab=jitter-herd",
	"lab=jitter-herd&variant=jitter&clients=10000&rest=2500ms&jitter=full&limit=500",
	"lab=jitter-herd&variant=jitter&clients=10&rest=1s&limit=25%25",
	"lab=jitter-herd&variant=fixed&attempts=2,4&rest=50ms&backoff=exponential:1.5&cap=80ms&smear=45ms&limit=10",
	"lab=nested-retry&variant=a3xb3&attempts=3,3,3",
	"lab=storm&variant=backoff&outage=1s&clients=20",
	"lab=storm&variant=immediate&outage=never",
	"lab=waves&variant=full-jitter-phased&jitter=30%25",
	"lab=jitter-herd&variant=jitter&workers=10&service=3ms&outage=never&budget=20%25&deadline=400ms",
	"lab=metastable&variant=budget-5&budget=none&rate=100/s&attempts=3",
	"lab=metastable&variant=one-retry&attempts=2,2&rate=50/s",
	"lab=workers&service=20ms",
}

// The file that is taken home runs to the numbers on the screen.
func TestYAMLGivesTheSameNumbers(t *testing.T) {
	for _, query := range queries {
		a := answer(t, query)
		lab, err := file.Read("lab.yaml", []byte(a.YAML))
		if err != nil {
			t.Errorf("%s: %v\n%s", query, err, a.YAML)
			continue
		}
		s, err := scenarios.FromFile("lab.yaml", lab)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		r := simulate(t, s, scenarios.Overrides{})
		got := r.Variants[0]
		got.Name = a.Variant.Name
		if !reflect.DeepEqual(got, a.Variant) {
			t.Errorf("%s: the file gives\n%+v\non the screen was\n%+v\n%s", query, got, a.Variant, a.YAML)
		}
		if limited := strings.Contains(query, "limit="); limited != (len(r.Expectations) == 1) {
			t.Errorf("%s: expectations %+v", query, r.Expectations)
		} else if limited && r.Expectations[0].Pass != slices.ContainsFunc(a.Verdict, func(s Sentence) bool { return s.Mood == good && strings.Contains(s.Text, "limit") }) {
			t.Errorf("%s: the file says %+v, the page %+v", query, r.Expectations[0], a.Verdict)
		}
	}
}

// Every built-in lab can be shown, with its variants.
func TestEveryVariantHasAnAnswer(t *testing.T) {
	if underRace {
		t.Skip("one simulation after the other has nothing to race")
	}
	long := map[string]bool{"metastable": true, "bulkhead": true} // of these the first stands for all
	for _, c := range BuiltIn().Choices() {
		for i, v := range c.Variants {
			if i > 0 && long[c.Name] {
				continue
			}
			s := State{Lab: c.Name, Variant: v}
			a, err := BuiltIn().Answer(t.Context(), s)
			if err != nil {
				t.Errorf("%s, %s: %v", c.Name, v, err)
				continue
			}
			if len(a.Verdict) < 2 || a.Variant.Requests == 0 {
				t.Errorf("%s, %s: nothing to show: %+v", c.Name, v, a.Verdict)
			}
		}
	}
}

func TestVerdict(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{"lab=nested-retry&variant=a3xb3&attempts=3,3,3",
			"27 hits for one click | the retry peak is 26 per 50 ms at 0 ms | !0 of 1 request answered well: the last client gives up at once"},
		{"lab=jitter-herd&variant=jitter&clients=10000&rest=2500ms&jitter=full&limit=500",
			"30,000 hits for 10,000 requests: 3 each | +the retries stay within the limit of 500: their peak is 411 per 50 ms at 2.4 s | the first wave is 10,000 at 0 ms: no jitter touches it | !0 of 10,000 requests answered well: the last client gives up after 4,958 ms"},
		{"lab=jitter-herd&variant=fixed&limit=100",
			"600 hits for 200 requests: 3 each | -too many retries at once: the peak is 200 per 50 ms at 100 ms, above the limit of 100 | !the first wave is 200 at 0 ms, and comes back as a block twice: the retries are not spread | !0 of 200 requests answered well: the last client gives up after 200 ms"},
		{"lab=jitter-herd&variant=smeared&attempts=1&limit=1",
			"200 hits for 200 requests: 1 each | +no retries, so none above the limit of 1 | the first wave is 200, spread over 45ms by the start of the clients: that does what jitter cannot | !0 of 200 requests answered well: the last client gives up after 44.4 ms"},
		{"lab=jitter-herd&variant=fixed&outage=150ms",
			"600 hits for 200 requests: 3 each | the retry peak is 200 per 50 ms at 100 ms | !the first wave is 200 at 0 ms, and comes back as a block twice: the retries are not spread | +200 of 200 requests answered well, the last after 200 ms"},
		{"lab=metastable&variant=one-retry",
			"831,320 hits for 420,000 requests: 1.979 each | the retry peak is 1,400 per 5 s at 35 s | -8,400 of 420,000 requests answered well, and at the end of the run it has not recovered"},
		// A limit that the herd cannot exceed is kept by those who spread nothing, too.
		{"lab=jitter-herd&variant=jitter&jitter=none&attempts=5&limit=500",
			"1,000 hits for 200 requests: 5 each | +the retries stay within the limit of 500: their peak is 200 per 50 ms at 100 ms | !the first wave is 200 at 0 ms, and comes back as a block 4 times: the retries are not spread | !0 of 200 requests answered well: the last client gives up after 400 ms"},
		// A share of the clients goes with them.
		{"lab=jitter-herd&variant=jitter&clients=1000&rest=2500ms&jitter=full&limit=25%25",
			"3,000 hits for 1,000 requests: 3 each | +the retries stay within the limit of 250, 25% of the clients: their peak is 48 per 50 ms at 2.2 s | the first wave is 1,000 at 0 ms: no jitter touches it | !0 of 1,000 requests answered well: the last client gives up after 4,826 ms"},
		// Layers multiply: 1,600 retries of 200 clients at once are no herd that comes back.
		{"lab=jitter-herd&variant=jitter&attempts=3,3&rest=0s&limit=25%25",
			"1,800 hits for 200 requests: 9 each | -too many retries at once: the peak is 1,600 per 50 ms at 0 ms, above the limit of 50, 25% of the clients | the first wave is 200 at 0 ms: no jitter touches it | !0 of 200 requests answered well: the last client gives up at once"},
	} {
		var got []string
		for _, s := range answer(t, tt.query).Verdict {
			got = append(got, map[string]string{good: "+", bad: "-", warn: "!"}[s.Mood]+s.Text)
		}
		if got := strings.Join(got, " | "); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.query, got, tt.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{"", `there is no lab "" here: choose one of the list, or start labctl ui with its file`},
		{"lab=tidal", `there is no lab "tidal" here: choose one of the list, or start labctl ui with its file`},
		{"lab=storm&variant=none", `storm has no variant "none": choose one of the list`},
		{"lab=jitter-herd&limit=0", `limit: "0" is not a whole number from 1 on, or a share of the clients such as 25%: say how many retries per bin are enough, or nothing`},
		{"lab=jitter-herd&limit=NaN%25", `limit: "NaN%" is not a whole number from 1 on, or a share of the clients such as 25%: say how many retries per bin are enough, or nothing`},
		{"lab=metastable&limit=25%25", "limit: 25% is a share of the clients, and here requests come at a rate: say a number"},
		{"lab=jitter-herd&attempts=0", `attempts: "0": say from 1 to 1000000 for each layer, outermost first: 3,3,3`},
		{"lab=jitter-herd&rest=soon", `--rest: services.client.calls.a.retry.rest: "soon" is not a duration: write it like 50ms, 1.5s or 2m`},
		{"lab=jitter-herd&clients=1000000000", "up to 3,000,000,000 hits: this takes too long to follow a slider: copy the command and run it in a terminal"},
		{"lab=jitter-herd&clients=100000000&workers=1", "100000000 clients that share a service need about 38146 MiB of memory, and 512 MiB are free: use fewer clients"},
	} {
		s, err := ParseState(tt.query)
		if err == nil {
			_, err = BuiltIn().Answer(t.Context(), s)
		}
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.query, err, tt.want)
		}
	}
}

// A question that nobody waits for any more ends.
func TestAnswerEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := BuiltIn().Answer(ctx, State{Lab: "jitter-herd", Clients: "1000000"})
	if !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v", err)
	}
}

// A reference variant keeps what sets it apart, and the page says so.
func TestLocks(t *testing.T) {
	for query, want := range map[string]string{
		"lab=jitter-herd&variant=fixed":  "jitter",
		"lab=jitter-herd&variant=jitter": "",
		"lab=metastable":                 "",
	} {
		var got []string
		for name := range answer(t, query).Locked {
			got = append(got, name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: locked %q, want %q", query, got, want)
		}
	}
}

// Long histograms are folded for the eye, and stay exact for the verdict.
func TestLongHistogramsAreFolded(t *testing.T) {
	a := answer(t, "lab=jitter-herd&variant=fixed&rest=300s")
	c := a.Charts
	if len(c.Hits) > mostBars || c.Group != 4 || slices.Max(c.Retry) != 200 || a.Variant.RetryPeak != 200 || a.Variant.Bins != nil {
		t.Errorf("%d bars of %d bins each, the fullest retries %d, peak %d", len(c.Hits), c.Group, slices.Max(c.Retry), a.Variant.RetryPeak)
	}
}
