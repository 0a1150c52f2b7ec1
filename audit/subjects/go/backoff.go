package main

import (
	"fmt"
	"net/http"

	"github.com/cenkalti/backoff/v4"
)

// openBackoff has three retries, with the library's exponential backoff, on errors, 429
// and 5xx: the library knows no HTTP, so that somebody has to say so.
func openBackoff() exchange {
	client := &http.Client{Timeout: timeout}
	return func(c call) error {
		attempt := func() error {
			retry, err := judge(client, c)
			if err != nil && !retry {
				return backoff.Permanent(err)
			}
			return err
		}
		return backoff.Retry(attempt, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 3))
	}
}

// judge makes one attempt and says whether its error is worth another one.
func judge(client *http.Client, c call) (retry bool, err error) {
	r, err := c.request()
	if err != nil {
		return false, err
	}
	res, err := client.Do(r)
	if err != nil {
		return true, err
	}
	err = finish(res, nil)
	if status := res.StatusCode; status >= 400 {
		return status == http.StatusTooManyRequests || status >= 500, fmt.Errorf("status %d", status)
	}
	return true, err
}
