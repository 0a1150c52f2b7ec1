package program

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Rate is how many requests a throttle admits: N in each Per, and Burst at once
// after a time without any.
type Rate struct {
	N     int
	Per   time.Duration // a second or a minute
	Burst int           // 0: one second's worth, at least 1
}

// burst is the size of the bucket in requests.
func (r Rate) burst() int64 {
	if r.Burst > 0 {
		return int64(r.Burst)
	}
	return max(int64(r.N)*int64(time.Second)/int64(r.Per), 1)
}

// String returns the rate as it stands in a program, without its burst.
func (r Rate) String() string {
	unit := "/s"
	if r.Per == time.Minute {
		unit = "/m"
	}
	return strconv.Itoa(r.N) + unit
}

// parseRate reads 10/s or 90/m.
func parseRate(text string) (r Rate, err error) {
	number, unit, _ := strings.Cut(text, "/")
	r.Per = map[string]time.Duration{"s": time.Second, "m": time.Minute}[unit]
	n, err := strconv.ParseUint(number, 10, 31)
	if err != nil || n < 1 || n > MaxRate || r.Per == 0 {
		return r, fmt.Errorf("throttle %s is not a rate from 1 to %d per second (/s) or minute (/m); write for example throttle=10/s", quote(text), MaxRate)
	}
	r.N = int(n)
	return r, nil
}

func parseBurst(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n < 1 || n > MaxRate {
		return 0, fmt.Errorf("burst %s is not a number from 1 to %d; write for example burst=5", quote(text), MaxRate)
	}
	return int(n), nil
}

// A bucket holds the tokens of a throttle. It counts in 1/N of a nanosecond: one
// passes for every N of them, and a token is worth Per. That keeps every rate exact
// in integers; the limits keep a full bucket below 2⁵⁶.
type bucket struct {
	rate   Rate
	level  int64
	last   time.Duration // instant of level
	filled bool          // it was asked before
}

// take takes a token at an instant, or returns how long the next one will be: whole
// seconds, rounded up, as Retry-After has them. An instant before the last one counts
// as that: live requests may pass a lock the other way round than they came.
func (b *bucket) take(at time.Duration) (wait time.Duration) {
	n, token := int64(b.rate.N), int64(b.rate.Per)
	full := b.rate.burst() * token
	switch since := at - b.last; {
	case !b.filled:
		b.filled, b.level, b.last = true, full, at
	case since > 0:
		b.last = at
		if int64(since) > (full-b.level)/n {
			b.level = full
		} else {
			b.level += int64(since) * n
		}
	}
	if b.level >= token {
		b.level -= token
		return 0
	}
	missing := (token - b.level + n - 1) / n // nanoseconds
	seconds := (missing + int64(time.Second) - 1) / int64(time.Second)
	return time.Duration(seconds) * time.Second
}
