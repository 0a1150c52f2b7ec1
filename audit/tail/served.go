package tail

import (
	"fmt"
	"net"
	"sync/atomic"

	"labctl/audit"
	"labctl/faultserver"
	"labctl/faultserver/program"
)

// keep is how many hits of a trial are listed. Subjects that make more are past every
// limit, and cost no more memory.
const keep = 1 << 16

// A served tail reads requests.
type served struct {
	server  *faultserver.Server
	headers []string     // whose values are in Arrival.Headers
	earlier atomic.Int64 // connections before the last reset
}

func openServed(p Plan, faults program.Program, clock *clock) (source, string, error) {
	var listeners []net.Listener
	for _, addr := range places(p.Addrs) {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			for _, l := range listeners {
				l.Close()
			}
			return nil, "", cannotOpen(addr, bare(err))
		}
		listeners = append(listeners, l)
	}
	s := &served{headers: keptHeaders(p.AttemptHeaders)}
	s.server = faultserver.Serve(faultserver.Config{
		Program: faults,
		Clock:   clock.now,
		Headers: s.headers,
		Keep:    keep,
	}, listeners...)
	return s, urlOf(listeners[0].Addr().(*net.TCPAddr)), nil
}

// Hits are the arrivals as an audit knows them.
func (s *served) Hits() []audit.Hit {
	var hits []audit.Hit
	for _, a := range s.server.Arrivals() {
		hits = append(hits, audit.Hit{
			At:       a.At,
			End:      max(a.End, a.At), // it has none while the tail is at it
			Conn:     a.Conn,
			Turn:     a.Turn,
			Method:   a.Method,
			Target:   a.Target,
			Body:     a.Body,
			Complete: a.Complete,
			Key:      a.Headers[keyAt],
			Range:    a.Headers[rangeAt],
			Attempt:  attemptIn(a.Headers),
		})
	}
	return hits
}

func (s *served) Connections() int {
	return s.server.Connections() - int(s.earlier.Load())
}

func (s *served) Uncounted() string {
	if n := s.server.Dropped(); n > 0 {
		return fmt.Sprintf("%d more requests came than the %d that are listed", n, keep)
	}
	return ""
}

func (s *served) Close() error { return s.server.Close() }

func (s *served) reset() {
	s.earlier.Store(int64(s.server.Connections()))
	s.server.Reset()
}
