package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"labctl/audit/card"
	"labctl/report"
)

func reportCommand(s streams) *cobra.Command {
	var out output
	c := &cobra.Command{
		Use:   "report FILE.json …",
		Short: "Show results that were saved, in any form",
		Long: `Show results that labctl run wrote with -o FILE.json, in any form that run has:
nothing is run again. Several results begin with one table of all published
figures; --overview shows nothing but that.

The form html is one file to look at, to mail or to print: it needs no network,
and shows audits that labctl audit wrote among the results.`,
		Example: `  labctl run articles --engine both -o articles.json
  labctl report articles.json --overview
  labctl report articles.json -o articles.md
  labctl report results/*.json curl.json -o report.html`,
		GroupID: groupLook,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("say files written by labctl run -o FILE.json: labctl report RESULT.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if out.overviewOnly && out.format != "table" && out.format != "markdown" {
				return fmt.Errorf("--overview is a table: choose --format table or markdown, not %s", out.format)
			}
			results, err := out.read(args)
			if err != nil {
				return err
			}
			sink, err := out.open(s)
			if err != nil {
				return err
			}
			defer sink.discard()
			out.overview = out.overviewOnly || len(results) > 1
			if err := out.render(sink.w, results); err != nil {
				return written(err)
			}
			return sink.commit()
		},
	}
	flags := newFlags()
	flags.BoolVar(&out.overviewOnly, "overview", false, "one table of all figures and nothing else")
	c.Flags().AddFlagSet(flags)
	shape := out.add(c, "numbers, doubts and verdicts only", "table", "json", "csv", "markdown", "html", "junit")
	groupUsage(c, []flagGroup{{"What:", flags}, shape})
	return c
}

// read reads files of results, and keeps the audits among them for a page.
func (o *output) read(files []string) ([]report.Result, error) {
	var results []report.Result
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w: say a file written by labctl run -o FILE.json", file, unwrapPath(err))
		}
		if isAudit(data) {
			a, err := card.Read(data)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if o.audits = append(o.audits, a); o.format != "html" {
				return nil, fmt.Errorf("%s is an audit, which %s cannot show among results: choose --format html", file, o.format)
			}
			continue
		}
		found, err := report.ReadJSON(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, unwrapPath(err))
		}
		results = append(results, found...)
	}
	return results, nil
}

// isAudit looks at the schema only: the reader of the one or the other says what is
// wrong with the rest.
func isAudit(data []byte) bool {
	var head struct {
		Schema string `json:"schema"`
	}
	return json.Unmarshal(data, &head) == nil && strings.HasPrefix(head.Schema, "labctl/audit/")
}
