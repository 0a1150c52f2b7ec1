package policy

import (
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"
)

// release is a now for the dates below: the day of RFC 9110's example.
var release = time.Date(1994, 11, 6, 8, 49, 7, 0, time.UTC)

// TestParseRetryAfter is case A04: whatever a server writes, a client neither
// waits a negative time nor takes what it cannot read for "at once".
func TestParseRetryAfter(t *testing.T) {
	const no = -1
	for _, row := range []struct {
		sentence, header string
		want             time.Duration
	}{
		{"seconds", "120", 2 * time.Minute},
		{"none", "0", 0},
		{"leading zeros count for nothing", "0000000000000000000000120", 2 * time.Minute},
		{"white space around it", " \t120 ", 2 * time.Minute},
		{"the longest that fits: 2562047h47m16s", "9223372036", 2562047*time.Hour + 47*time.Minute + 16*time.Second},
		{"one second more saturates (hashicorp/go-retryablehttp#297)", "9223372037", Longest},
		{"the largest int64", "9223372036854775807", Longest},
		{"one more", "9223372036854775808", Longest},
		{"the largest uint64", "18446744073709551615", Longest},
		{"one more would wrap to 0", "18446744073709551616", Longest},
		{"would wrap to 1", "18446744073709551617", Longest},
		{"20 nines", "99999999999999999999", Longest},
		{"1000 nines", strings.Repeat("9", 1000), Longest},

		{"a date", "Sun, 06 Nov 1994 08:49:37 GMT", 30 * time.Second},
		{"a date of RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", 30 * time.Second},
		{"a date of asctime", "Sun Nov  6 08:49:37 1994", 30 * time.Second},
		{"a date of asctime with two digits", "Sat Nov 12 08:49:07 1994", 6 * 24 * time.Hour},
		{"now", "Sun, 06 Nov 1994 08:49:07 GMT", 0},
		{"a second ago", "Sun, 06 Nov 1994 08:49:06 GMT", 0},
		{"long ago", "Mon, 01 Jan 0001 00:00:00 GMT", 0},
		{"a date in the year 9999 saturates", "Fri, 31 Dec 9999 23:59:59 GMT", Longest},
		{"so does one of asctime", "Fri Dec 31 23:59:59 9999", Longest},

		{"negative", "-1", no},
		{"minus zero", "-0", no},
		{"a fraction", "1.5", no},
		{"a sign", "+3", no},
		{"nothing", "", no},
		{"white space", " \t ", no},
		{"a word", "soon", no},
		{"a unit", "12 s", no},
		{"hexadecimal", "0x10", no},
		{"digits of full width", "１２", no},
		{"an exponent", "1e3", no},
		{"separators", "1_000", no},
		{"a list", "120, 120", no},
		{"a line end", "120\n", no},
		{"a date without a zone", "Sun, 06 Nov 1994 08:49:37", no},
		{"a date of another zone", "Sun, 06 Nov 1994 08:49:37 PST", no},
		{"the same by RFC 850", "Sunday, 06-Nov-94 08:49:37 PST", no},
		{"a distance to GMT", "Sunday, 06-Nov-94 08:49:37 GMT+8", no},
		{"RFC 3339", "1994-11-06T08:49:37Z", no},
		{"a day that does not exist", "Sun, 31 Nov 1994 08:49:37 GMT", no},
		{"a date and more", "Sun, 06 Nov 1994 08:49:37 GMT!", no},
	} {
		wait, ok := ParseRetryAfter(row.header, release)
		if !ok {
			equal(t, row.sentence+": wait", wait, 0)
			wait = no
		}
		equal(t, row.sentence, wait, row.want)
	}
}

// TestRetryAfterIsTheSameEverywhere: where the machine stands changes no date.
func TestRetryAfterIsTheSameEverywhere(t *testing.T) {
	defer func(l *time.Location) { time.Local = l }(time.Local)
	time.Local = time.FixedZone("GMT", 5*3600)
	for _, header := range []string{"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"} {
		wait, ok := ParseRetryAfter(header, release.In(time.Local))
		equal(t, header, ok, true)
		equal(t, header, wait, 30*time.Second)
	}
}

