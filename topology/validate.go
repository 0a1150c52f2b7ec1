package topology

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"labctl/faultserver/program"
	"labctl/topology/policy"
)

// Validate checks everything that does not depend on the engine. Its error
// names the field and the cure.
func (t *Topology) Validate() error {
	for _, check := range []func() error{t.checkServices, t.checkGraph, t.checkLoad, t.checkRun} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (t *Topology) checkServices() error {
	if len(t.Services) < 2 {
		return fmt.Errorf("services: %d is too few: a client and a tail are the least", len(t.Services))
	}
	if len(t.Services) > MaxServices {
		return fmt.Errorf("services: %d are more than the limit of %d", len(t.Services), MaxServices)
	}
	seen := map[string]bool{}
	for i := range t.Services {
		s := &t.Services[i]
		if err := checkName(s.Name); err != nil {
			return fmt.Errorf("services.%s: %w", s.Name, err)
		}
		if err := s.check(t.Routes()); err != nil {
			return fmt.Errorf("services.%s.%w", s.Name, err)
		}
		if seen[s.Name] {
			return fmt.Errorf("services.%s: the name stands twice: names are unique", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

func (s *Service) check(routes []string) error {
	if s.Fault != "" {
		if s.Name == ClientName {
			return fmt.Errorf("fault: nobody calls the client: give the fault to another service")
		}
		if _, err := parseFault(s.Fault); err != nil {
			return fmt.Errorf("fault: %w", err)
		}
	}
	if err := s.Capacity.check(); err != nil {
		return err
	}
	if err := s.checkVariety(routes); err != nil {
		return err
	}
	for _, c := range s.Calls {
		if err := c.checkStack(s.Name, routes); err != nil {
			return fmt.Errorf("calls.%s.%w", c.To, err)
		}
		if err := c.Latency.Check("latency"); err != nil {
			return fmt.Errorf("calls.%s.%w", c.To, err)
		}
	}
	return nil
}

// checkVariety checks what differs between routes and replicas.
func (s *Service) checkVariety(routes []string) error {
	for _, r := range s.Routes {
		field := "routes." + r.Route
		switch {
		case !slices.Contains(routes, r.Route):
			return fmt.Errorf("%s: no client asks for it: give a herd that route, such as load.others.%s.clients: 1", field, r.Route)
		case r.Workers < 0 || r.Workers > MaxWorkers:
			return fmt.Errorf("%s.workers: %d is not from 0 (as the service) to %d", field, r.Workers, MaxWorkers)
		}
		if _, err := parseFault(r.Fault); err != nil {
			return fmt.Errorf("%s.fault: %w", field, err)
		}
		if err := r.Time.Check(field + ".time"); err != nil {
			return err
		}
	}
	if n := len(s.Replica); n > s.replicas() {
		return fmt.Errorf("replica.%d: there are only %d replicas: raise replicas, or leave it out", n-1, s.replicas())
	}
	for i, r := range s.Replica {
		if _, err := parseFault(r.Fault); err != nil {
			return fmt.Errorf("replica.%d.fault: %w", i, err)
		}
	}
	return nil
}

// parseFault reads a fault program; an empty one is ok for ever. Which connection a
// request comes on is the doing of an HTTP client, and no engine has one to study.
func parseFault(text string) (program.Program, error) {
	if text == "" {
		text = "ok"
	}
	p, err := program.Parse(text)
	if err == nil && p.Conn {
		err = errors.New("conn: needs real connections: use labctl serve or a faultserver, or each: for turns by request")
	}
	return p, err
}

// checkName keeps names usable in a path header, a path of a setting and a URL.
func checkName(name string) error {
	ok := name != "" && len(name) <= MaxNameBytes && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	})
	if !ok {
		return fmt.Errorf("the name %q must be 1 to %d letters, digits, - or _", name, MaxNameBytes)
	}
	return nil
}

func checkDuration(field string, d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("%s: %v is negative: say 0 or more", field, d)
	}
	if d > MaxDuration {
		return fmt.Errorf("%s: %v is over the limit of a year (%v)", field, d, MaxDuration)
	}
	return nil
}

func (t *Topology) checkLoad() error {
	if t.Load.Open() && len(t.Load.Rate.At) == 0 && t.Horizon() == 0 {
		return fmt.Errorf("run.until: arrivals at a rate have no end of their own: say when the run ends, or the load (load.for)")
	}
	return t.Load.check()
}

func (t *Topology) checkRun() error {
	r := t.Run
	switch {
	case r.Bin < MinBin:
		return fmt.Errorf("run.bin: %v is too narrow: say at least %v, such as 50ms", r.Bin, MinBin)
	case r.At != "" && (r.At == ClientName || t.Service(r.At) == nil):
		return fmt.Errorf("run.at: no hits are counted at %q: choose %s", r.At, strings.Join(t.names()[1:], ", "))
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"run.bin", r.Bin}, {"run.bin_offset", r.BinOffset}, {"run.until", r.Until}} {
		if err := checkDuration(d.name, d.value); err != nil {
			return err
		}
	}
	if r.BinOffset >= r.Bin {
		return fmt.Errorf("run.bin_offset: %v is not inside a bin of %v: choose less", r.BinOffset, r.Bin)
	}
	if name := t.unlimited(); name != "" && r.Until == 0 {
		return fmt.Errorf("run.until: %s retries without a limit, so the run may never end: say when it ends", name)
	}
	if name := t.endless(); name != "" && r.Until == 0 {
		return fmt.Errorf("run.until: %s hangs and no call above stops it, so the run may never end: say when it ends, or give a call a timeout", name)
	}
	if name := t.restless(); name != "" {
		return fmt.Errorf("services.%s: retries without a limit and without a rest never let time go by: say a rest", name)
	}
	return nil
}

func (s *Service) hangs() bool {
	faults, err := program.Parse(s.Fault)
	return err == nil && faults.Hangs()
}

// restless names a layer that retries for ever without a rest.
func (t *Topology) restless() string {
	for _, s := range t.Services {
		for _, c := range s.Calls {
			for _, p := range c.Policies {
				if p.Retry != nil && p.Retry.Attempts == policy.Unlimited && p.Retry.Rest.Base == 0 {
					return s.Name
				}
			}
		}
	}
	return ""
}

// unlimited names a layer that retries for ever.
func (t *Topology) unlimited() string {
	for _, s := range t.Services {
		for _, c := range s.Calls {
			if c.Attempts() == policy.Unlimited {
				return s.Name
			}
		}
	}
	return ""
}
