package topology

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"labctl/topology/policy"
)

// The settable fields of each kind of policy, under the names that a file uses.
var (
	fallbackFields = []field[policy.Fallback]{
		durationOf("max_age", func(f *policy.Fallback) *time.Duration { return &f.MaxAge }),
		boolOf("static", func(f *policy.Fallback) *bool { return &f.Static }),
	}

	deadlineFields = []field[policy.Within]{
		durationOf("limit", func(w *policy.Within) *time.Duration { return &w.Limit }),
		choiceOf("mode", func(w *policy.Within) *policy.DeadlineMode { return &w.Mode }, map[string]policy.DeadlineMode{
			"none": policy.Kept, "absolute": policy.Absolute, "remaining": policy.Remaining, "per-hop": policy.PerHop}),
		boolOf("check", func(w *policy.Within) *bool { return &w.Check }),
		boolOf("enforce", func(w *policy.Within) *bool { return &w.Enforce }),
		durationOf("useful", func(w *policy.Within) *time.Duration { return &w.Useful }),
	}

	adaptiveFields = []field[policy.Adaptive]{
		countOf("initial", func(a *policy.Adaptive) *int { return &a.Initial }),
		intOf("min", func(a *policy.Adaptive) *int { return &a.Min }),
		intOf("max", func(a *policy.Adaptive) *int { return &a.Max }),
		durationOf("target", func(a *policy.Adaptive) *time.Duration { return &a.Target }),
		percentOf("decrease", func(a *policy.Adaptive) *int { return &a.Decrease }),
		countOf("increase", func(a *policy.Adaptive) *int { return &a.Increase }),
	}

	bulkheadFields = []field[policy.Bulkhead]{
		intOf("limit", func(b *policy.Bulkhead) *int { return &b.Limit }),
		intOrNoneOf("queue", func(b *policy.Bulkhead) *int { return &b.Queue }, policy.NoQueue),
		durationOf("wait", func(b *policy.Bulkhead) *time.Duration { return &b.Wait }),
		choiceOf("per", func(b *policy.Bulkhead) *policy.Key { return &b.Per }, keys),
	}

	breakerFields = []field[policy.Breaker]{
		countOf("failures", func(b *policy.Breaker) *int { return &b.Failures }),
		percentOf("rate", func(b *policy.Breaker) *int { return &b.Rate }),
		spanOf("window", func(b *policy.Breaker) *time.Duration { return &b.Window }),
		countOf("volume", func(b *policy.Breaker) *int { return &b.Volume }),
		spanOf("open_for", func(b *policy.Breaker) *time.Duration { return &b.OpenFor }),
		valueOf("permits", func(b *policy.Breaker) *int { return &b.Permits }, parsePermits, numberText, Shape{Of: Whole}),
		countOf("successes", func(b *policy.Breaker) *int { return &b.Successes }),
		filterOf("fail_on", func(b *policy.Breaker) *policy.Filter { return &b.Fail }),
		filterOf("ignore", func(b *policy.Breaker) *policy.Filter { return &b.Ignore }),
		choiceOf("per", func(b *policy.Breaker) *policy.Key { return &b.Per }, keys),
		boolOf("observe", func(b *policy.Breaker) *bool { return &b.Observe }),
		choiceOf("forced", func(b *policy.Breaker) *policy.Forced { return &b.Forced }, map[string]policy.Forced{
			"no": policy.NotForced, "open": policy.ForcedOpen, "closed": policy.ForcedClosed}),
	}

	budgetFields = []field[policy.Budget]{
		choiceOf("law", func(b *policy.Budget) *policy.BudgetLaw { return &b.Law }, budgetLaws),
		valueOf("ratio", func(b *policy.Budget) *int { return &b.Ratio }, parseShare, shareText, Shape{Of: Percent, Words: []string{"none"}}),
		valueOf("floor", func(b *policy.Budget) *int { return &b.Floor }, parseFloor, floorText, Shape{Of: Whole, Words: []string{"none"}}),
		spanOf("window", func(b *policy.Budget) *time.Duration { return &b.Window }),
		boolOf("per_client", func(b *policy.Budget) *bool { return &b.PerClient }),
		countOf("tokens", func(b *policy.Budget) *int { return &b.Tokens }),
		countOf("cost", func(b *policy.Budget) *int { return &b.Cost }),
		countOf("timeout_cost", func(b *policy.Budget) *int { return &b.TimeoutCost }),
		countOf("attempts", func(b *policy.Budget) *int { return &b.Attempts }),
	}

	hedgeFields = []field[policy.Hedge]{
		durationOf("delay", func(h *policy.Hedge) *time.Duration { return &h.Delay }),
		valueOf("quantile", func(h *policy.Hedge) *int { return &h.Quantile }, parseQuantile, quantileText, Shape{Of: Text}),
		intOf("max", func(h *policy.Hedge) *int { return &h.Max }),
		percentOf("share_requests", func(h *policy.Hedge) *int { return &h.ShareRequests }),
		percentOf("share_extra", func(h *policy.Hedge) *int { return &h.ShareExtra }),
		filterOf("on", func(h *policy.Hedge) *policy.Filter { return &h.Filter }),
		boolOf("repeatable_only", func(h *policy.Hedge) *bool { return &h.RepeatableOnly }),
	}

	timeoutFields = []field[policy.TimeoutAfter]{
		unlisted(sameAs("limit", durationOf("", func(t *policy.TimeoutAfter) *time.Duration { return &t.Limit }))), // calls.b.timeout: 1s
		durationOf("limit", func(t *policy.TimeoutAfter) *time.Duration { return &t.Limit }),
		choiceOf("mode", func(t *policy.TimeoutAfter) *policy.DeadlineMode { return &t.Mode }, map[string]policy.DeadlineMode{
			"none": policy.Kept, "absolute": policy.Absolute, "remaining": policy.Remaining}),
	}

	balanceFields = []field[policy.Balance]{
		choiceOf("law", func(b *policy.Balance) *policy.BalanceLaw { return &b.Law }, balanceLaws),
		boolOf("failover", func(b *policy.Balance) *bool { return &b.Failover }),
		intOf("eject_after", func(b *policy.Balance) *int { return &b.EjectAfter }),
		durationOf("eject_for", func(b *policy.Balance) *time.Duration { return &b.EjectFor }),
		percentOf("max_ejected", func(b *policy.Balance) *int { return &b.MaxEjected }),
	}
)

