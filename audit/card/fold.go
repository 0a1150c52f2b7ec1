package card

import (
	"math"
	"slices"
	"strings"

	"labctl/audit"
	"labctl/report"
)

// proseWidth keeps a list of faults, or how they ended, from pushing the numbers off the
// line.
const proseWidth = 24

// lane is a column of the folded table: one kind of request.
type lane struct {
	method string
	key    bool
}

// faultRow is what is known of one fault, or of several that ended alike.
type faultRow struct {
	faults []string
	group  audit.Group
	cells  []string // attempts, as the columns have them
	gaps   []float64
	least  []float64 // of each gap in all these faults: gaps are upper bounds of a rest
	end    string
}

// foldedTable has a row per fault, faults that ended alike in one. Prose is broken into
// lines of a width; 0 leaves it.
func foldedTable(rows []audit.Row, width int) table {
	lanes := lanesOf(rows)
	var folded []faultRow
	for _, f := range faultsOf(rows) {
		row := rowOf(f, rows, lanes)
		i := slices.IndexFunc(folded, row.alike)
		if i < 0 {
			folded = append(folded, row)
		} else {
			folded[i].join(row)
		}
	}
	t := table{columns: foldedColumns(lanes)}
	for _, row := range folded {
		t.add(slices.Concat([]string{joinFaults(row.faults)}, row.cells, []string{row.gapsCell(), row.end})...)
		for _, cell := range []*string{&t.rows[len(t.rows)-1][0], &t.rows[len(t.rows)-1][len(t.columns)-1]} {
			*cell = report.Wrap("", *cell, width, 0)
		}
	}
	return t.withoutEmpty()
}

func foldedColumns(lanes []lane) []report.Column {
	columns := []report.Column{{Head: "fault"}}
	for i, l := range lanes {
		name := report.Clean(methodName(l.method, l.key))
		if i == 0 {
			columns = append(columns, report.Column{Head: name}, report.Column{Head: "reused"})
			continue
		}
		// Other methods go first: the policy says in a word what they do.
		columns = append(columns, report.Column{Head: name, Drop: 2*i + 1}, report.Column{Head: name + " reused", Drop: 2*i + 2})
	}
	return append(columns, report.Column{Head: "gaps", Drop: 1}, report.Column{Head: "in the end", Drop: 2})
}

func (t table) withoutEmpty() table {
	for i := len(t.columns) - 1; i > 0; i-- {
		if slices.ContainsFunc(t.rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		t.columns = slices.Delete(t.columns, i, i+1)
		for k := range t.rows {
			t.rows[k] = slices.Delete(t.rows[k], i, i+1)
		}
	}
	return t
}

func lanesOf(rows []audit.Row) []lane {
	var lanes []lane
	for _, r := range rows {
		if l := (lane{r.Method, r.Key}); !slices.Contains(lanes, l) {
			lanes = append(lanes, l)
		}
	}
	return lanes
}

func faultsOf(rows []audit.Row) []string {
	var faults []string
	for _, r := range rows {
		if !slices.Contains(faults, r.Fault) {
			faults = append(faults, r.Fault)
		}
	}
	return faults
}

// find returns the probe of a fault, nil where it was not asked.
func find(rows []audit.Row, fault string, l lane, c audit.Connection) *audit.Row {
	i := slices.IndexFunc(rows, func(r audit.Row) bool {
		return r.Fault == fault && r.Method == l.method && r.Key == l.key && r.Connection == string(c)
	})
	if i < 0 {
		return nil
	}
	return &rows[i]
}

func rowOf(fault string, rows []audit.Row, lanes []lane) faultRow {
	out := faultRow{faults: []string{fault}, group: groupOf(fault)}
	for _, l := range lanes {
		fresh, reused := find(rows, fault, l, audit.Fresh), find(rows, fault, l, audit.Reused)
		out.cells = append(out.cells, cellOf(fresh), cellOf(reused))
		if out.end == "" {
			out.gaps, out.end = endOf(fresh, reused)
		}
	}
	out.least = slices.Clone(out.gaps)
	return out
}

func cellOf(r *audit.Row) string {
	if r == nil {
		return ""
	}
	return attemptsCell(*r)
}

func endOf(fresh, reused *audit.Row) (gaps []float64, end string) {
	switch {
	case fresh == nil && reused == nil:
		return nil, ""
	case fresh == nil:
		return reused.GapsMS, endText(*reused)
	case reused == nil:
		return fresh.GapsMS, endText(*fresh)
	}
	end = endText(*fresh)
	if other := endText(*reused); other != end {
		end += "; reused " + other
	}
	return fresh.GapsMS, end
}

// alike is whether a reader would learn nothing from a row of its own.
func (f faultRow) alike(g faultRow) bool {
	if f.group != g.group || f.end != g.end || !slices.Equal(f.cells, g.cells) || len(f.gaps) != len(g.gaps) {
		return false
	}
	for i := range f.gaps {
		if d := math.Abs(f.gaps[i] - g.gaps[i]); d > max(sameGapMS, f.gaps[i]*sameGapShare) {
			return false
		}
	}
	return true
}

func (f *faultRow) join(g faultRow) {
	f.faults = append(f.faults, g.faults...)
	for i := range f.least {
		f.least[i] = min(f.least[i], g.gaps[i])
	}
}

// Gaps that differ by less are the same to a reader: a slow start of a connection is in
// them.
const (
	sameGapMS    = 100.0
	sameGapShare = 0.1
)

// gapsCell rounds where it stands for several faults.
func (f faultRow) gapsCell() string {
	if len(f.faults) == 1 || len(f.gaps) == 0 {
		return spans(f.gaps, shownGaps)
	}
	rounded := make([]float64, len(f.least))
	for i, g := range f.least {
		rounded[i] = twoDigits(g)
	}
	return "≈ " + spans(rounded, shownGaps)
}

// joinFaults says an option that several statuses share once: "429, 503 retry-after=1".
func joinFaults(faults []string) string {
	var tails []string
	heads := map[string][]string{}
	for _, f := range faults {
		head, tail, _ := strings.Cut(f, " ")
		if groupOf(f) != audit.RetryAfter {
			head, tail = f, ""
		}
		if heads[tail] == nil {
			tails = append(tails, tail)
		}
		heads[tail] = append(heads[tail], head)
	}
	for i, tail := range tails {
		tails[i] = strings.TrimSpace(strings.Join(heads[tail], ", ") + " " + tail)
	}
	return strings.Join(tails, "; ")
}
