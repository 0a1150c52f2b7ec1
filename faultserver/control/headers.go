package control

import (
	"slices"

	"labctl/faultserver"
)

// A header is one that tells attempts of a request, or replays of them, apart.
type header struct {
	name   string // in canonical form
	source string // who sends it
}

// headers are kept with each arrival, as far as there is room: see maxHeaderText.
var headers = slices.Concat(
	[]header{{faultserver.KeyHeader, "draft-ietf-httpapi-idempotency-key-header: the same in all attempts of one operation"}},
	attemptHeaders(),
	[]header{
		{"Amz-Sdk-Invocation-Id", "AWS SDKs: the same in all attempts of one operation"},
		{"X-Goog-Gcs-Idempotency-Token", "Google Cloud Storage clients: the same in all attempts of one operation"},
		{"Range", "RFC 9110: a client that resumes a body in place of repeating the request"},
		{"If-Range", "RFC 9110: likewise"},
		{"Content-Length", "RFC 9110: the body that was announced, to hold against the bytes that came"},
		{"Expect", "RFC 9110: 100-continue, which sends head and body apart"},
	},
)

func attemptHeaders() []header {
	var all []header
	for _, n := range faultserver.AttemptHeaders() {
		all = append(all, header{n.Header, n.Source})
	}
	return all
}

func headerNames() []string {
	var names []string
	for _, h := range headers {
		names = append(names, h.name)
	}
	return names
}
