package page

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"labctl/report"
)

// view is a page before its template.
type view struct {
	Title    string
	Policy   string
	Style    template.CSS
	Script   template.JS
	Contents []section
	Overview *overview
	Results  []resultView
	Audits   []auditView
	Plots    []plot
}

// section is a line of the contents.
type section struct{ ID, Name, Note string }

// overview is the table of all published figures.
type overview struct {
	Head  string
	Table table
	Notes []prose
}

// resultView is one result.
type resultView struct {
	ID           string
	Alone        bool // on its page, whose heading names it already
	Name         prose
	Title        prose
	Facts        []fact
	Partial      bool
	Tables       resultTables
	Findings     []remark
	Doubts       []prose
	Drawings     gallery[drawing]
	Groups       []chartGroup
	Heats        []heat
	Trees        []tree
	FigureTally  string
	ExpectTally  string
	Reasons      []prose
	ExpectReason []prose
	LongNames    []prose
	Empty        bool
}

type resultTables struct{ Variants, Routes, Layers, Readings, Figures, Expectations, Ranges table }

type fact struct {
	Key  string
	Text prose
}

// remark is a sentence about a variant.
type remark struct {
	About string
	Text  prose
}

// tree is the attempts of one request, as text.
type tree struct{ Name, Text string }

// gallery shows the first of many and hides the others behind a click.
type gallery[T any] struct{ First, More []T }

func galleryOf[T any](all []T, first int) gallery[T] {
	if len(all) <= first {
		return gallery[T]{First: all}
	}
	return gallery[T]{all[:first], all[first:]}
}

// chartGroup is charts that say the same of several variants.
type chartGroup struct {
	Title, Lead string
	Wide        bool
	Charts      gallery[chart]
}

// How many drawings and charts of a kind are seen at once.
const (
	firstDrawings = 6
	firstCharts   = 8
)

func newView(c Content) view {
	v := view{Title: title(c), Plots: []plot{}}
	alone := len(c.Results)+len(c.Audits) == 1
	if len(c.Results) > 1 {
		head, t, notes := report.OverviewTable(c.Results)
		if len(t.Rows) > 0 {
			v.Overview = &overview{Head: head, Table: tableOf("All published figures", t), Notes: proses(notes)}
		}
	}
	for i, r := range c.Results {
		one := v.result(fmt.Sprintf("r%d", i+1), r)
		one.Alone = alone
		v.Results = append(v.Results, one)
		v.Contents = append(v.Contents, section{one.ID, report.ShortName(r.Scenario), one.FigureTally})
	}
	for i, a := range c.Audits {
		one := auditOf(fmt.Sprintf("a%d", i+1), a)
		one.Alone = alone
		v.Audits = append(v.Audits, one)
		v.Contents = append(v.Contents, section{one.ID, one.Title, "audit"})
	}
	return v
}

func title(c Content) string {
	switch {
	case len(c.Results) == 1 && len(c.Audits) == 0:
		return report.ShortName(c.Results[0].Scenario)
	case len(c.Results) == 0 && len(c.Audits) == 1:
		return auditOf("", c.Audits[0]).Title
	}
	var words []string
	for _, n := range []struct {
		count int
		noun  string
	}{{len(c.Results), "result"}, {len(c.Audits), "audit"}} {
		switch {
		case n.count == 1:
			words = append(words, "1 "+n.noun)
		case n.count > 1:
			words = append(words, fmt.Sprintf("%d %ss", n.count, n.noun))
		}
	}
	return strings.Join(words, ", ")
}