var keys = map[string]policy.Key{"edge": policy.PerEdge, "host": policy.PerHost, "route": policy.PerRoute}

// budgetLaws are named by their owners.
var budgetLaws = map[string]policy.BudgetLaw{
	"finagle": policy.Deposit, "envoy": policy.Active, "aws": policy.Tokens, "grpc": policy.HalfFull, "google": policy.PerRequest,
}

var balanceLaws = map[string]policy.BalanceLaw{
	"round-robin": policy.RoundRobin, "random": policy.Random, "least": policy.LeastInFlight,
}

func parseFilter(v string) (policy.Filter, error) {
	return policy.ParseFilter(strings.Split(strings.Trim(v, "[]"), ",")...)
}

// filterText is empty where the filter is not given.
func filterText(f policy.Filter) string {
	if f == (policy.Filter{}) {
		return ""
	}
	return f.String()
}

// parsePercent reads "50%".
func parsePercent(v string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSuffix(v, "%"))
	if err != nil || n < 0 || n > 100 {
		return 0, fmt.Errorf("%q is no percentage from 0%% to 100%%", v)
	}
	return n, nil
}

func percentText(n int) string { return strconv.Itoa(n) + "%" }

// parseQuantile reads "p95" and "95%".
func parseQuantile(v string) (int, error) { return parsePercent(strings.TrimPrefix(v, "p")) }

func quantileText(n int) string { return "p" + strconv.Itoa(n) }

// parseShare reads "7.1%" into thousandths, and "none".
func parseShare(v string) (int, error) {
	if v == "none" {
		return policy.NoShare, nil
	}
	percent, is := strings.CutSuffix(v, "%")
	f, err := strconv.ParseFloat(percent, 64)
	if !is || err != nil || !(f > 0 && f <= 1000) {
		return 0, fmt.Errorf("%q is no share: write it like 20%% or 7.1%%, or none", v)
	}
	share := int(math.Round(10 * f))
	if share == 0 {
		return 0, fmt.Errorf("%q is less than 0.1%%: say none, or more", v)
	}
	return share, nil
}

func shareText(n int) string {
	switch n {
	case 0:
		return "" // its law's own, which has no other text
	case policy.NoShare:
		return "none"
	}
	return strconv.FormatFloat(float64(n)/10, 'f', -1, 64) + "%"
}

// parseFloor reads a number, or none, which 0 says as well: as a number it would
// stand for the default.
func parseFloor(v string) (int, error) {
	if v == "none" || v == "0" {
		return policy.NoFloor, nil
	}
	return parseInt(v)
}

func floorText(n int) string {
	if n == policy.NoFloor {
		return "none"
	}
	return numberText(n)
}

// numberText is empty for the 0 that stands for a default and cannot be said.
func numberText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// parsePermits refuses the 0 that would stand for the default: a half-open
// breaker without permits never closes again.
func parsePermits(v string) (int, error) {
	n, err := parseInt(v)
	if err == nil && n == 0 {
		return 0, fmt.Errorf("a half-open breaker with 0 permits never closes again: say 1 or more")
	}
	return n, err
}
