package report

// Grid and histogram stay with who draws them; the tables of a result are the same
// in every form, and are handed out here to forms that another package makes.

// TableData is a table before anyone decides how it looks. Its cells are clean and
// one line each.
type TableData struct {
	Columns []Column
	Rows    [][]string
}

// Tables are what Table and Markdown print of a result, as data. What does not apply
// has no rows.
type Tables struct {
	Variants, Routes, Layers, Readings TableData
	Figures, Expectations, Ranges      TableData
	FigureTally, ExpectationTally      string // "3 of 4 reproduced, 1 off"
	Reasons, ExpectationReasons        []string
}

// TablesOf makes all tables of a result.
func TablesOf(r Result) Tables {
	rows := rowVariants(r)
	var t Tables
	if len(rows) > 0 {
		t.Variants, t.Routes, t.Layers = variantSheet(r).data(), routeSheet(rows).data(), layerSheet(rows).data()
	}
	if len(r.Readings) > 0 {
		t.Readings = readingSheet(r.Readings).data()
	}
	if len(r.Figures) > 0 {
		t.FigureTally = tally(r.Figures)
	}
	if len(r.Figures) > 0 && !allChanged(r.Figures) {
		t.Figures, t.Reasons = figureSheet(r.Scenario, r.Figures).data(), reasons(r)
	}
	if len(r.Expectations) > 0 {
		t.Expectations, t.ExpectationTally = expectationSheet(r.Expectations).data(), expectationTally(r.Expectations)
		t.ExpectationReasons = expectationReasons(r.Expectations)
	}
	if r.Repeats != nil {
		t.Ranges = rangeSheet(r.Repeats.Ranges, r.Repeats.Runs).data()
	}
	return t
}

// OverviewTable is the table of Overview as data, with its head line and its notes.
func OverviewTable(results []Result) (head string, t TableData, notes []string) {
	rows := overviewRows(results)
	return overviewHead(results, rows), overviewSheet(rows, func(s string) string { return s }).data(), overviewNotes(results)
}

func (s sheet) data() TableData {
	var t TableData
	for _, c := range s {
		t.Columns = append(t.Columns, Column{Head: c.head, Right: c.right, Drop: c.drop, Prose: c.prose})
	}
	for i := range s.rows() {
		t.Rows = append(t.Rows, s.row(i, Options{}))
	}
	return t
}

// RowVariants are those that no grid shows.
func RowVariants(r Result) []Variant { return rowVariants(r) }

// ShortName is a clean name of bounded width.
func ShortName(s string) string { return label(s) }

// FormatCount, FormatNumber, FormatMillis and FormatBin word numbers as all tables do:
// 33,000,000; 1.5; 284.6 ms; a bin of 50 ms or 1 s.
func FormatCount(n int64) string     { return count(n) }
func FormatNumber(f float64) string  { return number(f) }
func FormatMillis(ms float64) string { return millis(ms) }
func FormatBin(ms float64) string    { return duration(ms) }
