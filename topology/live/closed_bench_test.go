package live_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/policy"
)

const (
	closedClients = 50
	closedPool    = 20
	closedFor     = 2 * time.Second
)

// BenchmarkClosedLoop compares the throughput of the lab, 50 clients in a closed
// loop over a pool of 20, with that of a bare client and server of net/http with
// as many goroutines and connections. The two run in turn; the ratio is the
// median over all pairs.
func BenchmarkClosedLoop(b *testing.B) {
	var ours, bare, ratios []float64
	for b.Loop() {
		x, y := labThroughput(b), bareThroughput(b)
		ours, bare, ratios = append(ours, x), append(bare, y), append(ratios, x/y)
	}
	b.ReportMetric(median(ratios), "labctl/bare")
	if len(ratios) >= 5 && median(ratios) < 0.8 {
		b.Errorf("the lab answers fewer requests than 0.8 of a bare client and server: %.2f", median(ratios))
	}
	b.ReportMetric(median(ours), "labctl-rps")
	b.ReportMetric(median(bare), "bare-rps")
}

func labThroughput(b *testing.B) float64 {
	services := topology.Chain(1)
	services[0].Calls[0].Policies = []topology.Policy{{Pool: &policy.Bulkhead{Limit: closedPool}}}
	services[1].Fault = "ok"
	v, _, err := live.Run(context.Background(), topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: closedClients}, For: closedFor},
		Services: services,
		Run:      topology.Run{Bin: 50 * time.Millisecond},
	}, live.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if v.Outcomes.OK != v.Requests {
		b.Fatalf("%d of %d requests: %+v", v.Outcomes.OK, v.Requests, v.Outcomes)
	}
	return float64(v.Requests) / closedFor.Seconds()
}

// bareThroughput is the loop without a lab around it.
func bareThroughput(b *testing.B) float64 {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	go server.Serve(listener)
	defer server.Close()
	transport := &http.Transport{MaxConnsPerHost: closedPool, MaxIdleConnsPerHost: closedPool, DisableCompression: true}
	defer transport.CloseIdleConnections()

	var requests atomic.Int64
	var clients sync.WaitGroup
	end := time.Now().Add(closedFor)
	for range closedClients {
		clients.Go(func() {
			for time.Now().Before(end) {
				request, err := http.NewRequest(http.MethodGet, "http://"+listener.Addr().String(), nil)
				if err != nil {
					panic(err)
				}
				request.Header["Labctl-Path"] = []string{"17.12345/client>a#1"}
				request.Header["User-Agent"] = []string{""}
				response, err := transport.RoundTrip(request)
				if err != nil {
					panic(err)
				}
				io.Copy(io.Discard, response.Body)
				response.Body.Close()
				requests.Add(1)
			}
		})
	}
	clients.Wait()
	return float64(requests.Load()) / closedFor.Seconds()
}
