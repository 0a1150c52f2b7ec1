package policy

import (
	"math"
	"strings"
	"time"
)

// RetryAfterRule is what a Retry-After in an answer does to a rest.
type RetryAfterRule uint8

// The rules.
const (
	Obey   RetryAfterRule = iota // a rest is at least as long as the server asks for
	Ignore                       // as many clients do
)

// least is the shortest rest that an answer allows.
func (r RetryAfterRule) least(o Outcome) time.Duration {
	if r == Ignore {
		return 0
	}
	return o.After
}

// Longest is the longest wait there is: one of 292 years, which stands for any
// that is longer.
const Longest = time.Duration(math.MaxInt64)

// ParseRetryAfter reads the header of RFC 9110, section 10.2.3: seconds in
// digits, or an HTTP date, which is compared with now. A date that has passed
// asks for nothing. What does not fit saturates at [Longest]: a number that wraps
// into the past would turn "leave me alone" into "at once"
// (hashicorp/go-retryablehttp#297). Anything else is not ok, and the normal rest
// applies: never 0, and never the cap.
func ParseRetryAfter(header string, now time.Time) (wait time.Duration, ok bool) {
	header = strings.Trim(header, " \t")
	if n, is := digits(header); is {
		if n > uint64(Longest/time.Second) {
			return Longest, true
		}
		return time.Duration(n) * time.Second, true
	}
	if date, is := httpDate(header, now); is {
		return max(date.Sub(now), 0), true // Sub saturates
	}
	return 0, false
}

// The three forms of a date in RFC 9110, section 5.6.7. GMT is spelled out, and
// no other zone is read: what its letters mean depends on where a machine stands.
const (
	fixDate = "Mon, 02 Jan 2006 15:04:05 GMT"
	rfc850  = "Monday, 02-Jan-06 15:04:05 GMT"
)

func httpDate(s string, now time.Time) (date time.Time, ok bool) {
	for _, layout := range [...]string{fixDate, time.ANSIC} {
		if date, err := time.Parse(layout, s); err == nil {
			return date, true
		}
	}
	date, err := time.Parse(rfc850, s)
	return century(date, now), err == nil
}

// century gives a year of two digits its century: the last one in which the date
// is no more than 50 years ahead (RFC 9110, section 5.6.7).
func century(date, now time.Time) time.Time {
	latest := now.AddDate(50, 0, 0)
	year := latest.Year() - (latest.Year()-date.Year()%100)%100
	in := date.AddDate(year-date.Year(), 0, 0)
	if in.After(latest) {
		in = date.AddDate(year-100-date.Year(), 0, 0)
	}
	return in
}

// digits reads a number, saturating; a sign or a fraction is none.
func digits(s string) (n uint64, ok bool) {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		if n = n*10 + uint64(c-'0'); n > math.MaxInt64/100 {
			n = math.MaxInt64 / 100 // still far over the limit, and never wraps
		}
	}
	return n, s != ""
}
