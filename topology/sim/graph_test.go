package sim

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// graph is one client of the services that these lines name: "a: b*3 c:30%" calls b
// with three attempts and then, for 30 % of its requests, c; "a: b | c" both at once.
// The last service, which calls nobody, is the tail; all answer ok.
func graph(lines []string, changes ...change) topology.Topology {
	top := lab([]int{1}, func(top *topology.Topology) { top.Services = nil })
	for _, line := range lines {
		name, to, _ := strings.Cut(line, ": ")
		s := topology.Service{Name: name, Parallel: strings.Contains(to, "|")}
		for _, word := range strings.Fields(strings.ReplaceAll(to, "|", " ")) {
			s.Calls = append(s.Calls, callTo(word))
		}
		top.Services = append(top.Services, s)
	}
	for _, s := range top.Services {
		for _, c := range s.Calls {
			if top.Service(c.To) == nil {
				top.Services = append(top.Services, topology.Service{Name: c.To})
			}
		}
	}
	for _, c := range changes {
		c(&top)
	}
	return top
}

func callTo(word string) (c topology.Call) {
	word, chance, _ := strings.Cut(word, ":")
	to, attempts, _ := strings.Cut(word, "*")
	c.To = to
	if n, err := strconv.Atoi(attempts); err == nil {
		c.Policies = []topology.Policy{{Retry: &policy.Retry{Attempts: n}}}
	}
	if chance != "" {
		c.Chance, _ = program.ParseChance(chance)
	}
	return c
}

// hits are the instants of the hits on a service, in milliseconds.
func (o outcome) hitsOn(name string) (at []int) {
	for i, l := range o.Layers[1:] {
		for _, a := range o.arrivals {
			if a.Service == i && l.Name == name {
				at = append(at, int(time.Duration(a.At).Milliseconds()))
			}
		}
	}
	return at
}

// A service makes its calls one after the other. The first that fails is the last,
// and its answer the service's own; else the last one's is.
func TestCallsInTurn(t *testing.T) {
	const takes = "services.a.time=10ms services.b.time=20ms services.c.time=30ms "
	for _, tt := range []struct {
		what     string
		lines    []string
		settings string
		a, b, c  []int
		outcome  string
		end      int
	}{
		{"all answer", []string{"client: a b c"}, takes, []int{0}, []int{10}, []int{30}, "200", 60},
		{"the last answer counts", []string{"client: a b c"}, takes + "services.a.fault=201 services.c.fault=202", []int{0}, []int{10}, []int{30}, "202", 60},
		{"the first fails", []string{"client: a b c"}, takes + "services.a.fault=503", []int{0}, nil, nil, "503", 10},
		{"what is not worth a retry is no answer either", []string{"client: a b c"}, takes + "services.b.fault=404", []int{0}, []int{10}, nil, "404", 30},
		{"the last fails", []string{"client: a b c"}, takes + "services.c.fault=reset", []int{0}, []int{10}, []int{30}, "reset", 60},
		{"attempts are those of a call", []string{"client: a*3 b*2 c"}, takes + "services.a.fault=503x2,ok services.b.fault=503", []int{0, 10, 20}, []int{30, 50}, nil, "503", 70},
		{"a service in between does so too", []string{"client: s", "s: a b c"}, takes + "services.s.time=5ms", []int{5}, []int{15}, []int{35}, "200", 65},
		{"and is a gateway", []string{"client: s*2", "s: a b c"}, takes + "services.b.fault=reset", []int{0, 30}, []int{10, 40}, nil, "502", 60},
		{"a timeout is a failure", []string{"client: a b c"}, takes + "services.client.calls.b.timeout=15ms", []int{0}, []int{10}, nil, "timeout", 25},
		{"what an old answer replaces is none, and shows in the end", []string{"client: a b c"}, takes + "services.a.fault=503 services.client.calls.a.fallback.static=true", []int{0}, []int{10}, []int{30}, "degraded", 60},
		{"unless another fails", []string{"client: a b c"}, takes + "services.a.fault=503 services.client.calls.a.fallback.static=true services.c.fault=500", []int{0}, []int{10}, []int{30}, "500", 60},
		{"what is refused takes no time", []string{"client: a b c"}, takes + "services.a.fault=refuse", []int{0}, nil, nil, "refused", 0},
		{"an answer that is lost after all the work", []string{"client: s", "s: a b c"}, takes + "services.s.fault=lost", []int{0}, []int{10}, []int{30}, "reset", 60},
		{"an answer of its own is given without any", []string{"client: s", "s: a b c"}, takes + "services.s.fault=500", nil, nil, nil, "500", 0},
	} {
		top := graph(tt.lines, set(strings.Fields(tt.settings)...))
		o := run(t, top)
		same(t, tt.what+": hits on a", o.hitsOn("a"), tt.a)
		same(t, tt.what+": hits on b", o.hitsOn("b"), tt.b)
		same(t, tt.what+": hits on c", o.hitsOn("c"), tt.c)
		equal(t, tt.what+": outcome", o.words(), tt.outcome)
		same(t, tt.what+": end", o.ends(), ms(tt.end))
		simulate(t, top)
	}
}

