package ledger

import (
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// Describe puts a call's policies into the words of a result.
func Describe(c topology.Call) *report.Policy {
	r := c.Retry()
	stacked := false
	out := &report.Policy{Attempts: c.Attempts(), Retries: c.Attempts()}
	if out.Attempts != policy.Unlimited {
		out.Retries--
	}
	for _, p := range c.Policies {
		if p.Timeout != nil {
			out.Timeout = p.Timeout.Limit.String()
		}
		if p.Kind() != "retry" {
			stacked = true
		}
		out.Stack = append(out.Stack, p.String())
	}
	if !stacked {
		out.Stack = nil // the fields say it all
	}
	if r.MaxElapsed > 0 {
		out.MaxElapsed = r.MaxElapsed.String()
	}
	out.KeepWorking, out.Repeatable = c.KeepWorking, r.RepeatableOnly
	if on := r.Filter.String(); on != policy.DefaultFilter().String() {
		out.On = on
	}
	if r.Rest.Base > 0 {
		describeRest(out, r)
	}
	return out
}

func describeRest(out *report.Policy, r policy.Retry) {
	out.Rest = r.Rest.Base.String()
	out.Backoff = r.Rest.Backoff.String()
	out.Jitter = r.Rest.Jitter.String()
	if r.Rest.Cap > 0 {
		out.Cap = r.Rest.Cap.String()
	}
	if r.Rest.AtCap == policy.Stop {
		out.AtCap = "stop"
	}
	if r.Rest.Order == policy.JitterThenCap {
		out.Order = "jitter-then-cap"
	}
	last := r.Attempts - 1
	if r.Attempts == policy.Unlimited {
		last = topology.MaxAttempts
	}
	if largest := r.Rest.Largest(last); largest > 0 && largest < time.Duration(policy.Never) {
		out.LargestRest = largest.String()
	}
}
