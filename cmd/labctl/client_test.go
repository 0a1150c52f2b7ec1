package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// clientMain is a program to be audited: it makes attempts with a fixed rest on answers
// from 500 and on none, and exits with 1 if none was good.
func clientMain() {
	attempts := flag.Int("attempts", 3, "")
	rest := flag.Duration("rest", 0, "")
	flag.Parse()
	client := &http.Client{Timeout: 2 * time.Second}
	for n := 1; ; n++ {
		answer, err := client.Get(flag.Arg(0))
		if err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if answer.StatusCode < 500 {
				os.Exit(0)
			}
			err = fmt.Errorf("status %d", answer.StatusCode)
		}
		if n == *attempts {
			fmt.Fprintln(os.Stderr, "client:", err)
			os.Exit(1)
		}
		time.Sleep(*rest)
	}
}
