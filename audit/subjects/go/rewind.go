package main

import (
	"errors"
	"fmt"
	"net/http"
)

// attempts of the two clients below.
const attempts = 4

// openRewind is a hand-written loop that does it right: each attempt has a request and
// a body of its own.
func openRewind() exchange {
	client := &http.Client{Timeout: timeout}
	return func(c call) error {
		var err error
		for range attempts {
			var retry bool
			if retry, err = judge(client, c); err == nil || !retry {
				return err
			}
		}
		return err
	}
}

// openNoRewind is the same loop with a bug that many have: it sends one request again and
// again, whose body was read to its end by the first attempt. On a reused connection
// the transport notices and rewinds, which hides it. An error ends the loop.
func openNoRewind() exchange {
	client := &http.Client{Timeout: timeout}
	return func(c call) error {
		r, err := c.request()
		if err != nil {
			return err
		}
		for range attempts {
			res, err := client.Do(r)
			if err != nil {
				return fmt.Errorf("not retried: %w", err)
			}
			if status := res.StatusCode; status < 500 && status != http.StatusTooManyRequests {
				return finish(res, nil)
			}
			finish(res, nil)
		}
		return errors.New("out of attempts")
	}
}
