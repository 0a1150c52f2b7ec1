package live

import (
	"strings"
	"time"
)

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

// root is the part of a path that names the logical request.
func root(path string) string {
	id, _, _ := strings.Cut(path, "/")
	return id
}
