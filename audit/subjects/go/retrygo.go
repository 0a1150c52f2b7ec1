package main

import (
	"net/http"

	"github.com/avast/retry-go/v5"
)

// openRetryGo has four attempts and all other defaults, on errors, 429 and 5xx.
func openRetryGo() exchange {
	client := &http.Client{Timeout: timeout}
	return func(c call) error {
		return retry.New(retry.Attempts(4), retry.LastErrorOnly(true)).Do(func() error {
			again, err := judge(client, c)
			if err != nil && !again {
				return retry.Unrecoverable(err)
			}
			return err
		})
	}
}
