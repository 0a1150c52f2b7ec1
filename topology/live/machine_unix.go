//go:build unix

package live

import "golang.org/x/sys/unix"

// descriptorLimit is the soft limit, which Go raises to the hard one at start.
func descriptorLimit() int64 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil || uint64(l.Cur) > 1<<40 {
		return 0
	}
	return int64(l.Cur)
}
