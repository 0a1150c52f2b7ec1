package tail

import (
	"fmt"
	"net"

	"labctl/audit"
	"labctl/faultserver"
	"labctl/faultserver/program"
)

// keep is how many hits of a trial are listed. Subjects that make more are past every
// limit, and cost no more memory.
const keep = 1 << 16

// A served tail reads requests.
type served struct {
	server *faultserver.Server
}

func openServed(p Plan, faults program.Program, clock clock) (source, string, error) {
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
	s := &served{faultserver.Serve(faultserver.Config{
		Program: faults,
		Clock:   clock.now,
		Headers: keptHeaders,
		Keep:    keep,
	}, listeners...)}
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
			Status:   statusOf(a),
			Body:     a.Body,
			Complete: a.Complete,
			Key:      a.Headers[keyAt],
			Range:    a.Headers[rangeAt],
			Attempt:  attemptIn(a.Headers),
		})
	}
	return hits
}

// statusOf is that of an answer that went out whole: a 200 that breaks off is no success.
func statusOf(a faultserver.Arrival) int {
	if !a.Kind.Answers() || a.CutShort || a.End < 0 {
		return 0
	}
	return a.Status
}

func (s *served) Connections() int {
	return s.server.Connections()
}

func (s *served) Uncounted() string {
	if n := s.server.Dropped(); n > 0 {
		return fmt.Sprintf("%d more requests came than the %d that are listed", n, keep)
	}
	return ""
}

func (s *served) Close() error { return s.server.Close() }
