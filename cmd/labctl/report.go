package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func reportCommand(s streams) *cobra.Command {
	var out output
	c := &cobra.Command{
		Use:   "report RESULT.json",
		Short: "Show a result that was saved, in any form",
		Long: `Show a result that labctl run wrote with -o FILE.json, in any form that run has:
nothing is run again. Several results begin with one table of all published
figures; --overview shows nothing but that.`,
		Example: `  labctl run articles --engine both -o articles.json
  labctl report articles.json --overview
  labctl report articles.json -o articles.md`,
		GroupID: groupLook,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("say one file written by labctl run -o FILE.json: labctl report RESULT.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if out.overviewOnly && out.format != "table" && out.format != "markdown" {
				return fmt.Errorf("--overview is a table: choose --format table or markdown, not %s", out.format)
			}
			results, err := readResults(args[0])
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
	shape := out.add(c, "numbers, doubts and verdicts only", "table", "json", "csv", "markdown", "junit")
	groupUsage(c, []flagGroup{{"What:", flags}, shape})
	return c
}
