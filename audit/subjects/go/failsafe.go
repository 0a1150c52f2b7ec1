package main

import (
	"net/http"

	"github.com/failsafe-go/failsafe-go/failsafehttp"
)

// openFailsafe has the library's own policy for HTTP. The timeout is that of the client
// around it, and spans all attempts.
func openFailsafe() exchange {
	policy := failsafehttp.NewRetryPolicyBuilder().Build()
	client := &http.Client{Timeout: callTimeout, Transport: failsafehttp.NewRoundTripper(nil, policy)}
	return func(c call) error { return once(client, c) }
}
