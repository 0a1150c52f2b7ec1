package main

import (
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// openRetryableHTTP has three retries with waits of 100 to 400 ms and all other defaults.
func openRetryableHTTP() exchange { return retryableHTTP(false) }

// openClosingRetryableHTTP says Connection: close in each request, so that nothing is left
// for net/http to repeat a request on.
func openClosingRetryableHTTP() exchange { return retryableHTTP(true) }

func retryableHTTP(closes bool) exchange {
	client := retryablehttp.NewClient()
	client.RetryMax = 3
	client.RetryWaitMin, client.RetryWaitMax = 100*time.Millisecond, 400*time.Millisecond
	client.HTTPClient.Timeout = timeout
	client.Logger = nil
	return func(c call) error {
		var body any // nil for no body, which a nil reader in it would not be
		if c.body != "" {
			body = []byte(c.body)
		}
		r, err := retryablehttp.NewRequest(c.method, c.url, body)
		if err != nil {
			return err
		}
		c.header(r.Header)
		r.Close = closes
		return finish(client.Do(r))
	}
}
