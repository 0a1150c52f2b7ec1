package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labctl/audit"
	"labctl/audit/infer"
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
	r, err := f.probe(ctx, tail, target)
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
	}
	return nil
}

// probe sends the request and waits until nothing more comes.
func (f *probeFlags) probe(ctx context.Context, tail probeTail, target string) (probeResult, error) {
	r := probeResult{Schema: probeSchema, URL: target, Method: f.method, Fault: f.fault, Labctl: version(), MaxAmplification: f.most}
	if err := tail.forget(ctx); err != nil {
		return r, err
	}
	r.Answer = sendOnce(ctx, f.method, target, f.body, f.timeout)
	over, err := untilQuiet(ctx, tail, f.quietFor, f.timeout)
	if err != nil && ctx.Err() == nil {
		return r, err
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer stop()
	seen, err := tail.look(last)
	if err != nil {
		return r, err
	}
	r.judge(seen, infer.FactorHits(seen.hits, probeNoise))
	r.Partial = ctx.Err() != nil
	if !over && !r.Partial {
		r.doubt("hits still came %v after the answer: the count is a lower bound; a longer --timeout sees more", f.timeout)
	}
	if r.Answer.Late {
		r.doubt("no answer within %v: the probe left then, and what came later is work that nobody waited for", f.timeout)
	}
	return r, nil
}

// lastLook is how long an interrupted probe still waits for what was counted.
const lastLook = 2 * time.Second

// untilQuiet waits until no hit is in progress and none came for a while, at most so long.
func untilQuiet(ctx context.Context, tail probeTail, quiet, most time.Duration) (over bool, err error) {
	end := time.Now().Add(most)
	count, since := -1, time.Now()
	for {
		seen, err := tail.glance(ctx)
		if err != nil {
			return false, err
		}
		now := time.Now()
		if seen.count != count || seen.busy {
			count, since = seen.count, now
		}
		switch {
		case now.Sub(since) >= quiet:
			return true, nil
		case now.After(end):
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(min(tail.pace(), quiet/4)):
		}
	}
}

// judge puts what arrived into words.
func (r *probeResult) judge(seen sight, found infer.Factors) {
	r.Hits, r.factors = seen.count, found
	r.GapsMS = gapsMS(seen.hits)
	for _, p := range found.Possible {
		var attempts []int
		for _, layer := range p {
			attempts = append(attempts, layer.Attempts)
		}
		r.Possible = append(r.Possible, attempts)
	}
	if found.Alone {
		for _, layer := range found.Possible[0] {
			l := probeLayer{Attempts: layer.Attempts}
			for _, rest := range layer.Rests {
				l.RestsMS = append(l.RestsMS, audit.MS(rest))
			}
			r.Layers = append(r.Layers, l)
		}
	}
	if found.Why != "" {
		r.doubt("%s", found.Why)
	}
	if len(seen.targets) > 1 {
		r.doubt("hits were for several targets, %s: health checks and other requests count too", strings.Join(seen.targets, ", "))
	}
	if seen.count > len(seen.hits) {
		r.doubt("only %d of the hits were kept, so the gaps are of those", len(seen.hits))
	}
	r.find()
}

func gapsMS(hits []audit.Hit) []float64 {
	gaps := []float64{}
	for _, g := range (audit.Trial{Hits: hits}).Gaps() {
		gaps = append(gaps, audit.MS(g))
	}
	return gaps
}
