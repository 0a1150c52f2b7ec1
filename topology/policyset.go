package topology

import (
	"fmt"
	"strings"

	"labctl/topology/policy"
)

// setPolicies puts the call's policies into an order, outermost first. Each is
// named once, and one that is not named is taken out.
func (c *Call) setPolicies(value string) error {
	var ordered []Policy
	for word := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
		name := strings.TrimSpace(word)
		if name == "" {
			continue
		}
		i := c.find(name)
		if i < 0 {
			return fmt.Errorf("the call has no policy %q: it has %s", name, c.stackText())
		}
		ordered = append(ordered, c.Policies[i])
	}
	for i := range ordered {
		for _, other := range ordered[:i] {
			if other.Called() == ordered[i].Called() {
				return fmt.Errorf("%q stands twice: name each policy once, outermost first", other.Called())
			}
		}
	}
	c.Policies = ordered
	return nil
}

// stackText lists the call's policies, outermost first.
func (c *Call) stackText() string {
	if len(c.Policies) == 0 {
		return "none"
	}
	var names []string
	for _, p := range c.Policies {
		names = append(names, p.Called())
	}
	return strings.Join(names, ", ")
}

// find is the place of a policy by its name, else by its kind, else −1.
func (c *Call) find(name string) int {
	for _, same := range []func(Policy) bool{
		func(p Policy) bool { return name != "" && p.Name == name },
		func(p Policy) bool { return p.Kind() == name },
	} {
		for i, p := range c.Policies {
			if same(p) {
				return i
			}
		}
	}
	return -1
}

// setPolicy changes a field of a policy, takes it out with the value none, or
// adds it, by its kind, in its usual place.
func (c *Call) setPolicy(name, field, value string) error {
	i := c.find(name)
	if field == "" && value == "none" {
		if i >= 0 {
			c.Policies = append(c.Policies[:i:i], c.Policies[i+1:]...)
		}
		return nil
	}
	p := Policy{}
	k := kindNamed(name)
	if i >= 0 {
		p = c.Policies[i].clone()
		k = kindNamed(p.Kind())
	} else if k.name == "retry" {
		p.Retry = &policy.Retry{Attempts: 1}
	}
	if err := p.setField(k, field, value); err != nil {
		return err
	}
	if i >= 0 {
		c.Policies[i] = p
		return nil
	}
	c.insert(p)
	return nil
}

func (p *Policy) setField(k *kind, field, value string) error {
	if field == "route" {
		if !k.in(*p) {
			return fmt.Errorf("the call has no %s that could be for one route: set its other fields first", k.name)
		}
		p.Route = value
		return nil
	}
	return k.set(p, field, value)
}

// insert adds a policy in front of the first that usually stands further in.
func (c *Call) insert(p Policy) {
	at := len(c.Policies)
	for i, other := range c.Policies {
		if rank(other.Kind()) > rank(p.Kind()) {
			at = i
			break
		}
	}
	c.Policies = append(c.Policies[:at:at], append([]Policy{p}, c.Policies[at:]...)...)
}