// Calls at once begin together and are all waited for: none is given up because
// another failed. The first failure in the service's own order decides.
func TestCallsAtOnce(t *testing.T) {
	const takes = "services.a.time=30ms services.b.time=20ms services.c.time=10ms "
	for _, tt := range []struct {
		what     string
		lines    []string
		settings string
		c        []int
		outcome  string
		end      int
	}{
		{"all answer", []string{"client: a | b | c"}, takes, []int{0}, "200", 30},
		{"the last in its order counts, and not the last to come", []string{"client: a | b | c"}, takes + "services.a.fault=201 services.c.fault=202", []int{0}, "202", 30},
		{"a failure that comes first is waited with", []string{"client: a | b | c"}, takes + "services.c.fault=503", []int{0}, "503", 30},
		{"the first failure in its order counts, and not the first to come", []string{"client: a | b | c"}, takes + "services.b.fault=500 services.c.fault=503", []int{0}, "500", 30},
		{"nor the last", []string{"client: c | b | a"}, takes + "services.c.fault=500 services.a.fault=503", []int{0}, "500", 30},
		{"each is tried again by itself", []string{"client: a | b | c*4"}, takes + "services.c.fault=503", []int{0, 10, 20, 30}, "503", 40},
		{"an old answer is one of them", []string{"client: a | b | c"}, takes + "services.a.fault=503 services.client.calls.a.fallback.static=true", []int{0}, "degraded", 30},
		{"and less than a failure", []string{"client: a | b | c"}, takes + "services.a.fault=503 services.client.calls.a.fallback.static=true services.c.fault=404", []int{0}, "404", 30},
		{"a service in between", []string{"client: s", "s: a | b | c"}, takes + "services.s.time=5ms services.b.fault=refuse", []int{5}, "502", 35},
		{"all refused at once", []string{"client: s*3", "s: a | b | c"}, "services.a.fault=refuse services.b.fault=refuse services.c.fault=refuse", []int{0, 0, 0}, "502", 0},
	} {
		top := graph(tt.lines, set(strings.Fields(tt.settings)...))
		o := run(t, top)
		same(t, tt.what+": hits on c", o.hitsOn("c"), tt.c)
		equal(t, tt.what+": outcome", o.words(), tt.outcome)
		same(t, tt.what+": end", o.ends(), ms(tt.end))
		equal(t, tt.what+": abandoned", o.Abandoned, 0)
		simulate(t, top)
	}
}

// Retries multiply along each way down, and the hits of all ways add up.
func TestDiamond(t *testing.T) {
	for _, tt := range []struct {
		what     string
		lines    []string
		hits     int64 // on d
		attempts []int64
	}{
		{"nobody retries", []string{"client: a", "a: b | c", "b: d", "c: d"}, 2, []int64{1, 2, 1, 1}},
		{"all do: 2 × (3 × 2 + 2 × 4)", []string{"client: a*2", "a: b*3 | c*2", "b: d*2", "c: d*4"}, 28, []int64{2, 10, 12, 16}},
		{"in turn, c is never reached", []string{"client: a*2", "a: b*3 c*2", "b: d*2", "c: d*4"}, 12, []int64{2, 6, 12, 0}},
		{"the client is a corner too", []string{"client: a*3 | d*5", "a: b*2 | d", "b: d*2"}, 3*(2*2+1) + 5, []int64{8, 9, 12}},
		{"diamonds in a row", []string{"client: a | b*2", "a: c", "b: c", "c: e | f", "e: d*2", "f: d*3"}, 15, []int64{3, 1, 2, 6, 6, 9}},
	} {
		top := graph(tt.lines, set("services.d.fault=503"))
		o := run(t, top)
		equal(t, tt.what+": hits", o.Hits, tt.hits)
		equal(t, tt.what+": amplification", o.Amplification, float64(tt.hits))
		if !strings.HasPrefix(tt.what, "in turn") {
			equal(t, tt.what+": the worst case", top.WorstHits(), tt.hits)
		}
		simulate(t, top)
		var attempts []int64
		for _, l := range o.Layers[:len(o.Layers)-1] {
			attempts = append(attempts, l.Attempts)
		}
		same(t, tt.what+": attempts", attempts, tt.attempts)
		equal(t, tt.what+": arrivals", int64(len(o.arrivals)), sum(tt.attempts))
	}
}
