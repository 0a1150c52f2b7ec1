package tail

import (
	"slices"
	"strconv"

	"labctl/faultserver"
)

// Where other headers are among those that are kept; those of attempts come behind.
const (
	keyAt = iota
	rangeAt
)

// keptHeaders are the headers whose values hits have, in canonical form.
var keptHeaders = func() []string {
	names := []string{keyAt: faultserver.KeyHeader, rangeAt: "Range"}
	for _, n := range faultserver.AttemptHeaders() {
		names = append(names, n.Header)
	}
	return names
}()

// attemptIn is the number that an attempt gives itself, from 1, by the values that were
// kept, or "".
func attemptIn(values []string) string {
	n, _, ok := faultserver.AttemptNumber(func(header string) string {
		return values[slices.Index(keptHeaders, header)]
	})
	if !ok {
		return ""
	}
	return strconv.Itoa(n)
}
