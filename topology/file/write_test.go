package file_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labctl/topology"
	"labctl/topology/file"
)

// The canonical text of a file that says everything.
func TestWriteIsCanonical(t *testing.T) {
	for _, text := range []string{everything, small, string(file.Example())} {
		lab := read(t, text)
		once := file.Write(lab)
		again := read(t, string(once))
		if !reflect.DeepEqual(said(again), said(lab)) {
			t.Errorf("reading what was written gave\n%+v\nfrom\n%s", again, once)
		}
		equal(t, "written twice", string(file.Write(again)), string(once))
	}
	equal(t, "the smallest", string(file.Write(read(t, small))),
		"version: 1\nload: {herd: {clients: 1}}\nservices:\n  client: {calls: [{to: a}]}\n  a: {}\n")
}

// Of two settings of one path the last one holds.
func TestWriteSettingsOnce(t *testing.T) {
	lab := read(t, small+"variants: {v: {}}\n")
	for _, seed := range []string{"2", "3"} {
		lab.Variants[0].Set = append(lab.Variants[0].Set, topology.Setting{Path: "run.seed", Value: seed})
	}
	got := read(t, string(file.Write(lab))).Variants[0].Set
	equal(t, "settings", len(got), 1)
	equal(t, "the one that holds", got[0].Value, "3")
}

// Texts that YAML would take for something else come back as they were.
func TestWriteQuotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringOf(rapid.RuneFrom([]rune(" \n\t:#-?!&*[]{},'\"|>%@`~<=0a.+é\u00a0\u0085\u2028\ufeff\x00"))),
			rapid.SampledFrom([]string{"null", "~", "true", "1", "1e3", "0x1F", "2020-01-01", ".inf", "---", "...", "<<", "=", "- a", "a: b", "a #b"}),
		).Draw(t, "text")
		lab := file.Lab{Name: "checkout", Topology: chain(), Text: strings.TrimSpace(text), Title: strings.Join(strings.Fields(text), " ")}
		if cond := lab.Title; cond != "" {
			lab.Expect = []file.Expectation{{Field: cond[:min(len(cond), 20)], Condition: cond}}
		}
		if !validUTF8(lab) {
			t.Skip("cut in two")
		}
		out := file.Write(lab)
		got, err := file.Read("checkout.yaml", out)
		if err != nil || !reflect.DeepEqual(said(got), said(lab)) {
			t.Fatalf("%v\n got %q\nwant %q in\n%s", err, got.Text, lab.Text, out)
		}
	})
}

func validUTF8(l file.Lab) bool {
	return len(l.Expect) == 0 || strings.ToValidUTF8(l.Expect[0].Field, "") == l.Expect[0].Field
}

func chain() topology.Topology {
	lab, err := file.Read("chain.yaml", []byte("version: 1\nservices: {client: {calls: [{to: a}, {to: b}]}, a: {calls: [{to: b}]}, b: {}}\n"))
	if err != nil {
		panic(err)
	}
	return lab.Topology
}

// Whatever may be set in a lab, reading what is written gives the lab back.
func TestReadReadsWhatIsWritten(t *testing.T) {
	paths := settable()
	rapid.Check(t, func(t *rapid.T) {
		lab := file.Lab{Name: "checkout", Topology: chain(), Repeats: rapid.IntRange(0, 9).Draw(t, "repeats")}
		lab.Topology = randomLab(t, lab.Topology, paths)
		if lab.Topology.Load.Open() {
			lab.Topology.Load.Herd = topology.Herd{Clients: 1, Route: lab.Topology.Load.Herd.Route}
		} else {
			lab.Topology.Load.Rate = topology.Rate{}
		}
		if rapid.Bool().Draw(t, "variants") {
			lab.Variants = []file.Variant{{Name: "v", Set: []topology.Setting{{Path: "run.seed", Value: "3"}}, Expect: []file.Expectation{{Field: "hits", Condition: "1"}}},
				{Name: "w", Services: randomLab(t, lab.Topology, paths).Services}}
		}
		out := file.Write(lab)
		got, err := file.Read("checkout.yaml", out)
		if err != nil {
			if lab.Variants != nil && strings.Contains(err.Error(), "variants.w: ") {
				t.Skip("the second services do not fit the load")
			}
			t.Fatalf("%v in\n%s", err, out)
		}
		if !reflect.DeepEqual(said(got), said(lab)) {
			t.Fatalf("\n got %+v\nwant %+v\nin\n%s", said(got), said(lab), out)
		}
		if again := file.Write(got); !bytes.Equal(again, out) {
			t.Fatalf("written again:\n%s\nnot\n%s", again, out)
		}
	})
}

