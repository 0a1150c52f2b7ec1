package imports

import (
	"math"

	"go.yaml.in/yaml/v4"

	"labctl/topology"
	"labctl/topology/policy"
)

// maxUint31 is the largest number that such files have a use for.
const maxUint31 = math.MaxInt32

// mostInFlight is Envoy's circuit breaker max_retries: so many retries of all calls
// at one time, whatever the number of requests (config.cluster.v3.CircuitBreakers).
func mostInFlight(n int) *policy.Budget {
	if n > topology.MaxAttempts {
		return nil // as good as no limit
	}
	return &policy.Budget{Law: policy.Active, Ratio: policy.NoShare, Floor: orElse(n, policy.NoFloor)}
}

// shareInFlight is Envoy's retry_budget, which takes the place of max_retries: 20 %
// and 3 where it does not say.
func shareInFlight(v value) *policy.Budget {
	o := v.object()
	name := "budgetPercent"
	if o.has("percent") {
		name = "percent" // Istio's word
	}
	share := o.get(name)
	if share.there() && share.n.Kind != yaml.ScalarNode {
		p := share.object()
		share = p.get("value")
		p.rest()
	}
	b := &policy.Budget{Law: policy.Active,
		Ratio: orElse(share.decimal(0, 100, 20_000)/100, policy.NoShare),
		Floor: orElse(o.get("minRetryConcurrency").number(0, topology.MaxAttempts, 3), policy.NoFloor)}
	o.rest()
	return b
}

// orElse is a number whose 0 is written otherwise in a lab, where 0 is the default.
func orElse(n, zero int) int {
	if n == 0 {
		return zero
	}
	return n
}

// ejection reads outlier detection, of Envoy and of Istio, which differ in the name
// of the count. Consecutive 5xx, time and share are as in the lab, whose rules are
// Envoy's.
func ejection(o object, b *policy.Balance, count string) {
	n := o.get(count).number(0, topology.MaxAttempts, 5)
	o.cannot("left out: a lab ejects for consecutive failures alone", "consecutiveErrors", "consecutiveGatewayErrors", "consecutiveGatewayFailure",
		"consecutiveLocalOriginFailure", "consecutiveLocalOriginFailures", "splitExternalLocalOriginErrors", "minHealthPercent",
		"successRateMinimumHosts", "successRateRequestVolume", "successRateStdevFactor", "enforcingSuccessRate", "enforcingConsecutive5xx",
		"enforcingConsecutiveGatewayFailure", "failurePercentageThreshold", "enforcingFailurePercentage")
	o.cannot("left out: a lab ejects at once, and forgets every 10s", "interval")
	lasts := o.get("baseEjectionTime").duration(0)
	share := o.get("maxEjectionPercent").number(0, 100, 0)
	o.rest()
	if n == 0 {
		return
	}
	b.EjectAfter, b.EjectFor, b.MaxEjected = n, lasts, share
}
