package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// fieldKind is what a number means, and so which conditions fit it.
type fieldKind int

const (
	countField   fieldKind = iota // whole numbers from 0 on
	numberField                   // any number
	timeField                     // milliseconds
	percentField                  // 0 to 100
	shareField                    // 0 to 1
	listField                     // counts, one per bin or wave
	wordField
	truthField
)

func (k fieldKind) String() string {
	return [...]string{"a count", "a number", "a time", "a percentage", "a share", "a list", "a word", "true or false"}[k]
}

// field is one number of a variant, as conditions see it.
type field struct {
	asked  string // as it was written
	name   string // the name of measure that reads it
	kind   fieldKind
	of     string        // the count that a percentage of it is taken of; empty: none
	plain  bool          // asked with _ms at its end, so that a number needs no unit
	words  []string      // all that a word can be; empty: anything
	binsOf string        // the layer that was asked for, of numbers that come from bins
	at     time.Duration // of the one bin that is asked for; -1: of all
}

// fields are the fields of one owner by name.
type fields map[string]field

func (m fields) add(kind fieldKind, of, names string) fields {
	for name := range strings.FieldsSeq(names) {
		m[name] = field{name: name, kind: kind, of: of, at: -1}
	}
	return m
}

// among reports whether a name is one of those in a line.
func among(names, name string) bool { return slices.Contains(strings.Fields(names), name) }

func (m fields) sorted() []string { return slices.Sorted(maps.Keys(m)) }

const (
	latencyNames = "p50_ms p95_ms p99_ms max_ms"
	outcomeNames = "ok failed timeout rejected cancelled degraded errors"
)

// variantFields belong to the run as a whole, or to its tail.
var variantFields = fields{}.
	add(countField, "", "requests hits attempts peak retry_peak peak_100ms").
	add(countField, "hits", "effects abandoned first_wave early_hits orphan_hits duplicate_hits failed_hits retry_hits").
	add(countField, "requests", outcomeNames).
	add(numberField, "", "amplification reading").
	add(timeField, "", "elapsed_ms recovered_ms "+latencyNames).
	add(percentField, "", "ok_percent error_percent").
	add(shareField, "", "ok_share").
	add(listField, "", "bins retry_bins goodput waves").
	add(wordField, "", "branches").
	add(truthField, "", "recovered")

// tailFields are those of the above that may be asked of the tail by its name;
// binFields, which come from bins, of whichever layer is binned.
const (
	tailFields = "hits effects abandoned early_hits orphan_hits duplicate_hits failed_hits retry_hits amplification reading"
	binFields  = "first_wave peak retry_peak peak_100ms bins retry_bins waves"
)

var layerFields = fields{}.
	add(countField, "", "requests attempts wasted_rests late expired timed_out").
	add(numberField, "", "amplification").
	add(timeField, "", "largest_rest_ms")

var routeFields = fields{}.
	add(countField, "", "hits").
	add(countField, "requests", "done "+outcomeNames).
	add(countField, "", "requests").
	add(numberField, "", "rps").
	add(timeField, "", "mean_ms "+latencyNames)

var queueFields = fields{}.
	add(countField, "", "limit in_use waiting leaked admitted").
	add(countField, "admitted", "rejected timed_out left queued").
	add(timeField, "", "mean_queue_ms longest_wait_ms")

// signalFields are what a layer is watched by.
var signalFields = map[string]fields{
	"breaker":  breakerFields(),
	"bulkhead": queueFields, "pool": queueFields, "queue": queueFields,
	"adaptive": fields{}.add(countField, "", "limit lowest highest swings admitted rejected").add(numberField, "", "span"),
	"budget": fields{}.add(countField, "", "requests").add(countField, "requests", "retries suppressed").
		add(countField, "retries", "by_floor by_share"),
	"hedge":    fields{}.add(countField, "", "requests").add(countField, "requests", "hedged copies wins suppressed"),
	"balance":  fields{}.add(countField, "", "ejections most_ejected spared"),
	"fallback": fields{}.add(countField, "", "degraded missing").add(timeField, "", "oldest_ms mean_age_ms"),
	"time":     fields{}.add(timeField, "", "total_ms own_ms").add(shareField, "", "share budget"),
	"bound":    fields{}.add(timeField, "", "exact_ms article_ms"),
}

