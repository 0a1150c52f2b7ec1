package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
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
	found := node.Gather(ctx, sources, cmp.Or(f.token, os.Getenv("LABCTL_TOKEN")), f.wait)
	if ctx.Err() != nil {
		return live.ErrInterrupted
	}
	r, err := f.merge(ctx, lab, found)
	if err != nil {
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
	if r.Partial {
		return failed("something is missing: see the warnings, and collect again when it is there")
	}
	return expectationsFail(results)
}

// merge makes the result, with its shadow, figures and expectations.
func (f *collectFlags) merge(ctx context.Context, lab chosen, found []node.Found) (report.Result, error) {
	r, err := lab.plan.Run(ctx, scenarios.Gathered(func(_ context.Context, t topology.Topology, o live.Options) (report.Variant, []report.Warning, error) {
		return node.Merge(t, lab.identity, found, o)
	}))
	r.Net, r.Labctl = live.TCP().Name(), version()
	return r, err
}

// sources are all services of the lab, and the herds.
func (f *collectFlags) sources(t *topology.Topology, herds []string) ([]node.Source, error) {
	places := map[string]string{}
	for _, text := range f.nodes {
		name, where, ok := strings.Cut(text, "=")
		if !ok || where == "" {
			return nil, fmt.Errorf("--node %q: write it as name=url, such as c=http://10.0.0.3:8080", text)
		}
		if t.Service(name) == nil || name == topology.ClientName {
			return nil, fmt.Errorf("--node %q: %s has no service %s", text, f.lab.file, name)
		}
		if places[name] != "" {
			return nil, fmt.Errorf("--node: %s stands twice: name each service once", name)
		}
		places[name] = where
	}
	var out []node.Source
	for _, s := range t.Services[1:] {
		source, err := sourceOf(s.Name, cmp.Or(places[s.Name], "http://"+s.Name+":"+node.DefaultPort))
		if err != nil {
			return nil, fmt.Errorf("--node %s: %w", s.Name, err)
		}
		out = append(out, source)
	}
	for _, name := range herds {
		source, err := sourceOf(topology.ClientName, name)
		if err == nil && source.Left == nil {
			err = errors.New("give the file that labctl node --herd wrote")
		}
		if err == nil && source.Left.Record.Herd == nil {
			err = errors.New("it is what a service saw: give it as --node NAME=FILE")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, source)
	}
	return out, nil
}

// sourceOf is a node to ask, or what a process left behind.
func sourceOf(service, where string) (node.Source, error) {
	s := node.Source{Service: service}
	if strings.HasPrefix(where, "http://") {
		var err error
		s.Host, err = node.HostOf(where)
		return s, err
	}
	data, err := os.ReadFile(where)
	if err != nil {
		return s, fmt.Errorf("cannot read it: %w", unwrapPath(err))
	}
	r, err := node.ReadResult(data)
	s.Left = &r
	return s, err
}
