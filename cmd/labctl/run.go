package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology/live"
)

func runCommand(s streams) *cobra.Command {
	var lab labFlags
	var out output
	c := &cobra.Command{
		Use:   "run NAME|FILE.yaml …",
		Short: "Run scenarios and print what arrived at the tail",
		Long: `Run scenarios by name, one after the other; "articles" runs all of them
and prints one table of every published figure beside what was measured. labctl
list names them.

The flags change the scenario before it runs, and win over what a variant sets.
--policy puts the policies of a file, such as labctl audit writes, in place of
the client's, or with LAYER=FILE of another layer's; flags for single settings
(--attempts, --rest, --jitter, --set …) are applied after it.
Only a reference variant, such as fixed in jitter-herd, keeps what sets it
apart: the others are compared with it. Figures whose setting you changed are
not compared with the published ones, and a figure that is off does not change
the exit code; labctl check does that.

--watch redraws the histogram of a live run on the terminal while its hits
arrive. It needs stderr to be one; the result is the same as without.

An interrupt (Ctrl-C) ends the run and prints what was measured so far, marked
partial; a second one kills.`,
		Example: `  labctl run nested-retry
  labctl run nested-retry --attempts 2,4,3 --tree
  labctl run jitter-herd --clients 1000 --jitter full --rest 200ms
  labctl run metastable --watch
  labctl run layers --count 12`,
		ValidArgsFunction: completeScenarios,
		GroupID:           groupRun,
		RunE:              func(c *cobra.Command, names []string) error { return runNamed(c, names, s, &lab, &out) },
	}
	groups := lab.addRun(c)
	groups = append(groups, out.add(c, "numbers, doubts and verdicts only", "table", "json", "csv", "markdown", "html", "junit", "github"))
	groupUsage(c, groups)
	return c
}

func runNamed(c *cobra.Command, names []string, s streams, lab *labFlags, out *output) error {
	if out.overview = slices.Contains(names, articles); out.overview && !c.Flags().Changed("attempts") {
		lab.grid = true // every figure has a row
	}
	jobs, err := lab.jobs(c, names)
	if err == nil {
		err = lab.watchable(s, out.quiet)
	}
	if err != nil {
		return err
	}
	out.files = fileNames(jobs)
	spans, err := lab.traceTo(c, out, jobs)
	if err != nil {
		return err
	}
	return spans.end(runJobs(c.Context(), s, out, jobs))
}

// runnable is a job, or a question that needs no run.
type runnable interface {
	run(context.Context, *bar) (report.Result, error)
	runs() int // of topologies
}

// fileNames maps the scenarios that came from files to their names.
func fileNames(jobs []runnable) map[string]string {
	files := map[string]string{}
	for _, j := range jobs {
		if j, is := j.(job); is && j.plan.Scenario.File != "" {
			files[j.plan.Scenario.Name] = j.plan.Scenario.File
		}
	}
	return files
}

// jobs plans everything, so that nothing starts before all of it can.
func (f *labFlags) jobs(c *cobra.Command, names []string) ([]runnable, error) {
	chosen, err := findScenarios(names)
	if err != nil {
		return nil, err
	}
	if err := f.onlyVariant(c, chosen); err != nil {
		return nil, err
	}
	if err := f.contradictions(c, chosen); err != nil {
		return nil, err
	}
	var jobs []runnable
	for _, s := range chosen {
		if c.Flags().Changed("count") {
			r, err := f.readings(c, s)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, r)
			continue
		}
		j, err := f.plan(c, s, f.engine, f.net)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// onlyVariant leaves just the variant that a flag names.
func (f *labFlags) onlyVariant(c *cobra.Command, chosen []scenarios.Scenario) error {
	if _, said := given(c, "variant"); !said {
		return nil
	}
	for i, s := range chosen {
		one, err := s.Only(f.variant)
		if err != nil {
			return fmt.Errorf("--variant: %w", err)
		}
		chosen[i] = one
	}
	return nil
}

// runJobs runs jobs and writes their results. After an interrupt it writes the
// results so far.
func runJobs(ctx context.Context, s streams, out *output, jobs []runnable) error {
	sink, err := out.open(s)
	if err != nil {
		return err
	}
	defer sink.discard()
	p := progress{s.progress}
	if out.quiet {
		p.w = nil
	}
	results, ended := runAll(ctx, p, jobs)
	if ended != nil && !isInterrupt(ended) || len(results) == 0 {
		return ended
	}
	if err := out.render(sink.w, results); err != nil {
		return written(err)
	}
	if err := sink.commit(); err != nil {
		return err
	}
	out.warn(s.err, results)
	if ended == nil {
		ended = expectationsFail(results)
	}
	return saved(ended, sink)
}

// runAll runs jobs one after the other, under one bar. After an interrupt it returns
// the results so far, with live.ErrInterrupted.
func runAll(ctx context.Context, p progress, jobs []runnable) ([]report.Result, error) {
	runs := 0
	for _, j := range jobs {
		runs += j.runs()
	}
	b := newBar(p, runs)
	defer b.close()
	var results []report.Result
	for _, j := range jobs {
		if ctx.Err() != nil {
			return results, live.ErrInterrupted
		}
		r, err := j.run(ctx, b)
		if err != nil && !isInterrupt(err) {
			return nil, err
		}
		if results = append(results, r); err != nil {
			return results, err
		}
	}
	return results, nil
}

// saved says where the results of an interrupted run went.
func saved(ended error, k *sink) error {
	if ended == nil || k.shown == "" {
		return ended
	}
	return fmt.Errorf("%w: %s holds what was measured so far, marked partial", ended, k.shown)
}

// answer is a result that is known without a run.
type answer struct{ result report.Result }

func (a answer) run(context.Context, *bar) (report.Result, error) { return a.result, nil }

func (answer) runs() int { return 0 }

// readings explains a count instead of running anything.
func (f *labFlags) readings(c *cobra.Command, s scenarios.Scenario) (answer, error) {
	found, err := scenarios.Readings(f.count)
	return answer{report.Result{
		Schema: report.Schema, Scenario: s.Name, Title: s.Title,
		Engine: f.engine, Seed: s.Topology.Run.Seed, Labctl: version(), // no network: nothing is sent
		Command:  command(c, s.Name, ""),
		Readings: found,
	}}, err
}
