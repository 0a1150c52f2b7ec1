package tail

import (
	"net/http"
	"slices"

	"labctl/faultserver"
)

// attemptHeaders are those in which clients and proxies number their attempts.
var attemptHeaders = []string{
	faultserver.AttemptHeader,
	"X-Envoy-Attempt-Count",      // Envoy, from 1
	"Amz-Sdk-Request",            // AWS SDKs: attempt=2; max=3
	"X-Stainless-Retry-Count",    // SDKs that Stainless generates: retries, from 0
	"Grpc-Previous-Rpc-Attempts", // gRPC: earlier attempts, none on the first
}

// AttemptHeaders lists the headers in which a tail looks for the number of an attempt.
func AttemptHeaders() []string { return slices.Clone(attemptHeaders) }

// Where other headers are among those that are kept; those of attempts come behind.
const (
	keyAt = iota
	rangeAt
	attemptsAt
)

// keptHeaders are the names of headers whose values hits have, in canonical form.
func keptHeaders(extra []string) []string {
	names := []string{keyAt: faultserver.KeyHeader, rangeAt: "Range"}
	for _, name := range extra {
		names = append(names, http.CanonicalHeaderKey(name))
	}
	return append(names, attemptHeaders...)
}

// attemptIn is the first number of an attempt among the values that were kept.
func attemptIn(values []string) string {
	for _, value := range values[attemptsAt:] {
		if value != "" {
			return value
		}
	}
	return ""
}
