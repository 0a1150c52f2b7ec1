package file

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"labctl/topology"
)

// What is known of calls and policies, of which a file may have many.
var (
	kinds      = topology.Kinds()
	callFields = new(topology.Call).Part().Fields()
	callKeys   = slices.Concat([]string{"to", "policies"}, names(callFields), kinds)
	itemKeys   = append(slices.Clone(kinds), "name", "route")
)

// call reads what a call is like. Policies are a list, outermost first. They may
// stand as keys of the call where the order of the keys is the usual one, so that
// it cannot have been meant otherwise: the order of a map says nothing.
func (r *reader) call(c *topology.Call, n *yaml.Node, path string) error {
	part := c.Part()
	r.mark(path, path, n)
	all, err := r.keys(n, path, callKeys...)
	if err != nil {
		return err
	}
	usual, listed := -1, false
	for _, e := range all {
		switch kind := slices.Index(kinds, e.key); {
		case e.key == "to":
		case e.key == "policies":
			listed = true
			c.Policies, err = r.policies(e.of, path)
		case kind < 0:
			err = r.set(part, callFields, e)
		case kind < usual:
			return r.fail(e.name, e.path, "it stands inside of %s here and usually outside, and keys have no order: write policies: [{%s: …}, {%s: …}], outermost first",
				kinds[usual], kinds[usual], e.key)
		default:
			usual = kind
			err = r.policy(c, e, "", "")
		}
		if err != nil {
			return err
		}
	}
	if listed && usual >= 0 {
		return r.fail(n, path, "%s stands beside policies: put it into that list, where its order shows", kinds[usual])
	}
	return nil
}

// policies reads the stack of a call. Their paths are the call's with their names
// behind it.
func (r *reader) policies(n *yaml.Node, path string) ([]topology.Policy, error) {
	items, err := r.items(n, join(path, "policies"), "write policies: [{retry: {attempts: 3}}, {timeout: 1s}], outermost first")
	if err != nil {
		return nil, err
	}
	var c topology.Call
	for _, item := range items {
		if err := r.item(&c, item, path); err != nil {
			return nil, err
		}
	}
	return c.Policies, nil
}

// item reads one policy of a list, with its name and route.
func (r *reader) item(c *topology.Call, n *yaml.Node, path string) error {
	all, err := r.entries(n, join(path, "policies"))
	if err != nil {
		return err
	}
	var kind *entry
	in := join(path, "policies")
	name, route := "", ""
	for i, e := range all {
		switch {
		case e.key == "name":
			name, err = r.policyName(e)
		case e.key == "route":
			route, err = r.value(e.of, e.path)
		case !slices.Contains(kinds, e.key):
			err = r.unknown(e, in, itemKeys)
		case kind != nil:
			err = r.fail(e.name, in, "%s and %s stand in one entry, so their order is not said: write - {%s: …} and - {%s: …}", kind.key, e.key, kind.key, e.key)
		default:
			kind = &all[i]
		}
		if err != nil {
			return err
		}
	}
	if kind == nil {
		return r.fail(n, in, "an entry is exactly one of %s", strings.Join(kinds, ", "))
	}
	at := join(path, kind.key)
	if name != "" {
		at = join(path, name)
	}
	r.mark(at, at, n)
	for _, e := range all { // in the order of the file, for the comments beside them
		r.marks = append(r.marks, mark{position{e.name.Line, e.name.Column}, at + "/" + e.key})
	}
	kind.path = at
	return r.policy(c, *kind, name, route)
}

// policyName refuses names that would take a path for something else.
func (r *reader) policyName(e entry) (string, error) {
	name, err := r.value(e.of, e.path)
	if err != nil {
		return "", err
	}
	if slices.Contains(kinds, name) || slices.Contains([]string{"policies", "latency", "chance", "keep_working", "to"}, name) {
		return "", r.fail(e.of, e.path, "%s is a word of the file: choose a name of your own", name)
	}
	return name, r.goodName(e.of, e.path, name)
}

// policy adds a policy to a call.
func (r *reader) policy(c *topology.Call, e entry, name, route string) error {
	p, _ := topology.NewPolicy(e.key)
	p.Name, p.Route = name, route
	called := p.Called()
	if slices.ContainsFunc(c.Policies, func(other topology.Policy) bool { return other.Called() == called }) {
		return r.fail(e.name, e.path, "the call has two of that name: give each a name, such as {name: inner, %s: …}", e.key)
	}
	if _, known := r.where[strings.TrimSuffix(e.path, called)+e.key]; !known { // an error may name the kind
		r.where[strings.TrimSuffix(e.path, called)+e.key] = position{e.name.Line, e.name.Column}
	}
	if err := r.settingsOf(&p, e); err != nil {
		return err
	}
	c.Policies = append(c.Policies, p)
	return nil
}

func (r *reader) settingsOf(p *topology.Policy, e entry) error {
	part := p.Part()
	fields := part.Fields()
	bare := slices.IndexFunc(fields, func(f topology.Field) bool { return f.Name == "" })
	switch {
	case e.of.Kind == yaml.ScalarNode && bare >= 0:
		return r.setAs(part, fields[bare], e)
	case e.of.Kind != yaml.MappingNode && e.key == "retry":
		return r.bareRetry(e)
	case e.of.Kind != yaml.MappingNode:
		return r.fail(e.of, e.path, "%s does not say which field: write %s: {FIELD: VALUE}, with %s", what(e.of), e.key, strings.Join(names(fields), ", "))
	}
	if err := r.part(part, e.of, e.path); err != nil {
		return err
	}
	if e.key == "retry" {
		return r.saysAttempts(e)
	}
	return nil
}

// bareRetry refuses retry: 3, which some read as 3 attempts and others as 3
// retries.
func (r *reader) bareRetry(e entry) error {
	if n := e.of.Value; e.of.Tag == "!!int" && len(n) < 7 {
		return r.fail(e.of, e.path, "%s attempts are one retry fewer, %s retries one attempt more: say attempts: %s or retries: %s", n, n, n, n)
	}
	return r.fail(e.of, e.path, "%s does not say how often: write retry: {attempts: 3} or retry: {retries: 2}, which are the same", what(e.of))
}

func (r *reader) saysAttempts(e entry) error {
	attempts, retries := keyOf(e.of, "attempts"), keyOf(e.of, "retries")
	switch {
	case attempts < 0 && retries < 0:
		return r.fail(e.name, e.path, "it does not say how often: say attempts: 3 or retries: 2, which are the same")
	case attempts >= 0 && retries >= 0:
		return r.fail(e.of.Content[max(attempts, retries)], e.path, "attempts and retries say the same, the first try included or not: keep one")
	}
	return nil
}