// TestTwoDigitYears: a date that appears to be more than 50 years ahead is the
// last one before (RFC 9110, section 5.6.7), at any time.
func TestTwoDigitYears(t *testing.T) {
	day := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
	for _, row := range []struct {
		sentence  string
		date      string
		now, want time.Time
	}{
		{"this year", "06-Nov-26", day(2026, 1, 1), day(2026, 11, 6)},
		{"49 years ahead", "06-Nov-75", day(2026, 1, 1), day(2075, 11, 6)},
		{"50 years ahead to the day", "01-Jan-76", day(2026, 1, 1), day(2076, 1, 1)},
		{"and a day more is 50 years ago", "02-Jan-76", day(2026, 1, 1), day(1976, 1, 2)},
		{"68 years ahead is 32 years ago", "06-Nov-94", day(2026, 1, 1), day(1994, 11, 6)},
		{"the next century is near", "01-Jan-00", day(2099, 12, 31), day(2100, 1, 1)},
		{"the last one, too", "31-Dec-99", day(2100, 1, 1), day(2099, 12, 31)},
		{"a leap day", "29-Feb-28", day(2026, 1, 1), day(2028, 2, 29)},
	} {
		got, ok := httpDate("Monday, "+row.date+" 00:00:00 GMT", row.now)
		equal(t, row.sentence, ok, true)
		equal(t, row.sentence, got, row.want)
	}
}

// FuzzParseRetryAfter: digits and dates are read and nothing else, no wait is
// negative, and what is too long stays too long.
func FuzzParseRetryAfter(f *testing.F) {
	for _, header := range []string{
		"120", "0", "9223372036", "9223372037", "9223372036854775807", "18446744073709551616", "99999999999999999999",
		"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Fri, 31 Dec 9999 23:59:59 GMT",
		"Sunday, 06-Nov-94 08:49:37 PST", "Sunday, 29-Feb-00 08:49:37 GMT",
		"-1", "1.5", "+3", "", "soon", "12 s", "0x10", "１２", "1e3", " 7 ",
	} {
		f.Add(header, int64(0))
		f.Add(header, int64(1_800_000_000))
	}
	f.Fuzz(func(t *testing.T, header string, unix int64) {
		now := time.Unix(unix%(1<<37), 0).UTC() // a few thousand years around 1970
		wait, ok := ParseRetryAfter(header, now)
		value := strings.Trim(header, " \t")
		isDigits := value != "" && strings.Trim(value, "0123456789") == ""
		_, err := http.ParseTime(value) // reads other zones than GMT, too
		isDate := err == nil && (strings.HasSuffix(value, " GMT") || !strings.Contains(value, ","))
		if ok != (isDigits || isDate) {
			t.Errorf("%q: ok is %v; digits: %v, date: %v", header, ok, isDigits, isDate)
		}
		if wait < 0 || !ok && wait != 0 {
			t.Errorf("%q: wait %v, ok is %v", header, wait, ok)
		}
		if isDigits {
			equal(t, header, wait, inSeconds(value))
		}
	})
}

// inSeconds is what a number of seconds is, worked out in another way.
func inSeconds(digits string) time.Duration {
	n, _ := new(big.Int).SetString(digits, 10)
	if n.Mul(n, big.NewInt(int64(time.Second))); n.IsInt64() {
		return time.Duration(n.Int64())
	}
	return Longest
}

// askingFor is a 503 that asks to be left alone for so long.
func askingFor(after time.Duration) Outcome {
	return Outcome{Kind: Answered, Status: 503, After: after}
}