func breakerFields() fields {
	f := fields{}.
		add(countField, "recorded", "successes failures timeouts").
		add(countField, "", "recorded cancelled ignored stale rejected would_reject probes opened").
		add(percentField, "", "failure_percent").add(timeField, "", "opened_ms").add(wordField, "", "status")
	status := f["status"]
	status.words = []string{"closed", "open", "half-open", "stuck half-open", "forced open", "forced closed"}
	f["status"] = status
	return f
}

// shortNames are other names of fields, for people.
var shortNames = map[string]string{
	"orphans": "orphan_hits", "duplicates": "duplicate_hits", "recovered_at": "recovered_ms",
	"hit_kinds.orphan": "orphan_hits", "hit_kinds.duplicate": "duplicate_hits", "hit_kinds.retry": "retry_hits",
	"opened_at": "opened_ms",
}

// named finds a field by its name, by a short name, or by the name without the
// unit: p99 is p99_ms.
func (m fields) named(name string) (field, bool) {
	asked := name
	if long, ok := shortNames[name]; ok {
		name = long
	}
	f, ok := m[name]
	if !ok {
		f, ok = m[name+"_ms"]
	}
	f.asked, f.plain = asked, strings.HasSuffix(asked, "_ms")
	return f, ok
}

// CheckField says what is wrong with the name of a field, before anything runs.
// Layers are the services, client first and tail last; routes are the names of
// the routes, where herds ask for different things. Whether a layer has the
// breaker or the budget that is asked for shows only in the result.
func CheckField(layers []string, name string, routes ...string) error {
	_, err := findField(layers, routes, name)
	return err
}

// findField knows what a name means in a lab of these layers and routes.
func findField(layers, routes []string, name string) (field, error) {
	if base, instant, ok := strings.Cut(name, "@"); ok {
		return findBin(layers, routes, name, base, instant)
	}
	whole := strings.TrimPrefix(name, "outcomes.")
	if f, ok := variantFields.named(whole); ok && (whole == name || among(outcomeNames, whole)) {
		f.asked = name
		return f, nil
	}
	for _, owner := range slices.Concat(layers, routes, []string{"tail"}) {
		rest, ok := strings.CutPrefix(name, owner+".")
		if !ok || owner == "" || len(layers) == 0 {
			continue
		}
		f, ok := ownField(layers, routes, owner, rest)
		f.asked = name
		if ok {
			return f, nil
		}
		return field{}, noField(layers, routes, name, owner, rest)
	}
	return field{}, unknownField(layers, routes, name)
}

// ownField is a field of a layer, of the tail, or of a route.
func ownField(layers, routes []string, owner, rest string) (field, bool) {
	i := slices.Index(layers, owner)
	if i < 0 && slices.Contains(routes, owner) {
		f, ok := routeFields.named(rest)
		return f.within(owner), ok
	}
	if i < 0 {
		i = len(layers) - 1 // the tail by its role
	}
	f, ok := variantFields.named(rest)
	switch {
	case ok && among(binFields, f.name):
		f.binsOf = layers[i]
		return f, true
	case ok && i == len(layers)-1 && among(tailFields, f.name),
		ok && i == 0 && among(latencyNames, f.name):
		return f, true
	}
	if f, ok = layerFields.named(rest); ok {
		return f.within(layers[i]), true
	}
	if n, is := strings.CutPrefix(rest, "replica_rps_"); is && startsWithDigit(n) && !strings.ContainsAny(n, ". ") {
		return field{name: rest, kind: numberField, at: -1}.within(layers[i]), true
	}
	kind, rest, _ := strings.Cut(rest, ".")
	f, ok = signalFields[kind].named(rest)
	return f.within(layers[i] + "." + kind), ok
}

// within puts the owner in front of the names that measure reads.
func (f field) within(owner string) field {
	f.name = owner + "." + f.name
	if f.of != "" {
		f.of = owner + "." + f.of
	}
	return f
}

// findBin is one bin, by an instant that lies in it: goodput@900s.
func findBin(layers, routes []string, name, base, instant string) (field, error) {
	f, err := findField(layers, routes, base)
	if err != nil {
		return field{}, err
	}
	if f.kind != listField || f.name == "waves" {
		return field{}, fmt.Errorf("%s is not in bins: @ goes with bins, retry_bins and goodput, as in tail.bins@2s", quoted(base))
	}
	at, err := time.ParseDuration(instant)
	if err != nil || at < 0 || !startsWithDigit(instant) {
		return field{}, fmt.Errorf("%s is no instant: write a time after the release, as in %s@2s", quoted(instant), label(base))
	}
	f.asked, f.kind, f.at = name, countField, at
	return f, nil
}
