package program

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// RetryAfterHeader returns the Retry-After of an answer that goes out at the instant
// now, which only a date depends on, and "" where there is none. Dates have whole
// seconds and are rounded up: never earlier than the program asks.
func (a Action) RetryAfterHeader(now time.Time) string {
	const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT" // RFC 9110, section 5.6.7
	switch {
	case a.RawRetryAfter != "":
		return a.RawRetryAfter
	case a.RetryAfter <= 0:
		return ""
	case a.RetryAfterDate:
		return now.Add(a.RetryAfter).Add(time.Second - time.Nanosecond).UTC().Format(httpDate)
	}
	return strconv.FormatInt(int64(a.RetryAfter/time.Second), 10)
}

// retryAfter takes digits, as the header does. Those that fit are a time; 0, which as
// a time would be no header, and what is too long for a Duration are kept as text:
// what clients make of them is worth a test (hashicorp/go-retryablehttp#297).
func (a *Action) retryAfter(text string) error {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return fmt.Errorf("retry-after %s is not a number of whole seconds; write for example retry-after=2, or raw-retry-after=soon for text", quote(text))
	}
	text = strings.TrimLeft(text[:len(text)-1], "0") + text[len(text)-1:]
	if seconds, err := parseSeconds(text); err == nil {
		a.RetryAfter = seconds
		return nil
	}
	a.RawRetryAfter = text
	return nil
}

// rawRetryAfter takes any text that can stand in a program and in a header. Digits as
// retry-after writes them are left to it, so that one header has one text.
func (a *Action) rawRetryAfter(text string) error {
	if !visible(text) {
		return fmt.Errorf("raw-retry-after %s is not visible ASCII without spaces; write for example raw-retry-after=soon", quote(text))
	}
	if plainDigits(text) {
		return a.retryAfter(text)
	}
	a.RawRetryAfter = text
	return nil
}

// visible reports whether text can stand in a header as it is.
func visible(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// plainDigits reports whether text is a number without zeros in front.
func plainDigits(text string) bool {
	return strings.Trim(text, "0123456789") == "" && (text == "0" || text[0] != '0')
}

// retryAfterText returns the option as it stands in a program, or "".
func (a Action) retryAfterText() string {
	switch {
	case a.RawRetryAfter != "" && plainDigits(a.RawRetryAfter):
		return "+retry-after=" + a.RawRetryAfter
	case a.RawRetryAfter != "":
		return "+raw-retry-after=" + a.RawRetryAfter
	case a.RetryAfter <= 0:
		return ""
	case a.RetryAfterDate:
		return fmt.Sprintf("+date-retry-after=%d", a.RetryAfter/time.Second)
	}
	return fmt.Sprintf("+retry-after=%d", a.RetryAfter/time.Second)
}
