package infer

import "slices"

// ownWork is a gap, in milliseconds, that programs have who do not rest: their own work, a connection, and
// some other process in between. A rest shorter than that is none to a server.
const ownWork = 5.0

// A program that starts another for each attempt has gaps of some tens of milliseconds
// between them that it never asked for, and on a busy machine they differ by as much.
const (
	workLike  = 50.0 // ms: shorter gaps may be such work
	workWidth = 40.0 // ms: gaps that differ by less may be such work
)

// unrested reports whether half of the gaps at least, after each attempt, are no longer
// than a client's own work: the longer ones are the machine's.
func unrested(t *table, noise tolerance) bool {
	return slices.Max(t.quantiles(0.5)) <= max(3*noise.p99, ownWork)
}

// likeWork reports whether the gaps may be work as well as rests: they are short, and do
// not grow as work never does.
func (c *inquiry) likeWork(t *table) bool {
	if slices.Max(t.quantiles(0.5)) >= workLike {
		return false
	}
	if everLonger(t.quantiles(0.75)) {
		return jittered(t, c.noise) && width(t.column(t.retries()-1)) <= workWidth
	}
	return true
}

// everLonger reports whether each of several rests is clearly longer than the one before.
func everLonger(rests []float64) bool {
	for k := 1; k < len(rests); k++ {
		if rests[k] < 1.2*rests[k-1] {
			return false
		}
	}
	return len(rests) >= 3 && rests[len(rests)-1] >= 2*rests[0]
}

// firstAtOnce reports whether the first retry comes at once and the others do not: they
// have a law, and it has none.
func (c *inquiry) firstAtOnce(t *table) bool {
	most := max(3*c.noise.p99, ownWork)
	return t.retries() > 1 && quantile(t.column(0), 0.9) <= most && quantile(t.column(1), 0.5) > 4*most
}
