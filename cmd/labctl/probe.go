package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"labctl/topology/live"
)

// probeFlags say what is sent, and where it is counted.
type probeFlags struct {
	listen, tail, token, fault string
	method, body, format       string
	timeout, quietFor          time.Duration
	most                       int
}

// probeNoise is how much two gaps of one rest may differ: a deployed system has networks
// and queues on the way.
const probeNoise = 10 * time.Millisecond

func probeCommand(s streams) *cobra.Command {
	var f probeFlags
	c := &cobra.Command{
		Use:   "probe URL",
		Short: "Say how many layers retry in a deployed system, from one request",
		Long: `Send exactly one request through a deployed system whose last hop points to a
tail that fails, count what arrives there, and say which layers made it: their
attempts multiply to the count, and each rests in its own way between them.

The tail is started at --listen; with --tail it is a labctl serve elsewhere, or
one id of it: --tail http://tail.test:8425/p/mine. What it counted before is
forgotten. Send no other requests through the system meanwhile: they count too.

After the answer the probe waits until no hit came for --quiet-for: retries may
go on in the background. Layers that rest alike, or not at all, cannot be told
apart; then every product is listed.`,
		Example: `  labctl probe http://checkout.staging.test/orders --listen 0.0.0.0:8425
  labctl probe http://localhost:8080/ --fault reset --method POST --body '{}'
  labctl probe http://localhost:8080/ --max-amplification 3`,
		GroupID: groupAudit,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("probe takes one URL, that of the system's front door: labctl probe http://localhost:8080/")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c, args[0]); err != nil {
				return err
			}
			return f.run(c.Context(), s, args[0], c.Flags().Changed("fault"))
		},
	}
	groupUsage(c, addGroups(c, f.groups()...))
	return c
}

func (f *probeFlags) groups() []flagGroup {
	request, tail, output := newFlags(), newFlags(), newFlags()
	request.StringVar(&f.method, "method", http.MethodGet, "`method` of the request")
	request.StringVar(&f.body, "body", "", "`text` that it carries")
	request.DurationVar(&f.timeout, "timeout", time.Minute, "wait so long for the answer, and as long for the retries after it, a `time`")
	request.DurationVar(&f.quietFor, "quiet-for", 3*time.Second, "the retries are over when no hit came for this `time`; say more than the longest rest")
	tail.StringVar(&f.listen, "listen", defaultListen, "`address` of the tail, which the last hop of the system points to")
	tail.StringVar(&f.tail, "tail", "", "`URL` of a labctl serve in its place, or of one id of it")
	tail.StringVar(&f.token, "token", "", "`secret` of its control API (default LABCTL_TOKEN)")
	tail.StringVar(&f.fault, "fault", "503", "fault `program` of the tail; that of --tail is changed only when this is given")
	output.IntVar(&f.most, "max-amplification", 0, "exit 1 when the request became more than this `number` of hits")
	output.StringVar(&f.format, "format", "table", "how the result looks, a `format`: table, json")
	return []flagGroup{{"Request:", request}, {"Tail:", tail}, {"Output:", output}}
}

func (f *probeFlags) check(c *cobra.Command, target string) error {
	u, err := url.Parse(target)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%q is no URL: write it like http://localhost:8080/orders", target)
	case f.timeout <= 0:
		return fmt.Errorf("--timeout: %v would wait for nothing: say a time, such as 60s", f.timeout)
	case f.quietFor <= 0:
		return fmt.Errorf("--quiet-for: %v would not wait for retries: say more than the longest rest, such as 3s", f.quietFor)
	case c.Flags().Changed("max-amplification") && f.most < 1:
		return fmt.Errorf("--max-amplification: %d: say 1 for no retry at all, or more", f.most)
	case !slices.Contains([]string{"table", "json"}, f.format):
		return fmt.Errorf("--format %q: choose table, json", f.format)
	case f.tail != "" && c.Flags().Changed("listen"):
		return errors.New("--tail is in place of --listen: leave one of them out")
	case f.tail == "" && f.token != "":
		return errors.New("--token: only a labctl serve asks for one: say --tail URL")
	}
	if _, err := http.NewRequest(f.method, target, nil); err != nil || f.method == "" {
		return fmt.Errorf("--method %q: write it like GET or POST", f.method)
	}
	return nil
}

// run probes, and prints what was found also when that is too much.
func (f *probeFlags) run(ctx context.Context, s streams, target string, faultSaid bool) error {
	tail, err := f.open(ctx, faultSaid)
	if err != nil {
		return err
	}
	defer tail.close()
	if _, err := fmt.Fprintf(s.err, "labctl: the last hop of the system has to point to the tail, %s\n", tail.where()); err != nil {
		return written(err)
	}
	r, err := f.probe(ctx, progress{s.progress}, tail, target)
	if err != nil {
		return err
	}
	if r.Hits == 0 && !r.Partial {
		return failed("no hit came to the tail, %s (%s): point the last hop of the system to it, and see that it is not taken for down", tail.where(), r.answered())
	}
	if f.format == "json" {
		err = r.writeJSON(s.out)
	} else {
		err = r.writeText(s.out)
	}
	switch {
	case err != nil:
		return written(err)
	case r.Partial:
		return live.ErrInterrupted
	case f.most > 0 && r.Hits > f.most:
		return failed("one request became %s, over the limit of %d", plural(r.Hits, "hit"), f.most)
	case f.most > 0 && r.AtLeast:
		return failed("one request became at least %s, which does not show that %d is the most: see the doubt", plural(r.Hits, "hit"), f.most)
	}
	return nil
}

// probe sends the request and waits until nothing more comes.
func (f *probeFlags) probe(ctx context.Context, p progress, tail probeTail, target string) (probeResult, error) {
	r := probeResult{Schema: probeSchema, URL: target, Method: f.method, Fault: tail.program(), Labctl: version(), MaxAmplification: f.most}
	if err := tail.forget(ctx); err != nil {
		return r, err
	}
	told := tellHits(ctx, p, tail, fmt.Sprintf("at most %v for the answer", f.timeout))
	r.Answer = sendOnce(ctx, f.method, target, f.body, f.timeout)
	told()
	if r.Answer.unreachable {
		return r, failed("%s cannot be reached: %s: see that the system runs there", target, r.Answer.Error)
	}
	told = tellHits(ctx, p, tail, fmt.Sprintf("at most %v until none came for %v", f.timeout, f.quietFor))
	end, err := untilQuiet(ctx, tail, f.quietFor, f.timeout)
	told()
	if err != nil && ctx.Err() == nil {
		return r, err
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer stop()
	seen, err := tail.look(last)
	if err != nil {
		return r, err
	}
	r.Partial = ctx.Err() != nil
	r.judge(seen, end, f)
	return r, nil
}

// lastLook is how long an interrupted probe still waits for what was counted.
const lastLook = 2 * time.Second
