package tail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"strings"
	"time"

	"labctl/audit"
)

// MeasureNoise measures n gaps of a client that does not rest: it is told 503 on a
// connection of its own, and at once asks again on another. Run it beside the trials,
// for it measures the machine as they find it.
func MeasureNoise(ctx context.Context, n int) (audit.Noise, error) {
	t, err := Open(Plan{Program: "503+close"})
	if err != nil {
		return audit.Noise{}, err
	}
	defer t.Close()
	for range n + 1 {
		if err := ask(ctx, t.URL()); err != nil {
			return audit.Noise{}, fmt.Errorf("cannot measure the noise of this machine: %w", bare(err))
		}
	}
	return noiseOf(audit.Trial{Hits: t.Hits()}.Gaps()), nil
}

// ask sends a request on a connection of its own and reads until that is closed.
func ask(ctx context.Context, url string) error {
	var d net.Dialer
	host := strings.Trim(strings.TrimPrefix(url, "http:"), "/")
	c, err := d.DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", host); err != nil {
		return errors.Join(context.Cause(ctx), err)
	}
	if _, err = io.Copy(io.Discard, c); err != nil {
		return errors.Join(context.Cause(ctx), err)
	}
	return nil
}

// noiseOf sums gaps up: the quantiles are nearest-rank.
func noiseOf(gaps []time.Duration) audit.Noise {
	if len(gaps) == 0 {
		return audit.Noise{}
	}
	sorted := slices.Sorted(slices.Values(gaps))
	rank := func(p float64) time.Duration {
		return sorted[max(int(math.Ceil(p*float64(len(sorted))))-1, 0)]
	}
	return audit.Noise{Median: rank(0.5), P99: rank(0.99), Samples: len(sorted)}
}
