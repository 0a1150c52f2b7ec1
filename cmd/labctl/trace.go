package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/trace"
)

func traceCommand(s streams) *cobra.Command {
	var out output
	var most float64
	c := &cobra.Command{
		Use:   "trace FILE …",
		Short: "Amplification and who retried, from the spans of a tracing system",
		Long: `Read spans that a tracing system recorded, and say how many requests each service
got for one request of the outermost, by each path of calls, and which layers
retried. Files hold OTLP JSON, as the file exporters of collectors write it, or
Jaeger's JSON, as its page and its API give it; they may be packed with gzip.
Several files are read as one. - is stdin.

An attempt that says in http.request.resend_count how often it was sent before is
a retry; of others, one that follows a failed attempt at the same operation. What
spans cannot tell is said in notes. With --max-amplification the exit code is 1
when a path has more.

labctl run --trace FILE writes such a file of a run of the lab.`,
		Example: `  labctl trace spans.jsonl
  labctl trace jaeger-trace.json --max-amplification 3
  labctl run nested-retry --variant a3xb3 --trace spans.json && labctl trace spans.json`,
		GroupID: groupAudit,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("say files of spans, in OTLP JSON or Jaeger JSON: labctl trace spans.json")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if _, said := given(c, "max-amplification"); said && !(most >= 0) {
				return fmt.Errorf("--max-amplification %v: say a number from 0 on", most)
			}
			var spans []trace.Span
			for _, name := range args {
				var err error
				if spans, err = readSpans(s.in, name, spans); err != nil {
					return err
				}
			}
			r := trace.Analyze(spans)
			if err := writeTrace(&out, s, r); err != nil {
				return err
			}
			return amplified(c, r, most)
		},
	}
	flags := newFlags()
	flags.Float64Var(&most, "max-amplification", 0, "exit with 1 when a path has more than this `number` of requests per request of its root")
	c.Flags().AddFlagSet(flags)
	groupUsage(c, []flagGroup{{"Judge:", flags}, out.add(c, "no notes", "table", "json", "markdown")})
	return c
}

func readSpans(stdin io.Reader, name string, to []trace.Span) ([]trace.Span, error) {
	from := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w: say a file of spans", name, unwrapPath(err))
		}
		defer f.Close()
		from = f
	}
	spans, err := trace.Read(to, from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, unwrapPath(err))
	}
	return spans, nil
}

func writeTrace(out *output, s streams, r trace.Report) error {
	sink, err := out.open(s)
	if err != nil {
		return err
	}
	defer sink.discard()
	switch shown := r; out.format {
	case "json":
		err = report.WriteDocument(sink.w, r)
	case "markdown":
		err = trace.Markdown(sink.w, r)
	default:
		if out.quiet {
			shown.Notes = nil
		}
		err = trace.Table(sink.w, shown, textOptions(sink.w, out.quiet))
	}
	if err != nil {
		return written(err)
	}
	return sink.commit()
}

// amplified fails when a path has more than a flag allows.
func amplified(c *cobra.Command, r trace.Report, most float64) error {
	if _, said := given(c, "max-amplification"); !said {
		return nil
	}
	worst, is := r.Worst()
	switch {
	case !is:
		return failed("there is no call in the files: nothing shows what a request becomes")
	case worst.Amplification <= most && incomplete(r):
		return failed("spans are missing, so that %s does not show that %s is the most: see the notes", worst, strconv.FormatFloat(most, 'g', -1, 64))
	case worst.Amplification <= most:
		return nil
	}
	return failed("%s has an amplification of %s, over --max-amplification %s", worst,
		strconv.FormatFloat(worst.Amplification, 'g', 6, 64), strconv.FormatFloat(most, 'g', -1, 64))
}

// incomplete reports whether there were more requests than the spans show.
func incomplete(r trace.Report) bool {
	return slices.ContainsFunc(r.Notes, func(n trace.Note) bool { return n.Code == "missing-attempts" || n.Code == "missing-parents" })
}