// TestRetryAfterTimeline: a rest is the longer one of what the client means and
// what the server asks for.
func TestRetryAfterTimeline(t *testing.T) {
	const s = time.Second
	upTo2 := doubling
	upTo2.Cap = 2 * s
	stops := doubling
	stops.Cap, stops.AtCap = 2*s, Stop
	for _, row := range []struct {
		sentence     string
		retry        Retry
		tail         tail
		hits, answer string
	}{
		{"the server asks for more", Retry{Attempts: 3, Rest: doubling}, always(askingFor(5 * s)), "0 5 10", "503 at 10"},
		{"the server asks for less", Retry{Attempts: 4, Rest: doubling}, always(askingFor(1500 * time.Millisecond)), "0 1.5 3.5 7.5", "503 at 7.5"},
		{"each answer speaks for itself", Retry{Attempts: 4, Rest: doubling}, plan(unavailable, askingFor(9*s), unavailable), "0 1 10 14", "503 at 14"},
		{"it is not added to the rest", Retry{Attempts: 2, Rest: Rest{Base: 5 * s}}, always(askingFor(5 * s)), "0 5", "503 at 5"},
		{"no rest of its own", Retry{Attempts: 3}, plan(askingFor(2*s), unavailable), "0 2 2", "503 at 2"},
		{"a cap does not shorten it", Retry{Attempts: 4, Rest: upTo2}, plan(unavailable, unavailable, askingFor(60*s)), "0 1 3 63", "503 at 63"},
		{"nor does a cap after jitter", Retry{Attempts: 2, Rest: Rest{Base: s, Cap: s, Order: JitterThenCap, Jitter: Jitter{Law: Full}}}, always(askingFor(7 * s)), "0 7", "503 at 7"},
		{"it counts from the answer", Retry{Attempts: 2}, always(askingFor(2 * s)).taking(3 * s), "0 5", "503 at 8"},
		{"the last answer asks in vain", Retry{Attempts: 1}, always(askingFor(5 * s)), "0", "503 at 0"},
		{"a good answer asks in vain", Retry{Attempts: 3}, always(Outcome{Kind: Answered, Status: 200, After: 5 * s}), "0", "200 at 0"},
		{"429 asks as 503 does", Retry{Attempts: 2}, always(Outcome{Kind: Answered, Status: 429, After: 5 * s}), "0 5", "429 at 5"},
		{"a rest in vain is as long as asked for", Retry{Attempts: 9, Rest: stops}, plan(unavailable, askingFor(10*s)), "0 1", "503 at 11"},
		{"for ever is never", Retry{Attempts: 3, Rest: doubling}, always(askingFor(Longest)), "0", "unanswered"},
		{"for ever is never later on, too", Retry{Attempts: 3, Rest: doubling}, plan(unavailable, askingFor(Longest)), "0 1", "unanswered"},
		{"for ever without a rest", Retry{Attempts: Unlimited}, always(askingFor(Longest)).taking(s), "0", "unanswered"},
		{"ignored, the client's own rests", Retry{Attempts: 4, Rest: doubling, RetryAfter: Ignore}, always(askingFor(5 * s)), "0 1 3 7", "503 at 7"},
		{"ignored, for ever is nothing", Retry{Attempts: 3, RetryAfter: Ignore}, always(askingFor(Longest)), "0 0 0", "503 at 0"},
		{"MaxElapsed counts it", Retry{Attempts: 9, Rest: doubling, MaxElapsed: 9 * s}, always(askingFor(4 * s)), "0 4 8", "503 at 8"},
		{"MaxElapsed gives up on for ever", Retry{Attempts: 9, Rest: doubling, MaxElapsed: 9 * s}, always(askingFor(Longest)).taking(s), "0", "503 at 1"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			c := alone([]Policy{&row.retry}, row.tail, horizon)
			equal(t, "hits", c.hits(), row.hits)
			equal(t, "answer", c.result(), row.answer)
		})
	}
}

// TestForEverIsNever: the timer is at the end of time and not in the past.
func TestForEverIsNever(t *testing.T) {
	for _, now := range []Instant{0, 1, at(time.Hour), Never - 1} {
		e := NewEdge(1, []Policy{&Retry{Attempts: 2, Rest: doubling}}, true)
		_, list := e.Start(Request{}, now, nil)
		list = e.Done(list[0].Ref, askingFor(Longest), now, nil)
		equal(t, "actions", len(list), 1)
		equal(t, "wake", list[0].At, Never)
	}
}

// TestJitterIsInTheOwnRest: the client's rest is jittered and then compared; what
// the server asks for is not, so nobody comes too early.
func TestJitterIsInTheOwnRest(t *testing.T) {
	own := Retry{Attempts: 4, Rest: Rest{Base: 10 * time.Second, Jitter: Jitter{Law: Full}}}
	longer, shorter := 0, 0
	for seed := range uint64(200) {
		luck := RootLuck(seed, 0, 0)
		for n := 1; n <= 3; n++ {
			alone, _ := own.Judge(n, 0, unavailable, true, luck)
			asked, _ := own.Judge(n, 0, askingFor(5*time.Second), true, luck)
			equal(t, "rest", asked, max(alone, 5*time.Second))
			if alone > 5*time.Second {
				longer++
			} else {
				shorter++
			}
		}
	}
	equal(t, "both happen", longer > 200 && shorter > 200, true)
}

// TestWhatTheServerAsksIsPassedOn: a retry that gives up leaves it to the one
// around it, also after a rest in vain.
func TestWhatTheServerAsksIsPassedOn(t *testing.T) {
	stops := Retry{Attempts: 9, Rest: Rest{Base: time.Second, Backoff: Backoff{Growth: Linear}, Cap: time.Second, AtCap: Stop}, RetryAfter: Ignore}
	for _, row := range []struct {
		sentence, hits string
		inner          Retry
	}{
		{"all attempts used up", "0 0 7 7", Retry{Attempts: 2, RetryAfter: Ignore}},
		{"a rest in vain", "0 8", stops},
	} {
		c := alone([]Policy{&Retry{Attempts: 2}, &row.inner}, always(askingFor(7*time.Second)), horizon)
		equal(t, row.sentence, c.hits(), row.hits)
		equal(t, row.sentence, c.answers[0].After, 7*time.Second)
	}
}
