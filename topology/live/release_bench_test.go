package live_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/live"
)

// BenchmarkRelease compares the spread of the lab's first wave with that of a
// bare barrier: as many goroutines on raw warm sockets, woken at once, each
// writing one request to a bare counting server. The two run in turn; the ratio
// is the median over all pairs.
func BenchmarkRelease(b *testing.B) {
	for _, clients := range []int{200, 1000, 4000} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			var ours, bare, ratios []float64
			for b.Loop() {
				x, y := labSpread(b, clients), bareSpread(b, clients)
				ours, bare, ratios = append(ours, x), append(bare, y), append(ratios, x/y)
			}
			b.ReportMetric(median(ratios), "labctl/bare")
			// From a thousand on the spread is clients × the cost of a request,
			// which no release can beat: the two come out alike.
			if len(ratios) >= 20 && clients <= 200 && median(ratios) > 1 {
				b.Errorf("the lab's release is less sharp than a bare barrier: %.2f", median(ratios))
			}
			b.ReportMetric(median(ours), "labctl-ms")
			b.ReportMetric(median(bare), "bare-ms")
			b.ReportMetric(slices.Max(ours), "labctl-max-ms")
		})
	}
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}

func labSpread(b *testing.B, clients int) float64 {
	v, _, err := live.Run(context.Background(), topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: clients}},
		Services: topology.Chain(1),
		Run:      topology.Run{Bin: 50 * time.Millisecond},
	}, live.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return v.SpreadMS.FirstWave
}

// bareSpread is the barrier without a lab around it.
func bareSpread(b *testing.B, clients int) float64 {
	var mu sync.Mutex
	arrivals := make([]time.Time, 0, 2*clients)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		at := time.Now()
		mu.Lock()
		arrivals = append(arrivals, at)
		mu.Unlock()
		w.WriteHeader(http.StatusServiceUnavailable)
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go server.Serve(listener)
	defer server.Close()

	request := []byte("GET / HTTP/1.1\r\nHost: bare\r\n\r\n")
	release := make(chan struct{})
	var ready, done sync.WaitGroup
	ready.Add(clients)
	for range clients {
		done.Go(func() {
			conn, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				panic(err)
			}
			defer conn.Close()
			r := bufio.NewReader(conn)
			exchange(conn, r, request) // warm
			ready.Done()
			<-release
			exchange(conn, r, request)
		})
	}
	ready.Wait()
	close(release)
	done.Wait()
	first, last := arrivals[clients], arrivals[clients]
	for _, at := range arrivals[clients:] {
		if at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	return float64(last.Sub(first)) / float64(time.Millisecond)
}

func exchange(conn net.Conn, r *bufio.Reader, request []byte) {
	if _, err := conn.Write(request); err != nil {
		panic(err)
	}
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		panic(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}
