// Package page shows results and audits as one HTML file: to attach to a mail, to
// archive with a build, to look at on a phone. It opens from a disk, asks no network
// for anything, and says the same as a table where no script runs.
//
// Use [Write] where people look at waves; package report and package card have the
// forms for terminals, pull requests and programs.
//
// # What draws
//
// Charts over time are drawn in the reader's browser by uPlot, which is part of the
// file: 50 KB, no dependencies, no build step, and fast enough to redraw while
// somebody drags a slider, which a page with sliders needs as well. Drawings of call
// graphs are SVG that is made here, since their text has to be there for a search, a
// printer and a screen reader.
//
// The layout of a call graph is the layered one of Sugiyama, in its plain form: a
// service stands one row below the lowest of its callers, calls that skip a row get a
// place in it, and rows are ordered by the mean of their neighbours' places. A lab has
// tens of services at most; the libraries that do more bring a Graphviz along.
//
// # What may come in
//
// Names, titles, notes and values are those of strangers. They pass through
// html/template and nothing else, hidden marks and control characters become visible,
// and the page's own script and style are allowed by their hash alone, so that nothing
// that slipped through could run.
package page
