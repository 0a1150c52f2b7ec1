package live

import (
	"strings"
	"sync"
	"time"
)

// departures tells while a run is on which attempts somebody stopped waiting for.
// Services that drop the requests of callers that left ask for it.
type departures struct {
	wanted bool // some service asks
	mu     sync.Mutex
	paths  map[string]bool
}

func (d *departures) leave(path string) {
	if !d.wanted {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.paths == nil {
		d.paths = map[string]bool{}
	}
	d.paths[path] = true
}

// left reports whether a caller of the attempt at a path, near or far, has stopped
// waiting.
func (d *departures) left(path string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		if d.paths[path] {
			return true
		}
		cut := strings.LastIndexByte(path, '/')
		if cut < 0 {
			return false
		}
		path = path[:cut]
	}
}

// abandonments maps the path of every attempt that somebody stopped waiting for
// to the first instant of that.
func (l *lab) abandonments() map[string]time.Duration {
	end := l.topo.Run.Until // at which everything is left, and nothing says anything by it
	gone := map[string]time.Duration{}
	for _, e := range l.edges {
		for _, a := range e.abandoned {
			at := time.Duration(a.at)
			if end > 0 && at >= end {
				continue
			}
			if before, is := gone[a.path]; !is || at < before {
				gone[a.path] = at
			}
		}
	}
	return gone
}

// leftBy finds the earliest instant at which an ancestor of a hit, or the caller
// of the hit itself, stopped waiting.
func leftBy(gone map[string]time.Duration, path string) (at time.Duration, is bool) {
	if len(gone) == 0 {
		return 0, false
	}
	for {
		if t, left := gone[path]; left && (!is || t < at) {
			at, is = t, true
		}
		cut := strings.LastIndexByte(path, '/')
		if cut < 0 {
			return at, is
		}
		path = path[:cut]
	}
}
