package report

import "strings"

// layerSignal reads what a layer is watched by: breaker.rejected, pool.waiting,
// time.share and so on, under the names of the JSON.
func layerSignal(l Layer, kind, field string) (any, bool) {
	switch {
	case kind == "breaker" && l.Breaker != nil:
		return breakerSignal(*l.Breaker, field)
	case kind == "bulkhead" && l.Bulkhead != nil:
		return bulkheadSignal(*l.Bulkhead, field)
	case kind == "pool" && l.Pool != nil:
		return bulkheadSignal(*l.Pool, field)
	case kind == "queue" && l.Queue != nil:
		return bulkheadSignal(*l.Queue, field)
	case kind == "adaptive" && l.Adaptive != nil:
		return adaptiveSignal(*l.Adaptive, field)
	case kind == "budget" && l.Budget != nil:
		b := *l.Budget
		return pick(field, map[string]int64{"requests": b.Requests, "retries": b.Retries, "by_floor": b.ByFloor, "by_share": b.Retries - b.ByFloor, "suppressed": b.Suppressed})
	case kind == "hedge" && l.Hedge != nil:
		h := *l.Hedge
		return pick(field, map[string]int64{"requests": h.Requests, "hedged": h.Hedged, "copies": h.Copies, "wins": h.Wins, "suppressed": h.Suppressed})
	case kind == "balance" && l.Balance != nil:
		b := *l.Balance
		return pick(field, map[string]int64{"ejections": b.Ejections, "most_ejected": int64(b.MostEjected), "spared": b.Spared})
	case kind == "fallback" && l.Fallback != nil:
		return fallbackSignal(*l.Fallback, field)
	case kind == "time" && l.Time != nil:
		return timeSignal(*l.Time, field)
	case kind == "bound" && l.Bound != nil:
		return boundSignal(*l.Bound, field)
	}
	return nil, false
}

func breakerSignal(b Breaker, field string) (any, bool) {
	switch field {
	case "status":
		return b.Status, true
	case "failure_percent":
		return percent(b.Failures, b.Successes+b.Failures), true
	case "opened_ms":
		return b.OpenedMS, b.Opened > 0
	case "recorded":
		return b.Successes + b.Failures, true
	}
	return pick(field, map[string]int64{
		"successes": b.Successes, "failures": b.Failures, "timeouts": b.Timeouts, "cancelled": b.Cancelled,
		"ignored": b.Ignored, "stale": b.Stale, "rejected": b.Rejected, "would_reject": b.WouldReject,
		"probes": b.Probes, "opened": b.Opened,
	})
}

func bulkheadSignal(b Bulkhead, field string) (any, bool) {
	switch field {
	case "mean_queue_ms":
		return b.MeanQueueMS, true
	case "longest_wait_ms":
		return b.LongestWaitMS, true
	}
	return pick(field, map[string]int64{
		"limit": int64(b.Limit), "in_use": int64(b.InUse), "waiting": int64(b.Waiting), "leaked": int64(b.Leaked),
		"admitted": b.Admitted, "rejected": b.Rejected, "timed_out": b.TimedOut, "left": b.Left, "queued": b.Queued,
	})
}

func adaptiveSignal(a Adaptive, field string) (any, bool) {
	if field == "span" { // how far the limit swings
		return float64(a.Highest) / float64(max(a.Lowest, 1)), true
	}
	return pick(field, map[string]int64{
		"limit": int64(a.Limit), "lowest": int64(a.Lowest), "highest": int64(a.Highest),
		"swings": a.Swings, "admitted": a.Admitted, "rejected": a.Rejected,
	})
}

func fallbackSignal(f Fallback, field string) (any, bool) {
	switch field {
	case "oldest_ms":
		return f.OldestMS, true
	case "mean_age_ms":
		return f.MeanAgeMS, true
	}
	return pick(field, map[string]int64{"degraded": f.Degraded, "missing": f.Missing})
}

func timeSignal(t TimeShare, field string) (any, bool) {
	switch field {
	case "total_ms":
		return t.TotalMS, true
	case "own_ms":
		return t.OwnMS, true
	case "share":
		return t.Share, true
	case "budget":
		return t.Budget, true
	}
	return nil, false
}

func boundSignal(b Bound, field string) (any, bool) {
	switch field {
	case "article_ms":
		return b.ArticleMS, true
	case "exact_ms":
		return b.ExactMS, true
	}
	return nil, false
}

func pick(name string, from map[string]int64) (any, bool) {
	n, ok := from[name]
	return n, ok
}

// percent is a share in percent; of nothing it is 0.
func percent(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// measureRoute reads what the requests of one route came to.
func measureRoute(r Route, field string) (any, bool) {
	if r.Done == 0 && strings.HasSuffix(field, "_ms") {
		return nil, false // nobody was answered, which is not the same as at once
	}
	switch field {
	case "rps":
		return r.RPS, true
	case "mean_ms":
		return r.MeanMS, true
	case "p50_ms":
		return r.LatencyMS.P50, true
	case "p95_ms":
		return r.LatencyMS.P95, true
	case "p99_ms":
		return r.LatencyMS.P99, true
	case "max_ms":
		return r.LatencyMS.Max, true
	case "requests":
		return r.Requests, true
	case "hits":
		return r.Hits, true
	case "done":
		return r.Done, true
	case "errors":
		return r.Outcomes.errors(), true
	}
	n, ok := outcome(r.Outcomes, field)
	return n, ok
}

// errors is the requests that got no good answer, not even a degraded one.
func (o Outcomes) errors() int64 { return o.Failed + o.Timeout + o.Rejected + o.Cancelled }

// Number is a field that is one number.
func Number(v Variant, field string) (float64, bool) {
	value, ok := Measure(v, field)
	if !ok {
		return 0, false
	}
	return toNumber(value)
}

// ways names the ways through a stack of policies that some request took.
func ways(v Variant) string {
	var late, expired, timedOut, degraded, rejected int64
	for _, l := range v.Layers {
		late, expired, timedOut = late+l.Late, expired+l.Expired, timedOut+l.TimedOut
		if l.Fallback != nil {
			degraded += l.Fallback.Degraded
		}
		if l.Bulkhead != nil {
			rejected += l.Bulkhead.Rejected + l.Bulkhead.TimedOut
		}
	}
	var names []string
	for _, b := range []namedCount{
		{"answered", v.Outcomes.OK}, {"retried", v.HitKinds.Retry}, {"degraded", degraded},
		{"rejected", rejected}, {"late", late}, {"expired", expired}, {"timed out", timedOut},
	} {
		if b.n > 0 {
			names = append(names, b.name)
		}
	}
	return strings.Join(names, ", ")
}
