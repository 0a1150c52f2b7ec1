package node

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
)

// Merge puts what all processes of a run saw together as if it had been one: their
// instants on the tail's clock, from the release that the herds agreed on. It says of
// what is missing that it is, and by whom it was left, with live.ErrInterrupted; another
// error means that these are no results of one run.
func Merge(t topology.Topology, lab string, found []Found, o live.Options) (report.Variant, []report.Warning, error) {
	m := merge{topo: &t, found: found}
	if err := m.check(lab); err != nil {
		return report.Variant{}, nil, err
	}
	m.place()
	var records []live.Record
	for _, p := range m.placed {
		r := p.Result.Record
		r.Shift(p.shift)
		records = append(records, r)
	}
	v, warnings := live.Merge(t, records, o)
	v.Hosts = m.hosts()
	warnings = append(warnings, m.doubts()...)
	if m.partial {
		return v, warnings, live.ErrInterrupted
	}
	return v, warnings, nil
}

// merge is the results of one run on their way to one.
type merge struct {
	topo    *topology.Topology
	found   []Found
	tail    *Found        // nil: it is missing
	zero    time.Duration // the release, by the tail's clock
	placed  []placed
	partial bool
	said    []report.Warning
}

// placed is a result with its place on the run's clock.
type placed struct {
	Found
	shift time.Duration // from its own release to the run's
	bound time.Duration // how wrong that can be
	sure  bool          // its clock was read
}

func (m *merge) warn(code, format string, args ...any) {
	m.said = append(m.said, report.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}

// check refuses what cannot be of one run.
func (m *merge) check(lab string) error {
	seen := map[string]bool{}
	for i, f := range m.found {
		if f.Result == nil {
			continue
		}
		if f.Result.Lab != lab {
			return fmt.Errorf("%s ran another file, or another variant of it: start all nodes and herds, and this, with the same --file and --variant", f.name())
		}
		if herd := f.Result.Record.Herd; herd != nil {
			if err := m.overlaps(i, herd); err != nil {
				return err
			}
			continue
		}
		if seen[f.Service] {
			return fmt.Errorf("%s stands twice: name each node once", f.Service)
		}
		if seen[f.Service] = true; f.Service == m.topo.Tail().Name {
			m.tail = &m.found[i]
		}
	}
	return nil
}

func (m *merge) overlaps(i int, a *live.HerdRecord) error {
	for _, f := range m.found[:i] {
		if f.Result == nil || f.Result.Record.Herd == nil {
			continue
		}
		b := f.Result.Record.Herd
		if a.First < b.First+b.Clients && b.First < a.First+a.Clients {
			return fmt.Errorf("two herds have client %d: give each clients of its own with --first and --clients", max(a.First, b.First))
		}
	}
	return nil
}

// name is what a source is called in words.
func (f Found) name() string {
	if f.Result == nil || f.Result.Record.Herd == nil {
		return f.Service
	}
	h := f.Result.Record.Herd
	return fmt.Sprintf("herd %d–%d", h.First, h.First+h.Clients-1)
}

// place finds the run's release, and where each result lies from there.
func (m *merge) place() {
	m.findZero()
	for _, f := range m.found {
		if f.Result == nil {
			m.miss(f)
			continue
		}
		p := placed{Found: f}
		switch r := f.Result; {
		case r.Release != nil && m.sameTail(r.Release):
			p.shift, p.bound, p.sure = r.Release.Agreed+r.Release.Late-m.zero, r.Release.Offset.Bound, true
		case m.tail == nil || r.Release != nil:
		case r.Process == m.tail.Result.Process:
			p.shift, p.sure = r.Record.Released-m.zero, true
		case f.Offset != nil && m.tail.Offset != nil:
			o := m.tail.Offset.From(*f.Offset)
			p.shift, p.bound, p.sure = r.Record.Released+o.Ahead-m.zero, o.Bound, true
		}
		if f.Result.Record.Released == 0 {
			p.shift = 0 // it has no instants
		}
		m.placed = append(m.placed, p)
	}
}

// sameTail reports whether a herd measured the tail that the result is of.
func (m *merge) sameTail(r *Release) bool {
	return m.tail == nil || m.tail.Result.Process == r.Tail
}

// findZero takes the release from the herds, or where no herd knows it from the tail's
// first hit.
func (m *merge) findZero() {
	if m.tail != nil {
		m.zero = m.tail.Result.Record.Released
	}
	var agreed []time.Duration
	for _, f := range m.found {
		if f.Result == nil || f.Result.Release == nil {
			continue
		}
		if !m.sameTail(f.Result.Release) {
			m.partial = true
			m.warn("tail-restarted", "%s was released against another process of %s: what that had counted is gone with it", f.name(), m.topo.Tail().Name)
			continue
		}
		agreed = append(agreed, f.Result.Release.Agreed)
	}
	if len(agreed) == 0 {
		m.warn("no-release", "no herd says when the release was: bins begin with the first request that the tail knows of")
		return
	}
	m.zero = slices.Min(agreed)
	if apart := slices.Max(agreed) - m.zero; apart > 0 {
		m.warn("releases-differ", "the herds were to begin %v apart: give all of them the same --at", apart)
	}
}

// miss says what is not known because a source gave nothing, and what stands in.
func (m *merge) miss(f Found) {
	if s := m.topo.Service(f.Service); s != nil && live.Refuses(s) {
		return // nothing was to listen there
	}
	m.partial = true
	stands := "its requests are the attempts of its callers, and its attempts the hits that those it calls counted"
	if f.Service == m.topo.Tail().Name {
		stands = "hits are the attempts of its callers, and bins are empty"
	}
	m.warn("node-missing", "%s did not say what it saw (%v): %s", f.Service, f.Why, stands)
}

// hosts tells of each clock, the herds first.
func (m *merge) hosts() []report.Host {
	var out []report.Host
	for _, p := range m.placed {
		h := report.Host{Name: p.name(), ErrorMS: report.Milliseconds(p.bound)}
		switch r := p.Result.Release; {
		case !p.sure:
			continue
		case r != nil:
			late := report.Milliseconds(r.Late)
			h.OffsetMS, h.LateMS = report.Milliseconds(r.Offset.Ahead), &late
		case p.Result.Process == m.tail.Result.Process:
		default:
			h.OffsetMS = report.Milliseconds(m.tail.Offset.From(*p.Offset).Ahead)
		}
		out = append(out, h)
	}
	slices.SortStableFunc(out, func(a, b report.Host) int { return cmp.Compare(order(a), order(b)) })
	return out
}

func order(h report.Host) int {
	if h.LateMS != nil {
		return 0
	}
	return 1
}
