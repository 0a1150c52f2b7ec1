package program

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	ppmPerPercent   = 10_000
	percentDecimals = 4
)

// sizeUnits runs from the largest down; binary units only, since a body of 64 kB
// is one byte count to some readers and another to the rest.
var sizeUnits = [...]struct {
	name  string
	bytes int64
}{{"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// ParseChance reads a percentage digit by digit: a float would turn 0.07 % into a
// neighbour of 700 parts per million.
func ParseChance(text string) (Chance, error) {
	digits, percent := strings.CutSuffix(text, "%")
	whole, decimals, _ := strings.Cut(digits, ".")
	if percent && len(decimals) <= percentDecimals {
		padded := decimals + strings.Repeat("0", percentDecimals-len(decimals))
		ppm, err := strconv.ParseUint(whole+padded, 10, 32)
		if err == nil && whole != "" && ppm > 0 && ppm <= uint64(certain) {
			return Chance(ppm), nil
		}
	}
	return 0, fmt.Errorf("chance %s is not a percentage above 0 and up to 100 with at most %d decimals; write for example 503:30%%", quote(text), percentDecimals)
}

func parseWindow(text string) (Window, error) {
	from, to, found := strings.Cut(text, "..")
	w, err := Window{}, error(nil)
	if found {
		if w.From, err = time.ParseDuration(from); err == nil {
			w.To, err = time.ParseDuration(to)
		}
	}
	switch {
	case !found || err != nil:
		return w, fmt.Errorf("window %s is not from..to in durations; write for example @0s..2s", quote(text))
	case w.From < 0:
		return w, fmt.Errorf("window %s starts before the release; start it at 0s or later", quote(text))
	case w.To <= w.From:
		return w, fmt.Errorf("window %s is empty; its end must come after its start", quote(text))
	}
	return w, nil
}

// parseSeconds takes whole seconds and no unit, as the Retry-After header does, that
// a Duration holds. Zero is none of them: an Action without Retry-After has to look
// different.
func parseSeconds(text string) (time.Duration, error) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n < 1 || n > uint64(MaxRetryAfter/time.Second) {
		return 0, fmt.Errorf("date-retry-after %s is not a number of whole seconds from 1 to %d; write for example date-retry-after=2", quote(text), MaxRetryAfter/time.Second)
	}
	return time.Duration(n) * time.Second, nil
}

func parseSize(text string) (int64, error) {
	number, scale := text, int64(1)
	for _, unit := range sizeUnits {
		if head, found := strings.CutSuffix(text, unit.name); found {
			number, scale = head, unit.bytes
			break
		}
	}
	n, err := strconv.ParseUint(number, 10, 63)
	if err != nil || n > uint64(MaxBody/scale) {
		return 0, fmt.Errorf("body %s is not a size from 0B to %s in B, KiB or MiB; write for example body=64KiB", quote(text), size(MaxBody))
	}
	return int64(n) * scale, nil
}
