package main

import "net/http"

// openNetHTTP is the standard client with a timeout and nothing else. What it repeats,
// its transport repeats.
func openNetHTTP() exchange {
	client := &http.Client{Timeout: timeout}
	return func(c call) error { return once(client, c) }
}

// once sends a request made for it.
func once(client *http.Client, c call) error {
	r, err := c.request()
	if err != nil {
		return err
	}
	return finish(client.Do(r))
}
