package imports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"labctl/topology"
	"labctl/topology/file"
	"labctl/topology/policy"
)

// Build makes a lab of what was read. With a chain, such as client, web, orders, each
// host of it calls the next one, with the settings for that one; hosts that are not in
// it are left out. Without one a client calls them all at once. The last ones fail as
// their callers retry on, so that a run shows what the settings do.
//
// Where two formats say something of one host, the settings of the format that comes
// first stand around those of the other: of a client library and its sidecar, give
// the library first.
func Build(files []File, chain []string) (file.Lab, []Note, error) {
	b := &builder{byName: map[string]*hop{}}
	for _, f := range files {
		b.notes = append(b.notes, f.Notes...)
	}
	b.gather(files)
	if len(b.hops) == 0 {
		return file.Lab{}, nil, fmt.Errorf("nothing that was read sends requests to a host: give the routes as well")
	}
	if n := len(b.hops); n >= topology.MaxServices {
		return file.Lab{}, nil, fmt.Errorf("%d hosts are more than a lab has: name those of one way with --chain in a file of less", n)
	}
	services, err := b.services(chain)
	if err != nil {
		return file.Lab{}, nil, err
	}
	lab := file.Lab{Title: title(files), Topology: topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
		Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
		Services: services,
	}}
	lab.Expect = expect(services)
	if err := lab.Topology.Validate(); err != nil {
		return file.Lab{}, nil, fmt.Errorf("what was read makes no lab: %w", err)
	}
	return lab, b.notes, nil
}

// expect is what each service may get of one request at most: what the settings
// multiply to today. A check then fails when somebody adds to it.
func expect(services []topology.Service) []file.Expectation {
	hits := map[string]int64{topology.ClientName: 1}
	var out []file.Expectation
	for _, s := range services { // in calling order
		for _, c := range s.Calls {
			hits[c.To] = topology.SatMul(hits[s.Name], int64(c.Attempts()))
			out = append(out, file.Expectation{Field: c.To + ".amplification", Condition: fmt.Sprintf("<= %d", hits[c.To])})
		}
	}
	return out
}

// builder collects hosts and notes.
type builder struct {
	byName map[string]*hop
	hops   []*hop
	notes  []Note
}

func (b *builder) note(at Place, path, format string, args ...any) {
	b.notes = append(b.notes, Note{at, path, fmt.Sprintf(format, args...)})
}

func title(files []File) string {
	var formats []string
	for _, f := range files {
		if !slices.Contains(formats, f.Format) {
			formats = append(formats, f.Format)
		}
	}
	return "The retry settings of " + strings.Join(formats, " and ") + ", imported"
}

func (b *builder) services(chain []string) ([]topology.Service, error) {
	if len(chain) == 0 {
		return b.star(), nil
	}
	return b.chain(chain)
}

// call is the call to a host, whoever makes it.
func (b *builder) call(h *hop) topology.Call {
	for i := range h.layers {
		l := &h.layers[i]
		switch {
		case l.format == Istio && l.route == nil: // as for all hosts of a mesh
			l.route = &Route{Retry: istioDefault(), Elsewhere: true}
			b.note(l.cluster.At, h.name, "no VirtualService was read for it: Istio's default of %d retries stands here", istioRetries)
		case l.format == Envoy && l.cluster == nil:
			b.note(l.route.At, h.name, "its cluster was not read: how many retries may be in flight, and which replicas there are, is not known")
		}
	}
	stack := fit(stacks(h.layers), func(at Place, format string, args ...any) { b.note(at, h.name, format, args...) })
	return topology.Call{To: h.name, Policies: oneBalance(stack)}
}

// oneBalance leaves the innermost balancer, which is the one that chooses.
func oneBalance(stack []topology.Policy) []topology.Policy {
	last := -1
	for i, p := range stack {
		if p.Balance != nil {
			last = i
		}
	}
	var out []topology.Policy
	for i, p := range stack {
		if p.Balance == nil || i == last {
			out = append(out, p)
		}
	}
	return out
}

// service is the host itself.
func (h *hop) service() topology.Service {
	s := topology.Service{Name: h.name}
	for _, l := range h.layers {
		if l.cluster != nil && l.cluster.Replicas > 1 {
			s.Replicas = l.cluster.Replicas
		}
	}
	return s
}

// fault is one that the call to a host retries on, so that a run shows its retries.
func (h *hop) fault() string {
	for _, f := range []struct {
		fault string
		is    policy.Outcome
	}{{"503", policy.Status(503)}, {"502", policy.Status(502)}, {"500", policy.Status(500)}, {"429", policy.Status(429)},
		{"refuse", policy.Failed(policy.Refused)}, {"reset", policy.Failed(policy.Reset)}} {
		if h.retriesOn(f.is) {
			return f.fault
		}
	}
	return "503"
}

// retriesOn reports whether every layer that tries again does so after an outcome.
func (h *hop) retriesOn(o policy.Outcome) bool {
	tries := false
	for _, l := range h.layers {
		if l.route == nil || l.route.attempts() < 2 {
			continue
		}
		on := &policy.Filter{}
		if l.route.Hedge != nil {
			on = &l.route.Hedge.Filter
		} else {
			on = &l.route.Retry.Filter
		}
		if tries = true; !on.Has(o) {
			return false
		}
	}
	return tries
}
