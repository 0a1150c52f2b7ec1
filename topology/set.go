package topology

import (
	"fmt"
	"slices"
	"strings"
)

// Setting changes one field of a topology, as a variant, a flag or a file
// names it.
type Setting struct {
	Path  string // services.b.calls.c.retry.attempts
	Value string // as it would stand in a file: 3, 50ms, full
}

// Set changes one field. A path names map keys, calls by their target and
// policies by their kind; setting a policy that the call lacks adds it, a retry
// outermost and a timeout innermost. The error says what the path could have
// been, and nothing is changed then.
func (t *Topology) Set(s Setting) error {
	parts := strings.Split(s.Path, ".")
	var err error
	switch {
	case parts[0] == "load":
		err = setField(&t.Load, loadFields, strings.TrimPrefix(s.Path, "load."), s.Value)
	case parts[0] == "run":
		err = setField(&t.Run, runFields, strings.TrimPrefix(s.Path, "run."), s.Value)
	case parts[0] == "services" && len(parts) >= 2:
		err = t.setService(parts[1], parts[2:], s.Value)
	default:
		err = fmt.Errorf("a path starts with load, run or services.NAME")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	return nil
}

func (t *Topology) setService(name string, rest []string, value string) error {
	s := t.Service(name)
	if s == nil {
		return fmt.Errorf("no service %q: there are %s", name, strings.Join(t.names(), ", "))
	}
	if len(rest) > 0 && rest[0] != "calls" {
		return setField(s, serviceFields, strings.Join(rest, "."), value)
	}
	if len(rest) < 2 {
		return fmt.Errorf("a service has calls.TARGET, %s", fieldNames(serviceFields))
	}
	i := slices.IndexFunc(s.Calls, func(c Call) bool { return c.To == rest[1] })
	if i < 0 {
		return fmt.Errorf("%s does not call %q: %s", name, rest[1], s.targets())
	}
	return setCall(&s.Calls[i], strings.Join(rest[2:], "."), value)
}

func setCall(c *Call, field, value string) error {
	name, isRetry := strings.CutPrefix(field, "retry.")
	switch {
	case isRetry:
		return c.setRetry(name, value)
	case field == "timeout":
		return c.setTimeout(value)
	case field == "latency":
		return parseInto(&c.Latency, value, ParseDistribution)
	case field == "keep_working":
		return parseBool(&c.KeepWorking, value)
	}
	return fmt.Errorf("a call has retry.FIELD, timeout, latency and keep_working")
}

// field is one settable field of a T.
type field[T any] struct {
	name string
	set  func(*T, string) error
}

// setField sets the field of that name, or says which there are. A value that
// cannot be read leaves the target as it was.
func setField[T any](target *T, fields []field[T], name, value string) error {
	for _, f := range fields {
		if f.name == name {
			changed := *target
			err := f.set(&changed, value)
			if err == nil {
				*target = changed
			}
			return err
		}
	}
	return fmt.Errorf("no field %q: there are %s", name, fieldNames(fields))
}

func fieldNames[T any](fields []field[T]) string {
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

func (t *Topology) names() []string {
	var names []string
	for _, s := range t.Services {
		names = append(names, s.Name)
	}
	return names
}

func (s *Service) targets() string {
	if len(s.Calls) == 0 {
		return "it calls nobody"
	}
	var to []string
	for _, c := range s.Calls {
		to = append(to, c.To)
	}
	return "it calls " + strings.Join(to, ", ")
}
