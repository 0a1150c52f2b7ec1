package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"labctl/topology/node"
)

// readyCommand is for health checks of containers in which there is no other program
// that could ask.
func readyCommand() *cobra.Command {
	var wait time.Duration
	c := &cobra.Command{
		Use:   "ready URL",
		Short: "Say by the exit code whether a node is ready",
		Long: `Ask a node whether it is ready, once: exit code 0 says that it is, 1 that it is
not. It is the health check of a container that holds labctl and nothing else.`,
		Example: `  labctl ready http://127.0.0.1:8080`,
		GroupID: groupHosts,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("say which node: labctl ready http://127.0.0.1:8080")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			host, err := node.HostOf(args[0])
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(c.Context(), wait)
			defer cancel()
			return askReady(ctx, host)
		},
	}
	c.Flags().DurationVar(&wait, "wait", 2*time.Second, "wait so long for the answer, a `time`")
	return c
}

func askReady(ctx context.Context, host string) error {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/-/ready", nil)
	if err != nil {
		return err
	}
	direct := &http.Transport{Proxy: nil} // a proxy in the environment is not for neighbours
	defer direct.CloseIdleConnections()
	a, err := direct.RoundTrip(q)
	if err != nil {
		return failed("it cannot be asked: %w", err)
	}
	a.Body.Close()
	if a.StatusCode != http.StatusOK {
		return failed("it is not ready: it answers %s", a.Status)
	}
	return nil
}
