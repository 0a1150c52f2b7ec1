package control

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"labctl/faultserver/program"
)

var (
	errFull  = errors.New("no room for another id")
	errFixed = errors.New("it was there from the start")
)

// tails are all tails behind one port.
type tails struct {
	config    Config
	fixed     []*tail // the default tail, then the paths, longest first
	perID     int     // arrivals kept of each id
	positions atomic.Int64
	noRoom    atomic.Int64 // requests for an id that could not be made

	mu   sync.RWMutex
	byID map[string]*tail
}

func newTails(c Config) *tails {
	ts := &tails{config: c, perID: c.Keep / 2 / c.IDs, byID: map[string]*tail{}}
	share := c.Keep / 2 / (1 + len(c.Paths))
	for _, p := range c.Paths {
		ts.fixed = append(ts.fixed, newTail(p.Prefix, share, p.Program, ts))
	}
	slices.SortFunc(ts.fixed, func(a, b *tail) int {
		return cmp.Or(cmp.Compare(len(b.name), len(a.name)), strings.Compare(a.name, b.name))
	})
	ts.fixed = slices.Insert(ts.fixed, 0, newTail(defaultName, share, c.Program, ts))
	return ts
}

// at finds the tail of a path, and makes that of an id.
func (ts *tails) at(path string) (*tail, error) {
	id, isID := cutID(path)
	if !isID {
		return ts.byPath(path), nil
	}
	if t := ts.find(id); t != nil {
		return t, nil
	}
	if err := checkID(id); err != nil {
		return nil, err
	}
	t, _, err := ts.obtain(id, ts.config.Program)
	if err != nil {
		ts.noRoom.Add(1)
	}
	return t, err
}

func (ts *tails) byPath(path string) *tail {
	for _, t := range ts.fixed[1:] {
		if below(path, t.name) {
			return t
		}
	}
	return ts.fixed[0]
}

// find returns the tail of that name, or nil.
func (ts *tails) find(name string) *tail {
	for _, t := range ts.fixed {
		if t.name == name {
			return t
		}
	}
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	return ts.byID[name]
}

// obtain returns the tail of an id, and makes it with the program if there is none.
func (ts *tails) obtain(id string, p program.Program) (t *tail, made bool, err error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t := ts.byID[id]; t != nil {
		return t, false, nil
	}
	if len(ts.byID) >= ts.config.IDs {
		return nil, false, errFull
	}
	id = strings.Clone(id) // the rest of the path is not kept
	t = newTail(id, ts.perID, p, ts)
	ts.byID[id] = t
	return t, true, nil
}

// remove forgets an id. Its hits in progress go on and count for nobody.
func (ts *tails) remove(t *tail) error {
	if slices.Contains(ts.fixed, t) {
		return errFixed
	}
	ts.mu.Lock()
	delete(ts.byID, t.name)
	ts.mu.Unlock()
	t.reset() // it gives back its positions
	return nil
}

// list returns the default tail, the paths and the ids, each sorted by name.
func (ts *tails) list() []*tail {
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	byName := func(a, b *tail) int { return strings.Compare(a.name, b.name) }
	var ids []*tail
	for _, t := range ts.byID {
		ids = append(ids, t)
	}
	paths := slices.Clone(ts.fixed[1:])
	slices.SortFunc(ids, byName)
	slices.SortFunc(paths, byName)
	return slices.Concat(ts.fixed[:1], paths, ids)
}

// idCount is the number of ids.
func (ts *tails) idCount() int {
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	return len(ts.byID)
}
