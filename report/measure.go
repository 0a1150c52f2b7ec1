package report

import (
	"strconv"
	"strings"
	"time"
)

// Measure reads a field of a variant by the name that figures use: a count or a
// time is a number, bins are a list. Beyond the names of the JSON there are
//
//	recovered              whether most requests were answered well again
//	retry_bins             without the empty bins on either side, as articles print them
//	reading                layers that retry three times each, see [ThreePowers]
//	orphan_hits            hits nobody waited for; duplicate_hits likewise
//	p50_ms p95_ms p99_ms max_ms  latency
//	ok failed timeout rejected cancelled degraded  outcomes, as counts
//	attempts               calls made by all layers together
//	error_percent          requests without a good answer, in percent
//	ok_percent, ok_share   requests with a good answer
//	branches               which ways out of a stack of policies were taken, in words
//	failed_hits            hits without an effect: those that met a fault
//	retry_hits             hits that are not the first attempt of every layer above
//	LAYER.attempts, LAYER.requests, LAYER.amplification  one layer
//	LAYER.breaker.rejected, LAYER.pool.waiting, LAYER.time.share …  its signals
//	LAYER.largest_rest_ms  the longest rest that its settings can give
//	ROUTE.rps, ROUTE.p50_ms, ROUTE.ok …  the requests of one route
//	tail.X                 X of the tail, whatever its name: tail.peak, tail.requests
//	bins@2s                what the bin that holds this instant holds
//	orphans duplicates outcomes.ok recovered_at  orphan_hits, duplicate_hits, ok, recovered_ms
//
// A time may be asked for without its unit, p99 or elapsed, and is in milliseconds
// all the same. Latencies are of whole requests: client.p99 is p99.
func Measure(v Variant, field string) (any, bool) {
	if m, ok := measure(v, field); ok {
		return m, true
	}
	f, err := findField(layerNames(v), routeNames(v), field)
	if err != nil || f.binsOf != "" && f.checkBinned(v) != nil {
		return nil, false
	}
	if f.at >= 0 {
		s, err := f.bin(v)
		if err != nil {
			return nil, false
		}
		return int64(s.numbers[0]), true
	}
	return measure(v, f.name)
}

// measure reads a field by its full name.
func measure(v Variant, field string) (any, bool) {
	if n, ok := measureCount(v, field); ok {
		return n, true
	}
	if f, ok := measureNumber(v, field); ok {
		return f, true
	}
	if ns, ok := measureList(v, field); ok {
		return ns, true
	}
	switch field {
	case "branches":
		return ways(v), true
	case "recovered":
		return v.RecoveredMS >= 0, true
	}
	if name, of, ok := cutLast(field, "."); ok {
		return measurePart(v, name, of)
	}
	return nil, false
}

// measurePart reads a field of a layer, of a signal of a layer, or of a route.
func measurePart(v Variant, name, field string) (any, bool) {
	if n, ok := measureLayer(v, name, field); ok {
		return n, true
	}
	for _, r := range v.Routes {
		if r.Name == name {
			return measureRoute(r, field)
		}
	}
	layer, kind, _ := cutLast(name, ".")
	for _, l := range v.Layers {
		if l.Name == layer {
			return layerSignal(l, kind, field)
		}
	}
	return nil, false
}

func measureCount(v Variant, field string) (int64, bool) {
	switch field {
	case "requests":
		return v.Requests, true
	case "hits":
		return v.Hits, true
	case "effects":
		return v.Effects, true
	case "attempts":
		return allAttempts(v), true
	case "abandoned":
		return v.Abandoned, true
	case "first_wave":
		return v.FirstWave, true
	case "peak":
		return v.Peak, true
	case "retry_peak":
		return v.RetryPeak, true
	case "peak_100ms":
		return v.Peak100MS, true
	case "orphan_hits":
		return v.HitKinds.Orphan, true
	case "duplicate_hits":
		return v.HitKinds.Duplicate, true
	case "retry_hits":
		return v.HitKinds.Retry, true
	case "failed_hits":
		return v.Hits - v.Effects, true
	case "errors":
		return v.Outcomes.errors(), true
	case "early_hits":
		return v.EarlyHits, true
	case "reading":
		return ThreePowers(v.Hits), true
	}
	return outcome(v.Outcomes, field)
}

func measureNumber(v Variant, field string) (float64, bool) {
	switch field {
	case "amplification":
		return v.Amplification, true
	case "elapsed_ms":
		return v.ElapsedMS, true
	case "p50_ms":
		return v.LatencyMS.P50, true
	case "p95_ms":
		return v.LatencyMS.P95, true
	case "p99_ms":
		return v.LatencyMS.P99, true
	case "max_ms":
		return v.LatencyMS.Max, true
	case "ok_percent":
		return percent(v.Outcomes.OK, v.Requests), true
	case "ok_share":
		return percent(v.Outcomes.OK, v.Requests) / 100, true
	case "error_percent":
		return percent(v.Outcomes.errors(), v.Requests), true
	case "recovered_ms":
		return v.RecoveredMS, true
	}
	return 0, false
}

func measureList(v Variant, field string) ([]int64, bool) {
	switch field {
	case "bins":
		return trimRight(v.Bins), true
	case "retry_bins":
		return trimLeft(trimRight(v.RetryBins)), true
	case "goodput":
		return v.Goodput, true
	case "waves":
		return trimRight(v.Waves), true
	}
	return nil, false
}

func measureLayer(v Variant, name, of string) (any, bool) {
	for _, l := range v.Layers {
		if l.Name != name {
			continue
		}
		switch of {
		case "attempts":
			return l.Attempts, true
		case "requests":
			return l.Requests, true
		case "amplification":
			return l.Amplification, true
		case "wasted_rests":
			return l.WastedRests, true
		case "late":
			return l.Late, true
		case "expired":
			return l.Expired, true
		case "timed_out":
			return l.TimedOut, true
		case "largest_rest_ms":
			return largestRest(l)
		}
		if n, is := strings.CutPrefix(of, "replica_rps_"); is {
			i, err := strconv.Atoi(n)
			if err == nil && i < len(l.Replicas) && v.LoadMS > 0 {
				return 1000 * float64(l.Replicas[i]) / v.LoadMS, true
			}
		}
	}
	return nil, false
}

// largestRest is absent where a layer never rests.
func largestRest(l Layer) (any, bool) {
	if l.Policy == nil {
		return nil, false
	}
	d, err := time.ParseDuration(l.Policy.LargestRest)
	return Milliseconds(d), err == nil
}

func outcome(o Outcomes, name string) (int64, bool) {
	for _, e := range o.list() {
		if e.name == name {
			return e.n, true
		}
	}
	return 0, false
}

type namedCount struct {
	name string
	n    int64
}

func (o Outcomes) list() []namedCount {
	return []namedCount{
		{"ok", o.OK}, {"failed", o.Failed}, {"timeout", o.Timeout},
		{"rejected", o.Rejected}, {"cancelled", o.Cancelled}, {"degraded", o.Degraded},
	}
}

func allAttempts(v Variant) int64 {
	var sum int64
	for _, l := range v.Layers {
		sum += l.Attempts
	}
	return sum
}

// ThreePowers reads a counter the way the article does: 1 hit is no layer that
// retries, 3 one, 9 two, 27 three. Any other count is -1: it is no power of
// three, and the layers are not all set to three attempts.
func ThreePowers(hits int64) int64 {
	n := int64(0)
	for ; hits > 1 && hits%3 == 0; hits /= 3 {
		n++
	}
	if hits != 1 {
		return -1
	}
	return n
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
