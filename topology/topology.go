// Package topology describes what a lab is made of: services, the calls between
// them with their policies, the load, and the faults. It is plain data without
// behaviour; package live runs it over HTTP, package sim in virtual time.
//
// Start from [Chain] for a chain of layers, change fields with [Topology.Set],
// and call [Topology.Validate] before a run: its errors name the field and the
// cure.
package topology

import (
	"math"
	"slices"
	"time"

	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
	"labctl/topology/policy"
)

// ClientName is the outermost layer of every topology: the callers.
const ClientName = "client"

// Topology is one lab: who calls whom, how, and with what load.
type Topology struct {
	Load     Load
	Services []Service // the client first; order is the order of reports
	Run      Run
}

// Service is one layer. The client is a service that nobody calls.
type Service struct {
	Name  string
	Calls []Call // what it does for each request, one after the other; none for a tail
	// Parallel makes the calls at once and waits for all of them.
	Parallel bool
	Fault    string // fault program of its answers; empty: ok
	Capacity
	// Idempotency is what the service does with a key that it has seen.
	Idempotency idempotency.Mode
	Routes      []RouteOf   // requests that it treats in another way
	Replica     []ReplicaOf // replicas that differ; those behind the last one are as the service
}

// RouteOf is how a service treats requests of one route, where it differs.
type RouteOf struct {
	Route   string
	Fault   string       // empty: the service's own
	Time    Distribution // zero: the service's own
	Workers int          // of its own; 0: it shares the service's
}

// ReplicaOf is one replica, where it differs.
type ReplicaOf struct {
	Fault string // empty: the service's own
}

// Call is one edge of the graph, with its policies, outermost first.
type Call struct {
	To       string
	Policies []Policy
	Chance   program.Chance // of being made for a request; 0: always
	Latency  Distribution   // of the network, one way
	// KeepWorking leaves the work below running when a caller stops waiting.
	// The zero value passes cancellation down.
	KeepWorking bool
}

// Run is how to run and what to record.
type Run struct {
	Seed      uint64
	Bin       time.Duration // width of a bin of the histogram
	BinOffset time.Duration // how far into bin 0 the release falls
	Until     time.Duration // end of the run; 0: when every client has its answer
	At        string        // layer whose hits are binned; empty: the tail
}

// Service returns the service of that name, or nil.
func (t *Topology) Service(name string) *Service {
	for i := range t.Services {
		if t.Services[i].Name == name {
			return &t.Services[i]
		}
	}
	return nil
}

// IsChain reports whether each service calls the next one and nobody else.
func (t *Topology) IsChain() bool {
	for i, s := range t.Services[:len(t.Services)-1] {
		if len(s.Calls) != 1 || s.Calls[0].To != t.Services[i+1].Name || s.Calls[0].Chance != 0 {
			return false
		}
	}
	return true
}

// Tail is the last service: the one that calls nobody.
func (t *Topology) Tail() *Service { return &t.Services[len(t.Services)-1] }

// Clone returns a copy that shares nothing with t.
func (t Topology) Clone() Topology {
	t.Load.Rate.Steps = slices.Clone(t.Load.Rate.Steps)
	t.Load.Rate.At = slices.Clone(t.Load.Rate.At)
	t.Load.Others = slices.Clone(t.Load.Others)
	t.Services = slices.Clone(t.Services)
	for i := range t.Services {
		s := &t.Services[i]
		s.Calls = slices.Clone(s.Calls)
		s.Speed = slices.Clone(s.Speed)
		s.Routes, s.Replica = slices.Clone(s.Routes), slices.Clone(s.Replica)
		for j, c := range s.Calls {
			s.Calls[j] = c.Clone()
		}
	}
	return t
}

// Retry returns the call's first retry policy, or a policy of one attempt.
func (c Call) Retry() policy.Retry {
	for _, p := range c.Policies {
		if p.Retry != nil {
			return *p.Retry
		}
	}
	return policy.Retry{Attempts: 1}
}

// TimesOut reports whether the call stops waiting by itself.
func (c Call) TimesOut() bool {
	return slices.ContainsFunc(c.Policies, func(p Policy) bool {
		return p.Timeout != nil || p.Deadline != nil && p.Deadline.Enforce && p.Deadline.Limit > 0
	})
}

// Attempts is how many attempts the call's stack makes at most: the product of
// its retries and hedges, saturating, or policy.Unlimited.
func (c Call) Attempts() int {
	n := int64(1)
	for _, p := range c.Policies {
		if p.Hedge != nil {
			n = SatMul(n, int64(orDefault(p.Hedge.Max, 2)))
		}
		if p.Retry == nil {
			continue
		}
		if p.Retry.Attempts == policy.Unlimited {
			return policy.Unlimited
		}
		n = SatMul(n, int64(p.Retry.Attempts))
	}
	return int(min(n, math.MaxInt))
}

// Clone returns a copy that shares nothing with c.
func (c Call) Clone() Call {
	c.Policies = clonePolicies(c.Policies)
	return c
}
