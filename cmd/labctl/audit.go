package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"labctl/audit"
	"labctl/audit/infer"
	auditrun "labctl/audit/run"
	"labctl/topology/live"
)

func auditCommand(s streams) *cobra.Command {
	var f auditFlags
	var out auditOutput
	c := &cobra.Command{
		Use:   "audit [flags] -- COMMAND … {url}",
		Short: "Measure the retry policy of a real client or proxy",
		Long: `Run a command against the faulty tail, once for each of some forty faults, on
fresh and on reused connections, and say what its retry policy is: how many
attempts on what, how long it rests and by which law, what it makes of
Retry-After, whether it repeats a POST, and what its HTTP stack repeats behind
its back.

In the words of the command stand for: {url} the address of the fault;
{method}, {body} and {key} the method, body and Idempotency-Key of a probe,
which ask with POST and PUT too; {warm} an address that is well, for programs
that make two requests on one connection: curl -s {warm} {url}. A program that
has no place for a method can have a second command in --post.

The command runs in this folder, dozens of times side by side, each time on a
port of its own. After --time it is ended with what it started: on Linux all of
it; on other Unix systems its process group, and what left that lives on; on
Windows the command alone. It needs no more than to call the address: what it
does about the answer is the question. Reports show it as it was typed: keep
secrets in variables or files.

--proxy puts a proxy between the command and the tail, --layers counts in front
of each and says who multiplies, and without a command the lab sends the
requests itself, one attempt each, so that what arrives is the proxy's doing.
--through does the same with a proxy of yours that runs already.`,
		Example: `  labctl audit -- curl -s --retry 3 {url}
  labctl audit -o policy.yaml -- ./client --url {url}
  labctl audit -- curl -s --retry 3 -X {method} -d {body} -H "Idempotency-Key: {key}" {url}
  labctl audit --proxy nginx
  labctl audit --layers --proxy nginx:statuses --proxy haproxy -- curl -s --retry 2 {url}
  labctl audit --through http://127.0.0.1:8080 --upstream 127.0.0.1:9001,127.0.0.1:9002`,
		GroupID: groupAudit,
		Args:    func(c *cobra.Command, args []string) error { return behindDashes(c, args) },
		RunE: func(c *cobra.Command, args []string) error {
			if f.recipes {
				return f.showRecipes(s)
			}
			job, err := f.job(c, args)
			if err != nil {
				return err
			}
			return job.perform(c.Context(), s, &out)
		},
	}
	groupUsage(c, []flagGroup{f.subject(c), f.probes(c), f.path(c), out.add(c)})
	return c
}

// behindDashes refuses a command that stands where flags do.
func behindDashes(c *cobra.Command, args []string) error {
	if dash := c.ArgsLenAtDash(); len(args) > 0 && dash != 0 {
		return fmt.Errorf("the command %q does not stand behind two dashes: labctl audit [flags] -- %s … {url}", args[0], args[0])
	}
	return nil
}

// An auditJob is an audit that can begin: nothing was wrong with what was asked for.
type auditJob struct {
	subject, version string
	command          []string
	plan             auditrun.Plan
	chains           []auditrun.Plan // the same request through more and more layers
	repeats          int
	failOn           audit.Severity
}

// perform makes the trials and writes what they say. After an interrupt it writes what is
// known so far.
func (j auditJob) perform(ctx context.Context, s streams, out *auditOutput) error {
	out.failOn = j.failOn
	sinks, err := out.open(s)
	if err != nil {
		return err
	}
	defer sinks.discard()
	p := progress{s.progress}
	if out.quiet {
		p.w = nil
	}
	made, err := j.measure(ctx, p)
	var unstartable *auditrun.StartError
	if errors.As(err, &unstartable) {
		return err
	}
	if len(made.trials) == 0 {
		return j.ended(ctx, err)
	}
	found := j.judge(made)
	found.Partial = err != nil
	if err := sinks.write(found); err != nil {
		return err
	}
	if err != nil {
		return j.ended(ctx, err)
	}
	return j.verdict(found, made)
}

// ended tells an interrupt from a machine that refused.
func (auditJob) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return live.ErrInterrupted
	}
	return environment(err)
}

// A measurement is what an audit has seen.
type measurement struct {
	trials []audit.Trial
	chains []audit.Chain
	noise  audit.Noise
}

// measure makes all trials, and measures the machine beside them.
func (j auditJob) measure(ctx context.Context, p progress) (m measurement, err error) {
	b := newBar(p, 1)
	defer b.close()
	var phase *part
	j.plan.Told = func(done, total int) { phase.tell(int64(done), int64(total)) }

	heard := auditrun.Listen(ctx)
	defer func() {
		heard.Stop()
		m.noise = heard.Noise()
	}()
	phase = b.begin(j.subject+": probes", "probes")
	m.trials, err = j.plan.Perform(ctx)
	if err != nil {
		return m, err
	}
	phase = b.begin(j.subject+": repeats for the law of its rests", "trials")
	more, err := j.plan.Repeat(ctx, m.trials, auditrun.Repetition{
		Jittered: func(trials []audit.Trial) bool { return infer.Jittered(trials, heard.Noise()) },
		Trials:   j.repeats,
	})
	m.trials = append(m.trials, more...)
	if err != nil {
		return m, err
	}
	phase = b.begin(j.subject+": layers", "chains")
	for i, plan := range j.chains {
		plan.Told = func(done, total int) { phase.tell(int64(i*total+done), int64(len(j.chains)*total)) }
		chains, err := plan.Chains(ctx, heard.Noise())
		m.chains = append(m.chains, chains...)
		if err != nil {
			return m, err
		}
	}
	return m, nil
}

// judge is what the measurement means.
func (j auditJob) judge(m measurement) audit.Audit {
	v := infer.Infer(m.trials, m.noise)
	var warnings []string
	if busy := busyness(); busy != "" {
		warnings = append(warnings, busy)
	}
	return audit.Audit{
		Schema: audit.Schema, Subject: j.subject, Version: j.version, Command: j.command, Labctl: version(),
		Noise:  &audit.NoiseMS{Median: audit.MS(m.noise.Median), P99: audit.MS(m.noise.P99), Samples: m.noise.Samples},
		Probes: v.Rows, Policy: v.Policy, Findings: append(v.Findings, infer.Chains(m.chains)...), Chains: m.chains,
		Warnings: warnings,
	}
}

// verdict is the error of a subject that never called, and of findings that the user wants
// to fail on.
func (j auditJob) verdict(found audit.Audit, made measurement) error {
	silent := func(t audit.Trial) bool { return len(t.Hits) == 0 && t.Uncounted == "" }
	if !slices.ContainsFunc(made.trials, func(t audit.Trial) bool { return !silent(t) }) {
		return failed("nothing ever reached the tail: %s", j.cure(made.trials[0]))
	}
	n := 0
	for _, f := range found.Findings {
		if j.failOn != "" && f.Severity.AtLeast(j.failOn) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return failed("%s of severity %s or worse: see the findings", plural(n, "finding"), j.failOn)
}

// cure is what to look at when nothing arrives.
func (j auditJob) cure(t audit.Trial) string {
	if len(j.command) == 0 {
		return "see that the proxy runs, and that its upstreams are those of --upstream"
	}
	if t.Exit.Output == "" {
		return "see that the command calls {url}"
	}
	return "the command said: " + t.Exit.Output
}
