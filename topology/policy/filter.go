package policy

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Filter is a set of outcomes that a retry tries again. Its zero value stands
// for [DefaultFilter], so that a policy which says nothing retries what is
// worth retrying.
type Filter struct {
	statuses [10]uint64 // bit n: status n, up to 639
	kinds    uint16     // bit k: Kind k
	given    bool       // not the zero value
}

// DefaultFilter is what may go away by itself: 408, 425, 429, 502, 503, 504,
// a timeout, a refused and a reset connection. All other 4xx answers, and 501,
// stay what they are however often one asks; 500 is left out since nothing says
// that it is temporary (RFC 9110, sections 15.5 and 15.6).
func DefaultFilter() Filter {
	return mustFilter("408", "425", "429", "502", "503", "504", "timeout", "refused", "reset")
}

// ParseFilter reads the words of a filter: status codes ("503"), classes
// ("5xx"), and timeout, refused, reset, malformed, rejected.
func ParseFilter(words ...string) (Filter, error) {
	var f Filter
	for _, w := range words {
		if err := f.add(strings.ToLower(strings.TrimSpace(w))); err != nil {
			return Filter{}, err
		}
	}
	if !f.given {
		return f, fmt.Errorf("no outcome to retry on: name some, such as 503 or timeout, or set attempts to 1")
	}
	return f, nil
}

func mustFilter(words ...string) Filter {
	f, err := ParseFilter(words...)
	if err != nil {
		panic(err)
	}
	return f
}

func (f *Filter) add(word string) error {
	f.given = true
	if n, err := strconv.Atoi(word); err == nil && n >= 400 && n <= 599 {
		f.addStatus(n)
		return nil
	}
	if len(word) == 3 && word[1:] == "xx" && (word[0] == '4' || word[0] == '5') {
		first := int(word[0]-'0') * 100
		for n := first; n < first+100; n++ {
			f.addStatus(n)
		}
		return nil
	}
	for _, k := range []Kind{Timeout, Refused, Reset, Malformed, Rejected} {
		if word == kindNames[k] {
			f.kinds |= 1 << k
			return nil
		}
	}
	return fmt.Errorf("cannot retry on %q: name a status from 400 to 599, 4xx, 5xx, timeout, refused, reset, malformed or rejected", word)
}

func (f *Filter) addStatus(n int) { f.statuses[n/64] |= 1 << (n % 64) }

var defaultFilter = DefaultFilter()

func (f *Filter) orDefault() *Filter {
	if !f.given {
		return &defaultFilter
	}
	return f
}

// Has reports whether an attempt that ended so is worth another.
func (f *Filter) Has(o Outcome) bool {
	f = f.orDefault()
	if o.Kind != Answered {
		return f.kinds&(1<<o.Kind) != 0
	}
	if o.Status < 0 || int(o.Status) >= 64*len(f.statuses) {
		return false
	}
	return f.statuses[o.Status/64]&(1<<(o.Status%64)) != 0
}

// Words lists the filter in the form that ParseFilter reads, a whole class of statuses
// as one word.
func (f Filter) Words() []string {
	in := f.orDefault()
	var words []string
	for i, set := range in.statuses {
		for ; set != 0; set &= set - 1 {
			words = append(words, strconv.Itoa(i*64+bits.TrailingZeros64(set)))
		}
	}
	for _, class := range []string{"4", "5"} {
		of := func(w string) bool { return strings.HasPrefix(w, class) }
		if first := slices.IndexFunc(words, of); first >= 0 && first+100 <= len(words) && of(words[first+99]) {
			words = slices.Replace(words, first, first+100, class+"xx")
		}
	}
	for k := range kinds {
		if in.kinds&(1<<k) != 0 {
			words = append(words, kindNames[k])
		}
	}
	return slices.Clip(words)
}

// String joins the words with commas.
func (f Filter) String() string { return strings.Join(f.Words(), ",") }
