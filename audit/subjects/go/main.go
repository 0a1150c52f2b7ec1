// Subjects makes one HTTP call with the retries of a Go library, so that an audit has
// something real to measure. It is a module of its own: what it imports is no
// dependency of labctl.
//
//	subjects CLIENT METHOD BODY KEY WARM-URL URL
//	subjects CLIENT version
//
// KEY is sent as Idempotency-Key unless it is empty. A warm-up, unless WARM-URL is empty,
// goes through the same client first, answer read, so that the call meets a connection
// that was good once. The exit status is 1 when the call failed in the end, by an error
// or by a status from 400 on.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// A client is one library, configured. open is called once, so that warm-up and call
// share what the library shares between calls.
type client struct {
	open   func() exchange
	module string // whose version is the client's; "" for the Go release
}

// An exchange makes one call, with all retries that its library adds.
type exchange func(c call) error

var clients = map[string]client{
	"net/http":            {openNetHTTP, ""},
	"retryablehttp":       {openRetryableHTTP, "github.com/hashicorp/go-retryablehttp"},
	"retryablehttp-close": {openClosingRetryableHTTP, "github.com/hashicorp/go-retryablehttp"},
	"backoff":             {openBackoff, "github.com/cenkalti/backoff/v4"},
	"retry-go":            {openRetryGo, "github.com/avast/retry-go/v5"},
	"failsafe":            {openFailsafe, "github.com/failsafe-go/failsafe-go"},
	"dynamodb":            {openDynamoDB, "github.com/aws/aws-sdk-go-v2/service/dynamodb"},
	"rewind":              {openRewind, ""},
	"no-rewind":           {openNoRewind, ""},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "subjects:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return usage()
	}
	chosen, ok := clients[args[0]]
	switch {
	case !ok:
		return usage()
	case len(args) == 2 && args[1] == "version":
		fmt.Println(version(chosen.module))
		return nil
	case len(args) != 6:
		return usage()
	}
	c := call{method: args[1], body: args[2], key: args[3]}
	exchange := chosen.open()
	for _, c.url = range args[4:] {
		if c.url == "" {
			continue
		}
		if err := exchange(c); err != nil {
			return err
		}
	}
	return nil
}

func usage() error {
	names := strings.Join(slices.Sorted(maps.Keys(clients)), ", ")
	return fmt.Errorf("usage: subjects CLIENT METHOD BODY KEY WARM-URL URL, or subjects CLIENT version; clients are %s", names)
}
