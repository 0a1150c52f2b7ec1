package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/bound"
)

func boundCommand(s streams) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "bound FILE.yaml|NAME",
		Short: "Say without a run what the policies can come to at worst",
		Long: `Work out, from the policies alone, how many requests one of the client's can
become at each service and how long it can take, which layers multiply, and which
settings contradict each other or their own purpose. Nothing is run.

worst case holds whatever the services below do, hanging for ever included; while all
answer is when each answers in its own time. Findings that are errors end with exit
code 1.`,
		Example: `  labctl bound checkout.yaml
  labctl bound nested-retry`,
		GroupID: groupFile,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("say one lab: labctl bound checkout.yaml")
			}
			return nil
		},
		ValidArgsFunction: completeScenarios,
		RunE: func(_ *cobra.Command, args []string) error {
			t, at, err := boundOf(args[0])
			if err != nil {
				return err
			}
			r := bound.Of(&t)
			if err := printBound(s.out, r, at, all); err != nil {
				return written(err)
			}
			return boundErrors(r)
		},
	}
	c.Flags().BoolVar(&all, "notes", false, "also findings that may well be meant")
	return c
}

// boundOf is the topology of a name, and where its settings stand.
func boundOf(name string) (t topology.Topology, at func(path string) string, err error) {
	if !isFile(name) {
		s, ok := scenarios.Find(name)
		if !ok {
			return t, nil, unknownScenario(name)
		}
		return s.Topology, func(path string) string { return path }, nil
	}
	lab, err := readLab(name)
	return lab.Topology, func(path string) string {
		line, column := lab.Position(path)
		if line == 0 {
			return path
		}
		return fmt.Sprintf("%s:%d:%d: %s", name, line, column, path)
	}, err
}

func printBound(out io.Writer, r bound.Report, at func(string) string, all bool) error {
	var b bytes.Buffer
	width := page(out)
	rows := [][]string{{"service", "requests", "layers that multiply", "worst case", "while all answer"}}
	for _, s := range r.Services[1:] {
		rows = append(rows, []string{s.Name, boundCount(s.Hits), product(s), boundTime(s.Time.Worst), boundTime(s.Time.Answering)})
	}
	b.WriteString("For one request of the client, at most:\n\n")
	if err := report.Rows(&b, rows, terminalWidth(out)); err != nil {
		return err
	}
	client := r.Services[0]
	fmt.Fprintf(&b, "\n%s\n", journey(client.Time))
	thumb(&b, r.Calls, width)
	for i, f := range shown(r.Findings, all) {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(report.Wrap(string(f.Severity)+": ", at(f.Path)+": "+f.Message, width, 2) + "\n")
	}
	_, err := out.Write(b.Bytes())
	return err
}

// thumb says what a rule of thumb makes of the calls to which it applies, and what it
// is for.
func thumb(b *bytes.Buffer, calls []bound.Call, width int) {
	told := false
	for _, c := range calls {
		if c.Article > 0 {
			fmt.Fprintf(b, "%s takes at most %s; the rule of thumb, retries × (timeout + longest rest), says %v.\n", c.Path, boundTime(c.Time.Worst), c.Article)
			told = true
		}
	}
	if told {
		b.WriteString(report.Wrap("", ruleOfThumb, width, 0) + "\n")
	}
}

const ruleOfThumb = "The rule of thumb is an estimate to make in the head when you choose a timeout above such a call; set it by what the call takes at most, which reckons with every policy."

// journey says how long a whole request takes at worst.
func journey(t bound.Time) string {
	answering := "it takes at most " + boundTime(t.Answering)
	if t.Answering == bound.Unbounded {
		answering = "nothing in the file bounds it"
	}
	if t.Worst == bound.Unbounded {
		return "Nothing ends a request while a service hangs; while every service answers, " + answering + "."
	}
	return fmt.Sprintf("It takes at most %v, whatever happens; while every service answers, %s.", t.Worst, answering)
}

func shown(fs []bound.Finding, all bool) []bound.Finding {
	var out []bound.Finding
	for _, f := range fs {
		if all || f.Severity != bound.Note {
			out = append(out, f)
		}
	}
	return out
}

func boundErrors(r bound.Report) error {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == bound.Error {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return failed("%s", plural(n, "contradiction"))
}

func product(s bound.Service) string {
	if len(s.Layers) == 0 {
		return "–"
	}
	var words []string
	for _, l := range s.Layers {
		words = append(words, l.Name+" "+boundCount(l.Attempts))
	}
	text := strings.Join(words, " × ")
	if len(s.Layers) > 1 {
		text += " = " + boundCount(s.Product)
	}
	return text
}

func boundCount(n int64) string {
	if n == bound.Unlimited {
		return "no limit"
	}
	return strconv.FormatInt(n, 10)
}

func boundTime(d time.Duration) string {
	if d == bound.Unbounded {
		return "no limit"
	}
	return d.String()
}
