package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"labctl/trace"
	"labctl/trace/lab"
)

// tracing is the file that the spans of a run are written to; nil: nobody asks.
type tracing struct {
	sink *sink
	rec  *lab.Recorder
}

// traceTo opens the file that --trace names, and has the only run of the jobs write its
// spans there: spans of several runs would be counted together.
func (f *labFlags) traceTo(c *cobra.Command, out *output, jobs []runnable) (*tracing, error) {
	name, said := given(c, "trace")
	if !said {
		return nil, nil
	}
	j, err := oneRun(jobs)
	switch {
	case err != nil:
		return nil, err
	case name == "" || name == "-":
		return nil, errors.New("--trace: say a file, such as spans.json: stdout has the result")
	case name == out.file:
		return nil, fmt.Errorf("--trace %s: -o writes the result there: choose another file", name)
	}
	k, err := openSink(name)
	if err != nil {
		return nil, environment(fmt.Errorf("cannot write %s: %w", name, err))
	}
	j.plan.Runs = slices.Clone(j.plan.Runs)
	run := &j.plan.Runs[0]
	run.Rounds = 1 // not the best of several
	w := trace.NewWriter(k.w)
	w.Scope = "labctl"
	w.Resource = []trace.Attribute{
		{Key: "labctl.scenario", Value: j.plan.Scenario.Name}, {Key: "labctl.variant", Value: run.Name}, {Key: "labctl.engine", Value: j.engine},
	}
	t := &tracing{k, lab.NewRecorder(w, run.For(j.engine))}
	j.spans = t.rec.Span
	jobs[0] = j
	return t, nil
}

// oneRun is the job of which there is one, with one run.
func oneRun(jobs []runnable) (job, error) {
	j, is := jobs[0].(job)
	switch {
	case len(jobs) > 1 || !is:
		return j, errors.New("--trace writes the spans of one run: name one scenario")
	case j.engine == engineBoth:
		return j, errors.New("--trace writes the spans of one run: choose --engine live or sim")
	case j.repeat > 1:
		return j, errors.New("--trace writes the spans of one run: leave out --repeat")
	case len(j.plan.Runs) > 1:
		return j, fmt.Errorf("--trace writes the spans of one run, and %s has %d: choose one with --variant %s", j.plan.Scenario.Name, len(j.plan.Runs), j.plan.Runs[0].Name)
	}
	return j, nil
}

// end puts the file in its place, unless there was no run. ended is how that ended.
func (t *tracing) end(ended error) error {
	if t == nil {
		return ended
	}
	defer t.sink.discard()
	var coded codedError
	if failed := errors.As(ended, &coded) && coded.code == exitFailed; ended != nil && !failed && !isInterrupt(ended) {
		return ended
	}
	if err := t.rec.Close(); err != nil {
		return written(err)
	}
	if err := t.sink.commit(); err != nil {
		return err
	}
	return ended
}
