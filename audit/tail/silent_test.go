package tail_test

import (
	"net"
	"sync"
	"testing"
	"time"

	"labctl/audit/tail"
)

func TestRefused(t *testing.T) {
	tl := open(t, tail.Plan{Program: "refuse"})
	refused(t, tl.URL(), 3)
	canCount(t, tl)
	wantSYNs(t, tl, 3)
	if err := tl.Close(); err != nil { // hits can be read afterwards
		t.Error(err)
	}
	wantSYNs(t, tl, 3)
}

// wantSYNs wants so many hits, each of a connection of its own, in the order of time and
// within that of the trial.
func wantSYNs(t *testing.T, tl *tail.Tail, n int) {
	t.Helper()
	hits, ports := tl.Hits(), map[int]bool{}
	if len(hits) != n || tl.Connections() != 0 || tl.Uncounted() != "" {
		t.Fatalf("got %d hits, %d connections, %q; want %d hits", len(hits), tl.Connections(), tl.Uncounted(), n)
	}
	over := time.Since(tl.Began())
	for i, h := range hits {
		ports[h.Conn] = true
		if h.At <= 0 || h.At > over || h.End != h.At || i > 0 && h.At < hits[i-1].At || h.Turn != 1 || h.Method != "" {
			t.Errorf("hit %d of %v: %+v", i+1, over, h)
		}
	}
	if len(ports) != n {
		t.Errorf("got %d source ports of %d connections", len(ports), n)
	}
}

// The instants are those of the attempts and not those of the question.
func TestInstantsOfSYNs(t *testing.T) {
	tl := open(t, tail.Plan{Program: "refuse"})
	canCount(t, tl)
	refused(t, tl.URL(), 1)
	between := time.Since(tl.Began())
	refused(t, tl.URL(), 1)
	hits := tl.Hits()
	if len(hits) != 2 || hits[0].At >= between || hits[1].At <= between {
		t.Errorf("got %+v, want one before %v and one behind", hits, between)
	}
}

func TestRefusedOnSeveralPorts(t *testing.T) {
	a, b := open(t, tail.Plan{Program: "refuse"}), open(t, tail.Plan{Program: "refuse"})
	addrs := []string{host(a.URL()), host(b.URL())}
	a.Close()
	b.Close()
	tl, neighbour := open(t, tail.Plan{Program: "refuse", Addrs: addrs}), open(t, tail.Plan{Program: "refuse"})
	canCount(t, tl)
	for _, addr := range addrs {
		refused(t, addr, 2)
	}
	refused(t, neighbour.URL(), 5)
	wantSYNs(t, tl, 4)
	wantSYNs(t, neighbour, 5)
}

// A fixed port changes its fault from trial to trial, with connections of the last one
// that linger.
func TestFixedPortChangesItsFault(t *testing.T) {
	tl := open(t, tail.Plan{Program: "503"})
	addr := host(tl.URL())
	for range 3 {
		c := dial(t, addr)
		c.ask("GET", "", "Connection: close")
		tl.Close()
		tl = open(t, tail.Plan{Program: "refuse", Addrs: []string{addr}})
		refused(t, addr, 1)
		tl.Close()
		tl = open(t, tail.Plan{Program: "503", Addrs: []string{addr}})
	}
}

// Nobody else is given a port that refuses.
func TestPortIsKept(t *testing.T) {
	tl := open(t, tail.Plan{Program: "refuse"})
	if l, err := net.Listen("tcp4", host(tl.URL())); err == nil {
		l.Close()
		t.Skip("this system lets others have the port")
	}
	tl.Close()
	l, err := net.Listen("tcp4", host(tl.URL()))
	if err != nil {
		t.Fatal("the port is still kept:", err)
	}
	l.Close()
}

func TestSilentSideBySide(t *testing.T) {
	var all sync.WaitGroup
	for i := range 32 {
		tl := open(t, tail.Plan{Program: "refuse"})
		canCount(t, tl)
		all.Go(func() {
			refused(t, tl.URL(), i)
			wantSYNs(t, tl, i)
		})
	}
	all.Wait()
}

// What a count leaves out is said.
func TestUncountedPlaces(t *testing.T) {
	for _, tt := range []struct{ addr, want string }{
		{"[::1]:0", "attempts over IPv6 that get no answer are not counted"},
		{":0", "attempts from other machines or containers that get no answer are not counted"},
	} {
		canCount(t, open(t, tail.Plan{Program: "refuse"}))
		tl, err := tail.Open(tail.Plan{Program: "refuse", Addrs: []string{tt.addr}})
		if err != nil {
			t.Logf("%s: %v", tt.addr, err) // a machine without IPv6
			continue
		}
		refused(t, tl.URL(), 2)
		if got := tl.Uncounted(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.addr, got, tt.want)
		}
		if n := len(tl.Hits()); tt.addr == ":0" && n != 2 {
			t.Errorf("%s: got %d hits, want the 2 of this machine", tt.addr, n)
		}
		tl.Close()
	}
}
