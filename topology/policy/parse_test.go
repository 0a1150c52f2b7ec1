package policy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parsed is how a text was read, or the error.
func parsed[T interface{ String() string }](v T, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return v.String()
}

func TestParseBackoff(t *testing.T) {
	const factors = ": choose a number from 1.001 to 1000 (fixed does not grow)"
	for text, want := range map[string]string{
		"fixed":                "fixed",
		"linear":               "linear",
		"exponential":          "exponential",
		"exponential:2":        "exponential",
		"exponential:1.5":      "exponential:1.5",
		"exponential:1.001":    "exponential:1.001",
		"exponential:1000":     "exponential:1000",
		"exponential:1.0014":   "exponential:1.001", // thousandths
		"exponential:1":        `error: backoff factor "1"` + factors,
		"exponential:0":        `error: backoff factor "0"` + factors,
		"exponential:-2":       `error: backoff factor "-2"` + factors,
		"exponential:1000.1":   `error: backoff factor "1000.1"` + factors,
		"exponential:nan":      `error: backoff factor "nan"` + factors,
		"exponential:inf":      `error: backoff factor "inf"` + factors,
		"exponential:":         `error: backoff factor ""` + factors,
		"exponential:two":      `error: backoff factor "two"` + factors,
		"fixed:2":              `error: backoff "fixed:2": only exponential takes a factor`,
		"linear:":              `error: backoff "linear:": only exponential takes a factor`,
		"":                     `error: unknown backoff "": choose fixed, linear, exponential or exponential:FACTOR`,
		"Fixed":                `error: unknown backoff "Fixed": choose fixed, linear, exponential or exponential:FACTOR`,
		"fibonacci":            `error: unknown backoff "fibonacci": choose fixed, linear, exponential or exponential:FACTOR`,
		"exponentially:\x00:2": `error: unknown backoff "exponentially:\x00:2": choose fixed, linear, exponential or exponential:FACTOR`,
	} {
		equal(t, text, parsed(ParseBackoff(text)), want)
	}
}

func TestParseJitter(t *testing.T) {
	const shares = ": the share must be from 0% to 100%, so that no rest is negative"
	const laws = ": choose none, full, equal, decorrelated, or a share such as 50%"
	for text, want := range map[string]string{
		"none":         "none",
		"full":         "full",
		"equal":        "equal",
		"decorrelated": "decorrelated",
		"50%":          "50%",
		"±50%":         "50%",
		"50 %":         "50%",
		"100%":         "100%",
		"0%":           "none",
		"-0%":          "none",
		"0.0001%":      "0.0001%",
		"0.00001%":     "none", // below a millionth
		"33.3333%":     "33.3333%",
		"100.1%":       `error: jitter "100.1%"` + shares,
		"-1%":          `error: jitter "-1%"` + shares,
		"nan%":         `error: jitter "nan%"` + shares,
		"%":            `error: jitter "%"` + shares,
		"0.5":          `error: unknown jitter "0.5"` + laws,
		"":             `error: unknown jitter ""` + laws,
		"FULL":         `error: unknown jitter "FULL"` + laws,
	} {
		equal(t, text, parsed(ParseJitter(text)), want)
	}
}

