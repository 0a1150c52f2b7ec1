package ui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology/live"
)

// errBusy refuses a second live run: two would disturb each other's times.
var errBusy = errors.New("a live run goes on: stop it first, or wait for its end")

// LiveView is a live run as far as it has come. Its bins and those of its shadow, the
// same lab in virtual time, are of the same layer and width.
type LiveView struct {
	Phase      string   `json:"phase"` // none, running, done, stopped, failed
	Query      string   `json:"query"` // the state that it runs
	BinMS      float64  `json:"bin_ms"`
	StartMS    float64  `json:"start_ms"` // of the first bin after the release; not above 0
	ExpectedMS float64  `json:"expected_ms"`
	Hits       int64    `json:"hits"`
	ShadowHits int64    `json:"shadow_hits"` // on the binned layer
	Bins       []int64  `json:"bins"`
	Shadow     []int64  `json:"shadow"`
	Summary    string   `json:"summary"` // when it is over: how it compares
	Warnings   []string `json:"warnings,omitempty"`
	Error      string   `json:"error,omitempty"`
}

// liveRuns holds at most one live run at a time, and the last one when it is over.
type liveRuns struct {
	labs  Labs
	all   context.Context
	end   context.CancelFunc
	going sync.WaitGroup

	mu   sync.Mutex
	last *liveRun
}

func newLiveRuns(labs Labs) *liveRuns {
	r := &liveRuns{labs: labs}
	r.all, r.end = context.WithCancel(context.Background())
	return r
}

// liveRun is one live run.
type liveRun struct {
	start LiveView // what does not change
	bins  []atomic.Int64
	hits  atomic.Int64
	stop  context.CancelFunc

	done   bool // with what follows, under the mutex of liveRuns
	result report.Result
	err    error
}

// close stops the run and waits for its end. None begins afterwards.
func (r *liveRuns) close() {
	r.mu.Lock()
	r.end()
	r.mu.Unlock()
	r.going.Wait()
}

func (r *liveRuns) stop() {
	r.mu.Lock()
	last := r.last
	r.mu.Unlock()
	if last != nil {
		last.stop()
	}
}

// begin starts a live run of a state, or says why not. ctx is for the looking over.
func (r *liveRuns) begin(ctx context.Context, s State, network string) error {
	n, err := networkOf(network)
	if err != nil {
		return err
	}
	m, err := r.labs.prepare(s)
	if err != nil {
		return err
	}
	run, err := newLiveRun(ctx, m, n)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.all.Err() != nil:
		return r.all.Err()
	case r.last != nil && !r.last.done:
		return errBusy
	}
	all, stop := context.WithCancel(r.all)
	run.stop = stop
	r.last = run
	r.going.Go(func() {
		defer stop()
		result, err := m.plan.Run(all, scenarios.LiveWith(live.Options{Net: n, Hit: run.hit}, nil))
		r.mu.Lock()
		defer r.mu.Unlock()
		run.done, run.result, run.err = true, result, err
	})
	return nil
}

func networkOf(name string) (live.Network, error) {
	switch name {
	case "", "tcp":
		return live.TCP(), nil
	case "pipe":
		return live.Pipe(), nil
	}
	return nil, fmt.Errorf("net: %q: choose tcp or pipe", short(name))
}

// longestLive is how long somebody watches.
const longestLive = 2 * time.Minute

// newLiveRun looks a run over and casts its shadow, which says how long it will take.
func newLiveRun(ctx context.Context, m prepared, n live.Network) (*liveRun, error) {
	m.plan.Runs[0].Rounds = 0 // each would be another picture
	t := m.plan.Runs[0].For("live")
	if err := live.Supports(t); err != nil {
		return nil, err
	}
	if err := live.CheckHits(t); err != nil {
		return nil, err
	}
	if err := live.Estimate(t, n).Check(live.ThisMachine()); err != nil {
		return nil, err
	}
	if field, is := t.Timeless(); is {
		return nil, fmt.Errorf("%s: only the machine's time ends this run: use labctl run", field)
	}
	shadow := m.plan
	shadow.Runs = []scenarios.Run{{Name: m.plan.Runs[0].Name, Topology: t}}
	ctx, cancel := context.WithTimeout(ctx, longestAnswer)
	defer cancel()
	ideal, err := shadow.Run(ctx, scenarios.Sim(nil))
	if err != nil || ideal.Partial {
		return nil, ErrTooLong
	}
	v := ideal.Variants[0]
	if v.ElapsedMS > milliseconds(longestLive) || len(v.Bins) > mostBars {
		return nil, fmt.Errorf("it would take %s, which nobody watches: use shorter rests, or labctl run", report.FormatMillis(v.ElapsedMS))
	}
	run := &liveRun{bins: make([]atomic.Int64, 2*len(v.Bins)+20)} // hits may come late
	run.start = LiveView{
		Query: m.state.Query(), BinMS: v.BinMS, StartMS: 0 - v.BinOffsetMS, ExpectedMS: v.ElapsedMS, Shadow: v.Bins,
	}
	for _, n := range v.Bins {
		run.start.ShadowHits += n
	}
	return run, nil
}

// hit counts a hit as it arrives; what comes too late for the picture goes into its
// last bin.
func (l *liveRun) hit(at time.Duration, _ bool) {
	bin := int((milliseconds(at) - l.start.StartMS) / l.start.BinMS)
	l.bins[min(max(bin, 0), len(l.bins)-1)].Add(1)
	l.hits.Add(1)
}

// view says how far the run is.
func (r *liveRuns) view() LiveView {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.last
	if l == nil {
		return LiveView{Phase: "none", Bins: []int64{}, Shadow: []int64{}}
	}
	v := l.start
	v.Hits, v.Bins = l.hits.Load(), l.counted()
	switch {
	case !l.done:
		v.Phase = "running"
	case l.err != nil:
		v.Phase, v.Error = "failed", l.err.Error()
	case l.result.Partial:
		v.Phase = "stopped"
	default:
		v.Phase = "done"
	}
	if l.done && l.err == nil {
		l.conclude(&v)
	}
	return v
}

// counted are the bins so far, without the empty ones at the end.
func (l *liveRun) counted() []int64 {
	out := make([]int64, len(l.bins))
	last := 0
	for i := range l.bins {
		if out[i] = l.bins[i].Load(); out[i] > 0 {
			last = i + 1
		}
	}
	return out[:last]
}

// conclude puts in what the run itself says when it is over, which counts hits by
// their records and not by the watching.
func (l *liveRun) conclude(v *LiveView) {
	of := l.result.Variants[0]
	v.Bins, v.Hits = of.Bins, 0
	for _, n := range of.Bins {
		v.Hits += n
	}
	v.Summary = fmt.Sprintf("%s live, %s in virtual time", plural(v.Hits, "hit"), report.FormatCount(v.ShadowHits))
	if of.DriftMS != nil {
		v.Summary += fmt.Sprintf("; half of them came within %s of their ideal instant, 99 %% within %s",
			report.FormatMillis(of.DriftMS.P50), report.FormatMillis(of.DriftMS.P99))
	}
	for _, w := range l.result.Warnings {
		v.Warnings = append(v.Warnings, w.Message)
	}
}
