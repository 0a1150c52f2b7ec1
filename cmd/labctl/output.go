package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"labctl/report"
	"labctl/topology/live"
)

// output is where results go and how they look.
type output struct {
	format string
	file   string
	quiet  bool
}

// formats are the renderers of results; checkFormats those of a check.
var (
	formats      = []string{"table", "json", "csv", "markdown", "junit"}
	checkFormats = []string{"table", "json", "junit"}
	byExtension  = map[string]string{".json": "json", ".csv": "csv", ".md": "markdown", ".xml": "junit"}
)

func (o *output) add(c *cobra.Command, allowed []string) {
	c.Flags().StringVar(&o.format, "format", "", "table, or "+strings.Join(allowed[1:], ", ")+"; default: by the ending of -o, else table")
	c.Flags().StringVarP(&o.file, "output", "o", "", "write to this file instead of stdout")
	c.Flags().BoolVar(&o.quiet, "quiet", false, "numbers, doubts and verdicts only")
	o.check(allowed)
	c.PreRunE = func(*cobra.Command, []string) error { return o.check(allowed) }
}

// check settles the format.
func (o *output) check(allowed []string) error {
	if o.format == "" {
		o.format = byExtension[filepath.Ext(o.file)]
	}
	if o.format == "" {
		o.format = "table"
	}
	if !slices.Contains(allowed, o.format) {
		return fmt.Errorf("--format %q: choose %s", o.format, strings.Join(allowed, ", "))
	}
	return nil
}

// write makes results and renders them. The file is opened before anything
// runs, so that a path that cannot be written is refused first, and it appears
// under its name only when it is complete.
func (o *output) write(s streams, make func() ([]report.Result, error)) error {
	return o.to(s, func(w io.Writer) error {
		results, err := make()
		if err != nil && !errors.Is(err, live.ErrInterrupted) {
			return err
		}
		if len(results) > 0 {
			if werr := o.render(w, results); werr != nil {
				return environment(fmt.Errorf("cannot write the result: %w", werr))
			}
		}
		return err
	})
}

// to calls f with the file, or stdout. What f wrote before it was interrupted
// is kept; what it wrote before any other error is not.
func (o *output) to(s streams, f func(io.Writer) error) error {
	if o.file == "" {
		return f(s.out)
	}
	temporary, err := os.CreateTemp(filepath.Dir(o.file), ".labctl-*")
	if err != nil {
		return environment(fmt.Errorf("cannot write %s: %w: choose a folder that exists and is yours", o.file, unwrapPath(err)))
	}
	defer os.Remove(temporary.Name())
	err = f(temporary)
	if cerr := temporary.Close(); err == nil && cerr != nil {
		err = environment(cerr)
	}
	if err != nil && !errors.Is(err, live.ErrInterrupted) && !isFailure(err) {
		return err
	}
	if merr := publish(temporary.Name(), o.file); merr != nil {
		return environment(fmt.Errorf("cannot write %s: %w", o.file, merr))
	}
	return err
}

// publish gives the finished file its name, with the rights that an ordinary
// new file would have.
func publish(temporary, name string) error {
	if err := os.Chmod(temporary, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}

// isFailure reports whether an error is a verdict rather than a breakdown.
func isFailure(err error) bool {
	var coded codedError
	return errors.As(err, &coded) && coded.code == exitFailed
}

// unwrapPath drops the temporary file's name from an error.
func unwrapPath(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func (o *output) render(w io.Writer, results []report.Result) error {
	switch o.format {
	case "json":
		return report.WriteJSON(w, results...)
	case "csv":
		return report.WriteCSV(w, results...)
	case "junit":
		var suites []report.Suite
		for _, r := range results {
			suites = append(suites, report.FigureSuite(r))
		}
		return report.WriteJUnit(w, suites...)
	}
	var all bytes.Buffer
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

func (o *output) renderText(to io.Writer, final io.Writer, r report.Result) error {
	if o.format == "markdown" {
		return report.Markdown(to, r)
	}
	return report.Table(to, r, textOptions(final, o.quiet))
}

// textOptions fits text to where it goes: width and colour are a terminal's.
func textOptions(w io.Writer, quiet bool) report.Options {
	opt := report.Options{Quiet: quiet, Tree: true}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return opt
	}
	if width, _, err := term.GetSize(int(file.Fd())); err == nil {
		opt.Width = width
	}
	opt.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return opt
}