func TestParseFilter(t *testing.T) {
	const cure = ": name a status from 400 to 599, 4xx, 5xx, timeout, refused, reset, malformed or rejected"
	for text, want := range map[string]string{
		"503":               "503",
		"503 429":           "429,503",
		"503 503":           "503",
		"400 599":           "400,599",
		"Timeout REFUSED":   "timeout,refused",
		"malformed reset":   "reset,malformed",
		"timeout 500 reset": "500,timeout,reset",
		"":                  "error: no outcome to retry on: name some, such as 503 or timeout, or set attempts to 1",
		"399":               `error: cannot retry on "399"` + cure,
		"200":               `error: cannot retry on "200"` + cure,
		"600":               `error: cannot retry on "600"` + cure,
		"-503":              `error: cannot retry on "-503"` + cure,
		"3xx":               `error: cannot retry on "3xx"` + cure,
		"5xxx":              `error: cannot retry on "5xxx"` + cure,
		"cancelled":         `error: cannot retry on "cancelled"` + cure,
		"rejected":          "rejected",
		"status":            `error: cannot retry on "status"` + cure,
		"503 dns":           `error: cannot retry on "dns"` + cure,
		"503,429":           `error: cannot retry on "503,429"` + cure,
		"99999999999999999": `error: cannot retry on "99999999999999999"` + cure,
		"503 \u0665\u0660":  "error: cannot retry on \"\u0665\u0660\"" + cure,
	} {
		equal(t, text, parsed(ParseFilter(strings.Fields(text)...)), want)
	}
}

func TestFilterClasses(t *testing.T) {
	f, err := ParseFilter(" 5XX ")
	equal(t, "error", err, nil)
	for status := -1; status <= 1000; status++ {
		if f.Has(Status(status)) != (status >= 500 && status <= 599) {
			t.Errorf("5xx: status %d", status)
		}
	}
	equal(t, "words", f.String(), "5xx")
}

// TestZeroFilter: what is not said stands for the default, in all respects.
func TestZeroFilter(t *testing.T) {
	equal(t, "zero", Filter{}.String(), "408,425,429,502,503,504,timeout,refused,reset")
	equal(t, "default", DefaultFilter().String(), Filter{}.String())
	again, err := ParseFilter(Filter{}.Words()...)
	equal(t, "error", err, nil)
	equal(t, "again", again, DefaultFilter())
}

// TestRoundTrips: what String writes is read as the same.
func TestRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBackoff(t)
		again, err := ParseBackoff(b.String())
		if err != nil || again.Growth != b.Growth || (b.Growth == Exponential && again.factor() != b.factor()) {
			t.Fatalf("backoff %+v → %s → %+v, %v", b, b, again, err)
		}
		j := anyRest(t).Jitter
		if j.Law != Proportional {
			j.Share = 0
		} else if j.Share == 0 {
			j.Law = NoJitter
		}
		if again, err := ParseJitter(j.String()); err != nil || again != j {
			t.Fatalf("jitter %+v → %s → %+v, %v", j, j, again, err)
		}
		words := rapid.SliceOfN(rapid.SampledFrom(append(Filter{}.Words(), "4xx", "malformed", "500", "599")), 1, 9).Draw(t, "words")
		f, err := ParseFilter(words...)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseFilter(f.Words()...); err != nil || again != f {
			t.Fatalf("filter %v → %v, %v", words, again, err)
		}
	})
}

func FuzzParseSettings(f *testing.F) {
	for _, s := range []string{"fixed", "exponential:1.5", "±50%", "0.00004%", "full", "503", "5xx", "timeout", "é%", "exponential:1.0009"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if b, err := ParseBackoff(s); err == nil {
			again, err := ParseBackoff(b.String())
			equal(t, "backoff error", err, nil)
			equal(t, "backoff", again.String(), b.String())
			equal(t, "factor in range", b.Factor == 0 || (b.Factor >= minFactor && b.Factor <= maxFactor), true)
		}
		if j, err := ParseJitter(s); err == nil {
			again, err := ParseJitter(j.String())
			equal(t, "jitter error", err, nil)
			equal(t, "jitter", again, j)
			equal(t, "share in range", j.Share >= 0 && j.Share <= million, true)
		}
		if x, err := ParseFilter(strings.Split(s, ",")...); err == nil {
			again, err := ParseFilter(x.Words()...)
			equal(t, "filter error", err, nil)
			equal(t, "filter", again, x)
			equal(t, "no success is retried", x.Has(Status(200)) || x.Has(Failed(Cancelled)), false)
		}
	})
}
