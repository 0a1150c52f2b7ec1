package topology_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// parts are all kinds of parts, each with its zero value.
func parts() map[string]func() (part topology.Part, of any) {
	out := map[string]func() (topology.Part, any){
		"load":    func() (topology.Part, any) { v := new(topology.Load); return v.Part(), v },
		"herd":    func() (topology.Part, any) { v := new(topology.Herd); return v.Part(), v },
		"run":     func() (topology.Part, any) { v := new(topology.Run); return v.Part(), v },
		"service": func() (topology.Part, any) { v := new(topology.Service); return v.Part(), v },
		"route":   func() (topology.Part, any) { v := new(topology.RouteOf); return v.Part(), v },
		"replica": func() (topology.Part, any) { v := new(topology.ReplicaOf); return v.Part(), v },
		"call":    func() (topology.Part, any) { v := new(topology.Call); return v.Part(), v },
	}
	for _, kind := range topology.Kinds() {
		out[kind] = func() (topology.Part, any) { p, _ := topology.NewPolicy(kind); return p.Part(), &p }
	}
	return out
}

// For every field, setting it to what it says it is changes nothing.
func TestGetSetChangesNothing(t *testing.T) {
	texts := []string{"0", "1", "7", "100000", "true", "false", "0s", "1ms", "5m", "2h", "1h0m3s", "-3m", "18446744073709551615",
		"uniform:1ms..2ms", "exponential:5m0s", "lognormal:50ms:0.6", "empirical:2ms,1ms", "50%", "7.1%", "0.07%", "p95", "none", "unlimited",
		"503", "5xx,timeout", "4xx,5xx,rejected", "408,425,429,502,503,504,timeout,refused,reset", "280/s", "0.5/s,5s:100/s", "0s,5ms 1m",
		"1s..2s:50%", "1s..2s:50%..50%", "1s..2s:0%,3s..4h:100%..1%", "exponential", "exponential:2", "exponential:1.001", "linear", "full", "33.3333%", "post"}
	for name, zero := range parts() {
		p, _ := zero()
		for _, f := range p.Fields() {
			read := 0
			for _, text := range append(slices.Clone(f.Shape.Words), texts...) {
				if p, of := zero(); p.Set(f.Name, text) == nil {
					read++
					again(t, name, f, p, of, zero)
				} else if _, clean := zero(); !reflect.DeepEqual(of, clean) {
					t.Errorf("%s.%s = %q was refused and changed it", name, f.Name, text)
				}
			}
			if read == 0 {
				t.Errorf("%s.%s takes none of the texts", name, f.Name)
			}
		}
	}
}

// again sets a field of a new part to what it is in another.
func again(t *testing.T, name string, f topology.Field, p topology.Part, of any, zero func() (topology.Part, any)) {
	t.Helper()
	said := f.Name
	if f.Same != "" {
		said = f.Same
		equal(t, name+"."+f.Name+" is said as "+said, p.Get(f.Name), "")
	}
	text := p.Get(said)
	second, got := zero()
	if err := second.Set(said, text); text != "" && err != nil || !reflect.DeepEqual(got, of) {
		t.Errorf("%s.%s says %q, which is another value, or none (%v)", name, said, text, err)
	}
}

// Texts are as one would write them.
func TestGetIsReadable(t *testing.T) {
	s := topology.Service{Capacity: topology.Capacity{Time: topology.Always(5 * time.Minute), Queue: topology.Full,
		Speed: []topology.Speed{{From: time.Minute, Until: time.Hour, Percent: 50}}}}
	load := topology.Load{Rate: topology.Rate{Steps: []topology.RateStep{{Milli: 280_000}, {From: 5 * time.Minute, Milli: 500}}}}
	all, _ := policy.ParseFilter("5xx", "429", "timeout")
	p := topology.Policy{Retry: &policy.Retry{Attempts: policy.Unlimited, Filter: all}}
	for _, tt := range []struct {
		part        topology.Part
		field, want string
	}{
		{s.Part(), "time", "5m"}, {s.Part(), "queue", "none"}, {s.Part(), "speed", "1m..1h:50%"}, {s.Part(), "nothing", ""},
		{load.Part(), "rate", "280/s,5m:0.5/s"}, {load.Part(), "rate.steps", ""},
		{p.Part(), "attempts", "unlimited"}, {p.Part(), "retries", ""}, {p.Part(), "on", "429,5xx,timeout"}, {p.Part(), "jitter", "none"},
	} {
		equal(t, tt.field, tt.part.Get(tt.field), tt.want)
	}
}

// Every kind of policy can be made, and has fields; what is none has none.
func TestNewPolicy(t *testing.T) {
	for _, kind := range topology.Kinds() {
		p, ok := topology.NewPolicy(kind)
		equal(t, kind, p.Kind(), kind)
		equal(t, kind+" is there", ok, true)
		equal(t, kind+" has fields", len(p.Part().Fields()) > 0, true)
	}
	p, ok := topology.NewPolicy("magic")
	equal(t, "magic", ok, false)
	equal(t, "nothing has no fields", p.Part() == nil, true)
}

// Other names of a field set the same; a ramp down to nothing is refused, since 0
// says that there is no ramp.
func TestSetOtherNames(t *testing.T) {
	one, two := lab(), lab()
	for _, s := range [][2]topology.Setting{
		{{Path: "load.herd.clients", Value: "7"}, {Path: "load.loop.clients", Value: "7"}},
		{{Path: "load.rate", Value: "5/s"}, {Path: "load.rate.steps", Value: "5/s"}},
	} {
		equal(t, s[0].Path, message(one.Set(s[0])), "")
		equal(t, s[1].Path, message(two.Set(s[1])), "")
	}
	if !reflect.DeepEqual(one, two) {
		t.Errorf("%+v is not %+v", one, two)
	}
	equal(t, "a ramp to 0%", message(one.Set(topology.Setting{Path: "services.b.speed", Value: "1s..2s:50%..0%"})),
		`services.b.speed: "1s..2s:50%..0%" is no speed: write it like 30s..40s:0% or 10s..20s:100%..20%`)
}
