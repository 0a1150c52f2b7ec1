package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"labctl/audit"
	"labctl/audit/card"
	"labctl/audit/lab"
	htmlpage "labctl/report/page"
)

// auditOutput is where an audit goes and how it looks.
type auditOutput struct {
	format string
	files  []string
	quiet  bool
	all    bool
	failOn audit.Severity // what a test report counts as a failure
}

var auditFormats = []string{"table", "json", "markdown", "html", "junit"}

func (o *auditOutput) add(c *cobra.Command) flagGroup {
	flags := newFlags()
	flags.StringVar(&o.format, "format", "", "how the report looks, a `format`: "+strings.Join(auditFormats, ", ")+" (default table)")
	flags.StringArrayVarP(&o.files, "output", "o", nil, "write to this `file`: .yaml the measured policy, for run --policy; .json, .md, .html, .xml or .txt the report; may stand several times, and stdout has the card as ever")
	flags.BoolVar(&o.quiet, "quiet", false, "no progress, and no card where -o is given")
	flags.BoolVar(&o.all, "all", false, "a row for each probe; without it those that are alike share one")
	c.Flags().AddFlagSet(flags)
	return flagGroup{"Output:", flags}
}

// auditSinks are the files that an audit is written to, opened before it begins.
type auditSinks struct {
	*auditOutput
	stdout io.Writer
	open   []*sink
	forms  []string
}

// open says what cannot be written before anything runs.
func (o *auditOutput) open(s streams) (*auditSinks, error) {
	if o.format != "" && !slices.Contains(auditFormats, o.format) {
		return nil, fmt.Errorf("--format %q: choose %s", o.format, strings.Join(auditFormats, ", "))
	}
	k := &auditSinks{auditOutput: o, stdout: s.out}
	for _, name := range o.files {
		form, err := auditForm(name)
		if err != nil {
			return nil, err
		}
		file, err := openSink(name)
		if err != nil {
			k.discard()
			return nil, environment(fmt.Errorf("cannot write %s: %w", name, err))
		}
		k.open, k.forms = append(k.open, file), append(k.forms, form)
	}
	return k, nil
}

// auditForm is the form that the name of a file asks for.
func auditForm(name string) (string, error) {
	if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
		return "policy", nil
	}
	form, known := byExtension(name)
	if !known || name == "" || form != "table" && !slices.Contains(auditFormats, form) {
		return "", fmt.Errorf("-o %q: no form goes with that name: end it with .yaml for the policy, or .json, .md, .html, .xml or .txt for the report", name)
	}
	return form, nil
}

func (k *auditSinks) discard() {
	for _, file := range k.open {
		file.discard()
	}
}

// write writes every file, and the card to stdout.
func (k *auditSinks) write(a audit.Audit) error {
	for i, file := range k.open {
		if err := k.render(file.w, k.forms[i], a); err != nil {
			return written(err)
		}
		if err := file.commit(); err != nil {
			return err
		}
	}
	if k.quiet && len(k.open) > 0 && k.format == "" {
		return nil
	}
	form := k.format
	if form == "" {
		form = "table"
	}
	return written(k.render(k.stdout, form, a))
}

func (k *auditSinks) render(w io.Writer, form string, a audit.Audit) error {
	var b bytes.Buffer
	err := k.compose(&b, w, form, a)
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	return err
}

func (k *auditSinks) compose(b *bytes.Buffer, final io.Writer, form string, a audit.Audit) error {
	switch form {
	case "policy":
		_, err := b.Write(lab.File(a))
		return err
	case "json":
		return card.JSON(b, a)
	case "markdown":
		return card.Markdown(b, a)
	case "html":
		return htmlpage.Write(b, htmlpage.Content{Audits: []audit.Audit{a}})
	case "junit":
		return card.JUnit(b, a, k.failOn)
	}
	o := textOptions(final, k.quiet)
	return card.Text(b, a, card.Options{Width: o.Width, Color: o.Color, All: k.all})
}
