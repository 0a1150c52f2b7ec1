package main

import (
	"cmp"
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/node"
)

// collectFlags say where what was seen can be had.
type collectFlags struct {
	lab   hostLab
	nodes []string
	token string
	wait  time.Duration
	trace string
	reset bool
	out   output
}

func collectCommand(s streams) *cobra.Command {
	var f collectFlags
	c := &cobra.Command{
		Use:   "collect --file FILE --node NAME=URL … HERD.json …",
		Short: "Make one result of what nodes and herds saw",
		Long: `Ask the nodes of a run what they saw, put it together with what its herds wrote,
and show it as one result, as if it had been one run on one machine: instants on
the clock of the tail, from the release that the herds agreed on.

Services that no --node names are asked at http://NAME:8080. A node that has
ended may have left a file (labctl node -o): --node c=c.json.

Nodes go on counting: before another run with the same clients, --reset them.

What is missing is said: the result is then marked partial, and the exit code 1.`,
		Example: `  labctl collect --file checkout.yaml --node a=http://10.0.0.1:8080 \
    --node b=http://10.0.0.2:8080 --node c=http://10.0.0.3:8080 \
    herd-1.json herd-2.json -o result.json`,
		GroupID: groupHosts,
		RunE:    func(c *cobra.Command, herds []string) error { return f.collect(c.Context(), s, herds) },
	}
	lab := newFlags()
	f.lab.add(lab)
	lab.StringArrayVar(&f.nodes, "node", nil, "where a service can be asked, as `name=url`, or what it left behind, as name=file.json; may stand several times")
	lab.StringVar(&f.token, "token", "", "`secret` of the nodes (default LABCTL_TOKEN)")
	lab.DurationVar(&f.wait, "wait", 5*time.Second, "`time` for a node to end what it works on")
	lab.StringVar(&f.trace, "trace", "", "also write all requests and attempts to this `file`, as OTLP JSON")
	lab.BoolVar(&f.reset, "reset", false, "afterwards let the nodes forget all, as for the next run")
	groups := addGroups(c, flagGroup{"Lab:", lab})
	groups = append(groups, f.out.add(c, "numbers, doubts and verdicts only", "table", "json", "csv", "markdown", "html", "junit", "github"))
	groupUsage(c, groups)
	return c
}

func (f *collectFlags) collect(ctx context.Context, s streams, herds []string) error {
	lab, err := f.lab.read()
	if err != nil {
		return err
	}
	sources, err := f.sources(&lab.topology, herds)
	if err != nil {
		return err
	}
	sink, err := f.out.open(s)
	if err != nil {
		return err
	}
	defer sink.discard()
	spans, err := openSpans(f.trace, lab.topology)
	if err != nil {
		return err
	}
	defer spans.discard()
	found := node.Gather(ctx, sources, node.GatherOptions{
		Token: f.secret(), Wait: f.wait, Tries: f.trace != "",
	})
	if ctx.Err() != nil {
		return live.ErrInterrupted
	}
	r, err := f.merge(ctx, lab, found, spans.told())
	if err != nil {
		return err
	}
	if err := spans.commit(); err != nil {
		return err
	}
	results := []report.Result{r}
	f.out.files = map[string]string{r.Scenario: f.lab.file}
	if err := f.out.render(sink.w, results); err != nil {
		return written(err)
	}
	if err := sink.commit(); err != nil {
		return err
	}
	f.out.warn(s.err, results)
	if f.reset && !r.Partial { // what is missing may still be had
		if err := node.Reset(ctx, sources, f.secret()); err != nil {
			return environment(err)
		}
	}
	if r.Partial && f.reset {
		return failed("something is missing, so nothing was reset: see the warnings, and collect again when it is there")
	}
	if r.Partial {
		return failed("something is missing: see the warnings, and collect again when it is there")
	}
	return expectationsFail(results)
}

// secret is the token of the nodes.
func (f *collectFlags) secret() string { return cmp.Or(f.token, os.Getenv("LABCTL_TOKEN")) }

// merge makes the result, with its shadow, figures and expectations.
func (f *collectFlags) merge(ctx context.Context, lab chosen, found []node.Found, spans func(topology.Span)) (report.Result, error) {
	r, err := lab.plan.Run(ctx, scenarios.Gathered(func(_ context.Context, t topology.Topology, o live.Options) (report.Variant, []report.Warning, error) {
		o.Spans = spans
		return node.Merge(t, lab.identity, found, o)
	}))
	r.Net, r.Labctl = live.TCP().Name(), version()
	return r, err
}
