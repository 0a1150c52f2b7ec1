package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"labctl/audit"
	"labctl/report"
	htmlpage "labctl/report/page"
)

// output is where results go and how they look.
type output struct {
	format string
	file   string
	quiet  bool
	// overview puts one table of all figures first; as a text it is all there is.
	overview     bool
	overviewOnly bool              // in Markdown as well
	files        map[string]string // of results that came from a file, by scenario
	audits       []audit.Audit     // that a page shows as well
}

// byExtension is the format that the name of a file asks for.
func byExtension(file string) (format string, known bool) {
	switch filepath.Ext(file) {
	case ".json":
		return "json", true
	case ".csv":
		return "csv", true
	case ".md":
		return "markdown", true
	case ".xml":
		return "junit", true
	case ".html", ".htm":
		return "html", true
	case "", ".txt":
		return "table", true
	}
	return "", false
}

// add adds the flags; allowed are the formats, the default first.
func (o *output) add(c *cobra.Command, quiet string, allowed ...string) flagGroup {
	flags := newFlags()
	flags.StringVar(&o.format, "format", "", "how the result looks, a `format`: "+strings.Join(allowed, ", ")+" (default by the ending of -o, else table)")
	onceVarP(flags, &o.file, "output", "o", "write to this `file` instead of stdout")
	flags.BoolVar(&o.quiet, "quiet", false, quiet)
	c.Flags().AddFlagSet(flags)
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("output") && o.file == "" {
			return fmt.Errorf("-o: the name is empty: say a file, or leave it out for stdout")
		}
		return o.settle(allowed)
	}
	return flagGroup{"Output:", flags}
}

// settle finds the format, or says why there is none.
func (o *output) settle(allowed []string) error {
	choose := "choose " + strings.Join(allowed, ", ")
	if o.format != "" {
		if !slices.Contains(allowed, o.format) {
			return fmt.Errorf("--format %q: %s", o.format, choose)
		}
		return nil
	}
	if o.file == "-" {
		o.format = "table"
		return nil
	}
	format, known := byExtension(o.file)
	if !known || !slices.Contains(allowed, format) {
		return fmt.Errorf("-o %s: no format goes with %s: add --format and %s", o.file, filepath.Ext(o.file), choose)
	}
	o.format = format
	return nil
}

func (o *output) render(w io.Writer, results []report.Result) error {
	switch o.format {
	case "json":
		return report.WriteJSON(w, results...)
	case "csv":
		return report.WriteCSV(w, results...)
	case "html":
		return htmlpage.Write(w, htmlpage.Content{Results: results, Audits: o.audits})
	case "github":
		return o.renderGitHub(w, results)
	case "junit":
		var suites []report.Suite
		for _, r := range results {
			suites = append(suites, report.FigureSuite(r))
		}
		return report.WriteJUnit(w, suites...)
	}
	var all bytes.Buffer
	if o.overview && (o.format == "table" || o.format == "markdown") {
		if err := o.renderOverview(&all, w, results); err != nil {
			return err
		}
		if o.format == "table" || o.overviewOnly {
			results = nil
		} else {
			all.WriteByte('\n')
		}
	}
	for i, r := range results {
		if i > 0 {
			all.WriteByte('\n')
		}
		if err := o.renderText(&all, w, r); err != nil {
			return err
		}
	}
	_, err := w.Write(all.Bytes())
	return err
}

// warn repeats the warnings of results where people look when they do not look
// at a table: a file or a document for programs goes by unread.
func (o *output) warn(w io.Writer, results []report.Result) {
	if o.quiet || o.format == "table" && (o.file == "" || o.file == "-") {
		return
	}
	for _, r := range results {
		for _, doubt := range report.Doubts(r.Warnings) {
			fmt.Fprintf(w, "labctl: warning: %s: %s\n", r.Scenario, doubt)
		}
	}
}

// renderGitHub writes what a reviewer has to see as annotations: errors first.
func (o *output) renderGitHub(w io.Writer, results []report.Result) error {
	var all []report.Annotation
	for _, r := range results {
		all = append(all, report.ExpectationAnnotations(o.files[r.Scenario], r.Expectations)...)
	}
	for _, r := range results {
		all = append(all, report.WarningAnnotations(o.files[r.Scenario], r.Warnings)...)
	}
	return report.WriteGitHub(w, all...)
}

func (o *output) renderOverview(to io.Writer, final io.Writer, results []report.Result) error {
	if o.format == "markdown" {
		return report.OverviewMarkdown(to, results)
	}
	return report.Overview(to, results, textOptions(final, o.quiet))
}

func (o *output) renderText(to io.Writer, final io.Writer, r report.Result) error {
	if o.format == "markdown" {
		return report.Markdown(to, r)
	}
	return report.Table(to, r, textOptions(final, o.quiet))
}

// textOptions fits text to where it goes: width and colour are a terminal's.
func textOptions(w io.Writer, quiet bool) report.Options {
	width := terminalWidth(w)
	return report.Options{
		Quiet: quiet, Tree: true, Width: width,
		Color: isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}