// randomLab sets fields to values, as far as they are valid.
func randomLab(t *rapid.T, top topology.Topology, paths []path) topology.Topology {
	for range rapid.IntRange(0, 25).Draw(t, "changes") {
		p := rapid.SampledFrom(paths).Draw(t, "path")
		changed := top.Clone()
		s := topology.Setting{Path: p.name, Value: rapid.SampledFrom(p.values).Draw(t, "value")}
		if changed.Set(s) == nil && changed.Validate() == nil {
			top = changed
		}
	}
	for i := range top.Services { // a replica that differs in nothing is none
		s := &top.Services[i]
		s.Replica = slices.DeleteFunc(s.Replica, func(r topology.ReplicaOf) bool { return r.Fault == "" })
		if len(s.Replica) == 0 {
			s.Replica = nil
		}
	}
	return top
}

type path struct {
	name   string
	values []string
}

// settable lists all paths of the chain with values that suit them.
func settable() []path {
	out := []path{
		{"load.others.slow.clients", []string{"1", "0", "7"}},
		{"load.others.fast.start", []string{"0s", "7ms"}},
		{"services.a.routes.slow.time", []string{"0s", "1ms"}},
		{"services.b.routes.slow.workers", []string{"0", "3"}},
		{"services.b.replica.1.fault", []string{"hang", "503"}},
		{"services.b.fault", []string{"503", "503x2,ok", "delay=lognormal(50ms;0.6)", "429+retry-after=2:30%@1s..2s"}},
	}
	add := func(prefix string, p topology.Part) {
		for _, f := range p.Fields() {
			out = append(out, path{strings.TrimSuffix(prefix+f.Name, "."), samples(f)})
		}
	}
	t := chain()
	add("load.", t.Load.Part())
	add("load.herd.", t.Load.Herd.Part())
	add("run.", t.Run.Part())
	for i := range t.Services {
		s := &t.Services[i]
		add("services."+s.Name+".", s.Part())
		for j := range s.Calls {
			call := "services." + s.Name + ".calls." + s.Calls[j].To + "."
			add(call, s.Calls[j].Part())
			for _, kind := range topology.Kinds() {
				p, _ := topology.NewPolicy(kind)
				add(call+kind+".", p.Part())
				out = append(out, path{call + kind + ".route", []string{"slow", "!slow"}})
			}
			out = append(out, path{call + "policies", []string{"timeout,retry", "breaker,retry,timeout"}})
		}
	}
	return out
}

func samples(f topology.Field) []string {
	words := append([]string(nil), f.Shape.Words...)
	switch f.Shape.Of {
	case topology.Whole:
		return append(words, "0", "1", "2", "50", "100000")
	case topology.Boolean:
		return append(words, "true", "false")
	case topology.Duration:
		return append(words, "0s", "1ms", "1.5s", "5m", "2h", "3h0m1s", "-1s")
	case topology.Times:
		return []string{"0s", "3m", "uniform:1ms..2ms", "exponential:5m0s", "lognormal:50ms:0.6", "empirical:1ms,2ms"}
	case topology.Percent:
		return append(words, "1%", "50%", "100%", "7.1%")
	}
	return append(words, "", "a", "b", "slow", "503", "5xx,timeout", "280/s", "0.5/s,5s:100/s,1m:7/s", "0s,5ms,1m",
		"1s..2s:50%", "1s..2s:50%..50%,3s..1h:0%", "exponential:2", "exponential:1.5", "33.3%", "p95", "POST")
}

// The property above reaches every field: none refuses all of its samples.
func TestEveryFieldHasSamples(t *testing.T) {
	for _, p := range settable() {
		ok := false
		for _, v := range p.values {
			top := chain()
			for _, base := range []string{"retry.attempts=3", "timeout=1s", "fallback.static=true", "deadline.limit=1s", "adaptive.min=1", "bulkhead.limit=1",
				"budget.cost=1", "hedge.max=2", "breaker.rate=1%", "pool.limit=1", "balance.failover=true"} {
				path, value, _ := strings.Cut(base, "=")
				_ = top.Set(topology.Setting{Path: "services.client.calls.a." + path, Value: value})
				_ = top.Set(topology.Setting{Path: "services.client.calls.b." + path, Value: value})
				_ = top.Set(topology.Setting{Path: "services.a.calls.b." + path, Value: value})
			}
			ok = ok || top.Set(topology.Setting{Path: p.name, Value: v}) == nil
		}
		if !ok {
			t.Errorf("%s takes none of %q", p.name, p.values)
		}
	}
}
