package faultserver_test

import (
	"net/http"
	"strconv"
	"testing"

	"labctl/faultserver"
)

func TestAttemptNumber(t *testing.T) {
	for _, tt := range []struct {
		header, value string
		want          int // 0: none
	}{
		{"X-Envoy-Attempt-Count", "1", 1},
		{"X-Envoy-Attempt-Count", "3", 3},
		{"X-Envoy-Attempt-Count", "0", 0},
		{"Labctl-Attempt", "2", 2},
		{"Amz-Sdk-Request", "attempt=1; max=3", 1},
		{"Amz-Sdk-Request", "ttl=20260101T000000Z; attempt=2;max=3", 2},
		{"Amz-Sdk-Request", "max=3", 0},
		{"Amz-Sdk-Request", "2", 0},
		{"X-Stainless-Retry-Count", "0", 1},
		{"X-Stainless-Retry-Count", "2", 3},
		{"Grpc-Previous-Rpc-Attempts", "1", 2},
		{"Grpc-Previous-Rpc-Attempts", "-1", 0},
		{"Grpc-Previous-Rpc-Attempts", "2147483648", 0},
		{"X-Envoy-Attempt-Count", "99999999999999999999", 0},
		{"X-Envoy-Attempt-Count", " 2 ", 2},
		{"X-Envoy-Attempt-Count", "two", 0},
		{"X-Retry", "2", 0},
	} {
		h := http.Header{}
		h.Set(tt.header, tt.value)
		n, name, ok := faultserver.AttemptNumber(h.Get)
		if n != tt.want && ok || ok != (tt.want > 0) || ok && name != tt.header {
			t.Errorf("%s: %s: got %d by %q, %v, want %d", tt.header, tt.value, n, name, ok, tt.want)
		}
	}
}

// Of two layers that number their attempts the same one shows in all hits.
func TestAttemptNumberOfTwoLayers(t *testing.T) {
	for i := range 4 {
		h := http.Header{"X-Envoy-Attempt-Count": {strconv.Itoa(i%2 + 1)}}
		if i > 1 {
			h.Set(faultserver.AttemptHeader, "2") // absent on the first attempt
		}
		if n, name, _ := faultserver.AttemptNumber(h.Get); n != i%2+1 {
			t.Errorf("hit %d: %d by %s", i+1, n, name)
		}
	}
}

func TestAttemptHeaders(t *testing.T) {
	for _, n := range faultserver.AttemptHeaders() {
		if http.CanonicalHeaderKey(n.Header) != n.Header || n.Source == "" {
			t.Errorf("%q is not canonical, or has no source", n.Header)
		}
	}
}
