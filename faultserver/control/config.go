package control

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"labctl/faultserver/program"
)

// Config says what a [Handler] serves. The zero Config is a default tail without faults.
type Config struct {
	// Program is that of the default tail, and of ids that are made by their first
	// request.
	Program program.Program

	// Paths have tails and programs of their own.
	Paths []PathProgram

	// IDs is how many there may be at a time. 0 is DefaultIDs.
	IDs int

	// Keep is how many arrivals are kept in detail in all: half for the default tail and
	// the paths, half for the ids, in equal shares. 0 is DefaultKeep.
	Keep int

	// Connections is how many may be open at a time. 0 is DefaultConnections.
	Connections int

	// MaxHang ends what a program does to a request, and so a hang, after this time. A
	// program with a longer delay is refused. 0 is DefaultMaxHang.
	MaxHang time.Duration

	// Token is what the API asks for, see the package documentation. "" asks for none.
	Token string

	// AnyHost lets the API answer under any name. It is for a server that others reach;
	// without it only loopback names are answered, since a browser can be led to send a
	// stranger's page here under the name of that page.
	AnyHost bool

	// Log, if not nil, is called when the tail is done with a hit, from many goroutines.
	Log func(Hit)

	// Clock is the time since some instant, for tests. Nil is the time since the tail was
	// made or reset.
	Clock func() time.Duration
}

// A PathProgram is the fault program of a path and everything below it.
type PathProgram struct {
	Prefix  string
	Program program.Program
}

// A Hit is what [Config.Log] is told.
type Hit struct {
	Tail, Method, Target, Remote string
	Reused                       bool // the connection carried a hit before
	Action                       program.Action
}

// Defaults, and what bounds the rest.
const (
	DefaultIDs         = 1024
	DefaultKeep        = 1 << 18 // about 160 MiB when all are used, and 640 MiB when their text is as long as it may be
	DefaultConnections = 8192
	DefaultMaxHang     = 10 * time.Minute

	MaxID    = 64  // bytes of an id
	MaxPaths = 256 // in Config.Paths

	maxIDs       = 1 << 20
	maxPath      = 256     // bytes of a prefix
	maxPositions = 1 << 16 // of each:, over all tails
)

func (c Config) settled() Config {
	c.IDs = cmp.Or(c.IDs, DefaultIDs)
	c.Keep = cmp.Or(c.Keep, DefaultKeep)
	c.Connections = cmp.Or(c.Connections, DefaultConnections)
	c.MaxHang = cmp.Or(c.MaxHang, DefaultMaxHang)
	return c
}

// check wants sizes that leave each tail a place, and programs that can be had here.
func (c Config) check() error {
	switch fixed := 1 + len(c.Paths); {
	case c.IDs < 1 || c.IDs > maxIDs:
		return fmt.Errorf("%d ids: say a number from 1 to %d", c.IDs, maxIDs)
	case c.Connections < 1:
		return fmt.Errorf("%d connections: say 1 or more", c.Connections)
	case c.MaxHang <= 0:
		return fmt.Errorf("a hang of at most %v: say a time, such as 10m", c.MaxHang)
	case len(c.Paths) > MaxPaths:
		return fmt.Errorf("%d paths: the limit is %d; use ids, which are made on demand", len(c.Paths), MaxPaths)
	case c.Keep/2 < max(fixed, c.IDs):
		return fmt.Errorf("%d arrivals are too few for %d ids and %d other tails: keep %d or more, or allow fewer ids", c.Keep, c.IDs, fixed, 2*max(fixed, c.IDs))
	}
	if err := c.checkProgram(c.Program); err != nil {
		return err
	}
	return c.checkPaths()
}

func (c Config) checkPaths() error {
	seen := map[string]bool{}
	for _, p := range c.Paths {
		if err := checkPrefix(p.Prefix); err != nil {
			return err
		}
		if seen[p.Prefix] {
			return fmt.Errorf("path %s stands twice: keep one", p.Prefix)
		}
		seen[p.Prefix] = true
		if err := c.checkProgram(p.Program); err != nil {
			return fmt.Errorf("path %s: %w", p.Prefix, err)
		}
	}
	return nil
}

// checkProgram refuses what a tail behind a shared port cannot do.
func (c Config) checkProgram(p program.Program) error {
	if p.Refuses() {
		return errors.New("fault program: refuse is a closed port, and this one is open for everybody: point the client at a port on which nobody listens, or write reset for a connection that dies")
	}
	for _, s := range p.Steps {
		if takes := s.Delay + s.Over; takes > c.MaxHang {
			return fmt.Errorf("fault program: step %q takes %v, and a request is let go after %v: shorten it, or raise that limit (--max-hang)", s, takes, c.MaxHang)
		}
	}
	return nil
}
