package bound

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labctl/topology"
)

// site is one call as the requests of one route see it: what a check looks at.
type site struct {
	*view
	edge  int
	call  topology.Edge
	stack []topology.Policy
	found *[]Finding
}

// checks look at one call each.
var checks = []func(*site){
	(*site).checkOwners,
	(*site).checkFilters,
	(*site).checkRepeats,
	(*site).checkTimeout,
	(*site).checkCaller,
	(*site).checkAnswerInTime,
	(*site).checkAttemptsInTime,
	(*site).checkJitter,
	(*site).checkCap,
	(*site).checkBudgets,
	(*site).checkBreakers,
	(*site).checkLimits,
	(*site).checkQueues,
}

// findings runs all checks. What several routes see is found once.
func (l *lab) findings() []Finding {
	var found []Finding
	for k := range l.views {
		found = append(found, l.views[k].multiplied()...)
		found = append(found, l.views[k].overloaded()...)
	}
	for i := range l.edges {
		for k := range l.views {
			v := &l.views[k]
			s := &site{view: v, edge: i, call: l.edges[i], stack: v.stacks[i], found: &found}
			for _, check := range checks {
				check(s)
			}
		}
	}
	if len(l.views) > 1 {
		found = unique(found)
	}
	return found
}

// unique keeps the first of those that say the same of the same setting.
func unique(found []Finding) []Finding {
	type key struct{ code, path string }
	seen := map[key]bool{}
	return slices.DeleteFunc(found, func(f Finding) bool {
		k := key{f.Code, f.Path}
		was := seen[k]
		seen[k] = true
		return was
	})
}

// add notes a finding about a policy of the call; nil: about the call itself.
func (s *site) add(code string, how Severity, p *topology.Policy, format string, args ...any) {
	*s.found = append(*s.found, Finding{code, s.policyPath(s.edge, p), fmt.Sprintf(format, args...), how})
}

// from and to name the two ends of the call.
func (s *site) from() string { return s.t.Services[s.call.From].Name }
func (s *site) to() string   { return s.call.Call.To }

// retries yields the layers of the call that make more than one attempt by retrying.
func (s *site) retries(yield func(i int, p *topology.Policy) bool) {
	for i := range s.stack {
		if p := &s.stack[i]; p.Retry != nil && s.factors[s.edge][i] > 1 && !yield(i, p) {
			return
		}
	}
}

// has reports whether one of some policies is of a sort.
func has(stack []topology.Policy, is func(topology.Policy) bool) bool {
	return slices.ContainsFunc(stack, is)
}

// multiplied names the layers of a way that multiply, once for each way that no
// longer one goes on with.
func (v *view) multiplied() (found []Finding) {
	t := v.worstWays()
	most := slices.Clone(t.layers) // on any of the ways that go on from here
	for i := len(most) - 1; i > 0; i-- {
		from := v.edges[t.last[i]].From
		most[from] = max(most[from], most[i])
	}
	for i := 1; i < len(most); i++ {
		if t.layers[i] < 2 || most[i] > t.layers[i] || v.attempts[t.last[i]] == 1 {
			continue
		}
		layers := v.layers(t, i)
		text := fmt.Sprintf("%s on %s for one request", multiply(layers, t.product[i]), v.t.Services[i].Name)
		if v.hits[i] > t.product[i] {
			text += fmt.Sprintf(", and %s with the other ways to it", hitsText(v.hits[i]))
		}
		found = append(found, Finding{"layers-multiply", layers[len(layers)-1].Path,
			text + ": let one of them own the retries, and give the others 1 attempt", Warning})
	}
	return found
}

// multiply is "client, a and b all retry: 3 × 3 × 3 = 27 hits".
func multiply(layers []Layer, product int64) string {
	var names, factors []string
	for _, l := range layers {
		names = append(names, l.Name)
		factors = append(factors, countText(l.Attempts))
	}
	last := len(names) - 1
	both := "both"
	if last > 1 {
		both = "all"
	}
	return fmt.Sprintf("%s and %s %s retry: %s = %s", strings.Join(names[:last], ", "), names[last], both, strings.Join(factors, " × "), hitsText(product))
}

func countText(n int64) string {
	if n == Unlimited {
		return "unlimited"
	}
	return strconv.FormatInt(n, 10)
}

func hitsText(n int64) string {
	if n == Unlimited {
		return "hits without a limit"
	}
	return strconv.FormatInt(n, 10) + " hits"
}
