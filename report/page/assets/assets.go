// Package assets holds what pages are made with and others wrote: uPlot, a small
// charting library (https://github.com/leeoniya/uPlot, MIT). Both the report and the
// local page take it from here, so that there is one copy.
package assets

import (
	"embed"
	"io/fs"
)

//go:embed uplot
var files embed.FS

// UPlot has uPlot.iife.min.js, uPlot.min.css and LICENSE, as published.
func UPlot() fs.FS {
	sub, _ := fs.Sub(files, "uplot") // embedded: it is there
	return sub
}
