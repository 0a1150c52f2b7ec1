package trace

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// TraceParent is the value of the W3C header traceparent that makes whatever receives
// it a child of a span. It says that the trace is recorded.
func TraceParent(t TraceID, parent SpanID) string {
	return "00-" + t.String() + "-" + parent.String() + "-01"
}

// ParseTraceParent reads a traceparent header. As the recommendation wants it, one of a
// later version is read as far as this version goes.
func ParseTraceParent(header string) (t TraceID, parent SpanID, sampled bool, err error) {
	const length = len("00-") + 32 + len("-") + 16 + len("-01")
	bad := fmt.Errorf("traceparent %q: it reads like 00-<32 hex digits>-<16 hex digits>-01", clip(header))
	if len(header) < length || header[2] != '-' || header[35] != '-' || header[52] != '-' || header != strings.ToLower(header) {
		return t, parent, false, bad
	}
	var version, flags [1]byte
	for _, part := range []struct {
		to   []byte
		text string
	}{{version[:], header[:2]}, {t[:], header[3:35]}, {parent[:], header[36:52]}, {flags[:], header[53:55]}} {
		if _, err := hex.Decode(part.to, []byte(part.text)); err != nil {
			return TraceID{}, SpanID{}, false, bad
		}
	}
	longer := len(header) > length
	if t == (TraceID{}) || parent == (SpanID{}) || version[0] == 0xff || longer && (version[0] == 0 || header[length] != '-') {
		return TraceID{}, SpanID{}, false, bad
	}
	return t, parent, flags[0]&1 == 1, nil
}
