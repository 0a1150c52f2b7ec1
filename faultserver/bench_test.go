package faultserver_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkTail measures what counting costs: the request rate of the tail as a share of that
// of a bare net/http handler with the same answer, over the same kind of connections. The two
// take turns in short slices and each pair gives one ratio, because on a shared machine the
// rate of either wanders further than the difference between them.
func BenchmarkTail(b *testing.B) {
	bare := newLoad(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	h := handler("503")
	tail := newLoad(b, h)
	bare.slice()
	tail.slice()

	var ratios, seconds []float64
	for b.Loop() {
		var t, r time.Duration
		if len(ratios)%2 == 0 { // whoever comes second has no lasting advantage
			r, t = bare.slice(), tail.slice()
		} else {
			t, r = tail.slice(), bare.slice()
		}
		ratios = append(ratios, r.Seconds()/t.Seconds())
		seconds = append(seconds, t.Seconds())
	}
	b.ReportMetric(median(ratios), "tail/bare")
	if len(ratios) >= 20 && median(ratios) < 0.95 {
		b.Errorf("counting costs more than 5 %% of the rate: %.3f", median(ratios))
	}
	b.ReportMetric(loadConns*loadRequests/median(seconds), "hits/s")
	if want := (len(ratios) + 1) * loadConns * loadRequests; h.Hits() != want {
		b.Errorf("%d hits, want %d", h.Hits(), want)
	}
}

const (
	loadConns    = 16
	loadRequests = 50 // per connection and slice
)

// A load is keep-alive connections to one server. It speaks just enough HTTP, so that the time
// goes to the server.
type load []*bufio.ReadWriter

func newLoad(b *testing.B, h http.Handler) load {
	server := httptest.NewServer(h)
	b.Cleanup(server.Close)
	l := make(load, loadConns)
	for i := range l {
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close() })
		l[i] = bufio.NewReadWriter(bufio.NewReader(conn), bufio.NewWriter(conn))
	}
	return l
}

// slice sends the requests of all connections and returns the time until the last answer.
func (l load) slice() time.Duration {
	start := time.Now()
	var group sync.WaitGroup
	for _, conn := range l {
		group.Go(func() {
			for range loadRequests {
				roundTrip(conn)
			}
		})
	}
	group.Wait()
	return time.Since(start)
}

// roundTrip reads up to the empty line that ends an answer without a body.
func roundTrip(conn *bufio.ReadWriter) {
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: tail\r\nLabctl-Path: c1.r1/0:1/1:1\r\n\r\n")
	conn.Flush()
	for {
		line, err := conn.ReadSlice('\n')
		if err != nil || len(line) == 2 {
			return
		}
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