func (v *view) result(id string, r report.Result) resultView {
	rows := report.RowVariants(r)
	ts := report.TablesOf(r)
	out := resultView{
		ID: id, Name: proseOf(r.Scenario, 80), Title: proseOf(r.Title, longProse), Facts: factsOf(r), Partial: r.Partial,
		Tables: resultTables{
			Variants: tableOf("Variants", ts.Variants), Routes: tableOf("Routes", ts.Routes), Layers: tableOf("Layers", ts.Layers),
			Readings: tableOf("Ways to explain the hits", ts.Readings), Figures: tableOf("Published against measured", ts.Figures),
			Expectations: tableOf("Expectations", ts.Expectations), Ranges: tableOf("Over all runs", ts.Ranges),
		},
		FigureTally: ts.FigureTally, ExpectTally: ts.ExpectationTally, Reasons: proses(ts.Reasons), ExpectReason: proses(ts.ExpectationReasons),
		Doubts: proses(report.Doubts(r.Warnings)), Drawings: galleryOf(drawingsOf(id, rows), firstDrawings),
		LongNames: longNames(r), Empty: len(r.Variants) == 0 && len(r.Readings) == 0,
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, remark{report.ShortName(f.Variant), proseOf(f.Message, longProse)})
	}
	for _, g := range r.Grids {
		out.Heats = append(out.Heats, heatOf(g))
	}
	for _, one := range rows {
		if t := treeOf(one); t.Text != "" {
			out.Trees = append(out.Trees, t)
		}
	}
	out.Groups = v.charts(id, r, rows)
	return out
}

// charts makes all charts of a result, numbers them, and keeps what the script needs.
func (v *view) charts(id string, r report.Result, rows []report.Variant) []chartGroup {
	crowd := herds(rows)
	n := 0
	var out []chartGroup
	for _, g := range []struct {
		title, lead string
		wide        bool
		charts      []chart
	}{
		{"Waves over each other", "", true, wavesOf(r, crowd)},
		{"Hits over time", "Blue is every hit, vermilion the part of it that is retries.", false, singlesOf(r, crowd)},
		{"Load, throughput and goodput", "", false, goodputOf(r, rows)},
		{"Hysteresis", "Both ways meet the same load.", true, hysteresisOf(r, rows)},
	} {
		if len(g.charts) == 0 {
			continue
		}
		for i := range g.charts {
			n++
			g.charts[i].ID = fmt.Sprintf("%s-c%d", id, n)
			g.charts[i].plot.ID = g.charts[i].ID
			v.Plots = append(v.Plots, g.charts[i].plot)
		}
		out = append(out, chartGroup{g.title, g.lead, g.wide, galleryOf(g.charts, firstCharts)})
	}
	return out
}

// factsOf says what was run, and how to get it again.
func factsOf(r report.Result) []fact {
	ran := engineName(r.Engine)
	if r.Engine == "both" {
		ran = "live and virtual time"
	}
	if r.Net != "" && r.Engine != "sim" {
		ran += " over " + report.Clean(r.Net)
	}
	var fs []fact
	add := func(key, text string) {
		if text != "" {
			fs = append(fs, fact{key, proseOf(text, longCell)})
		}
	}
	add("Engine", ran)
	add("Seed", fmt.Sprint(r.Seed))
	add("labctl", r.Labctl)
	if n := r.Repeats; n != nil {
		add("Runs", fmt.Sprintf("%d, seeds %d to %d", n.Runs, n.Seed, n.Seed+uint64(n.Runs)-1))
	}
	add("Command", r.Command)
	return fs
}

func proses(lines []string) []prose {
	var out []prose
	for _, l := range lines {
		out = append(out, proseOf(l, longProse))
	}
	return out
}

// longNames are the names that stand shortened everywhere else.
func longNames(r report.Result) []prose {
	var names []string
	add := func(some ...string) {
		for _, name := range some {
			if report.ShortName(name) != report.Clean(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for _, v := range r.Variants {
		add(v.Name)
		for _, l := range v.Layers {
			add(l.Name)
		}
		for _, r := range v.Routes {
			add(r.Name)
		}
	}
	for _, g := range r.Grids {
		add(g.RowName, g.ColName)
		add(g.Rows...)
		add(g.Cols...)
	}
	var out []prose
	for _, n := range names {
		out = append(out, prose{report.ShortName(n), report.Clean(n)})
	}
	return out
}

func treeOf(v report.Variant) tree {
	if len(v.Tree) == 0 {
		return tree{}
	}
	var b bytes.Buffer
	if err := report.Tree(&b, v.Tree); err != nil {
		return tree{}
	}
	return tree{report.ShortName(v.Name), b.String()}
}
