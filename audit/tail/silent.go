package tail

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"

	"labctl/audit"
)

// A silent tail answers no request; what it counts are SYNs.
type silent struct {
	places []place
	clock  clock

	mu   sync.Mutex
	ears *ears // nil: nobody listens for SYNs
	why  string
	book synBook
}

// A place is an address that is kept from others.
type place struct {
	addr  netip.AddrPort
	close func() error
}

// openSilent occupies the places in the given way, and then listens for SYNs to them.
func openSilent(addrs []string, occupy func(netip.AddrPort) (place, error), clock clock) (source, string, error) {
	s := &silent{clock: clock}
	for _, text := range places(addrs) {
		p, err := occupyAt(text, occupy)
		if err != nil {
			s.Close()
			return nil, "", cannotOpen(text, bare(err))
		}
		s.places = append(s.places, p)
	}
	s.listen()
	return s, urlOf(net.TCPAddrFromAddrPort(s.places[0].addr)), nil
}

func occupyAt(text string, occupy func(netip.AddrPort) (place, error)) (place, error) {
	addr, err := net.ResolveTCPAddr("tcp", text)
	if err != nil {
		return place{}, err
	}
	ip := addr.AddrPort().Addr().Unmap()
	if !ip.IsValid() { // ":8080"
		ip = netip.IPv4Unspecified()
	}
	return occupy(netip.AddrPortFrom(ip, uint16(addr.Port)))
}

// listen is for the places over IPv4.
func (s *silent) listen() {
	var to []netip.AddrPort
	for _, p := range s.places {
		if !p.addr.Addr().Is4() {
			s.why = "attempts over IPv6 that get no answer are not counted"
			continue
		}
		if !p.addr.Addr().IsLoopback() {
			s.why = "attempts from other machines or containers that get no answer are not counted"
		}
		to = append(to, p.addr)
	}
	if len(to) == 0 {
		return
	}
	ears, err := newEars(to)
	if err != nil {
		s.why = "attempts that get no answer are not counted: " + err.Error()
		return
	}
	s.ears, s.book = ears, newSynBook(to)
}

// Hits are the SYNs so far.
func (s *silent) Hits() []audit.Hit {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hear()
	return s.book.hits(s.clock.start)
}

// hear takes what the kernel has kept. It is done when somebody asks and at the end,
// which needs no goroutine that waits for packets. The caller holds mu.
func (s *silent) hear() {
	if s.ears != nil {
		s.ears.each(s.book.note)
	}
}

func (s *silent) Connections() int { return 0 }

func (s *silent) Uncounted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hear()
	if missed := s.missed(); missed && s.why == "" {
		return "more connections were attempted than could be counted"
	}
	return s.why
}

func (s *silent) missed() bool {
	return s.book.full || s.ears != nil && s.ears.missed()
}

func (s *silent) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hear()
	var errs []error
	if s.ears != nil {
		errs = append(errs, s.ears.close())
	}
	for _, p := range s.places {
		errs = append(errs, p.close())
	}
	s.places = nil
	return errors.Join(errs...)
}

// bare leaves out the names of calls that a user never made.
func bare(err error) error {
	var call *net.OpError
	if errors.As(err, &call) {
		err = call.Err
	}
	var system *os.SyscallError
	if errors.As(err, &system) {
		err = system.Err
	}
	return err
}
