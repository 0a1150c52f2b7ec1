package run

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"labctl/audit"
)

// stubborn is a client with a policy that is plain to see: so many attempts on any answer
// from 500 and on no answer at all, without rests, by a transport that repeats nothing.
type stubborn struct {
	attempts int
	warms    Warms
	follows  bool
	closes   bool // every connection after one request
}

func (s stubborn) Warms() Warms { return s.warms }

func (s stubborn) Call(ctx context.Context, a Ask) (Told, error) {
	transport := &http.Transport{DisableKeepAlives: s.closes}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	if !s.follows {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	if s.warms == Always || a.Warm != "" {
		send(ctx, client, Ask{URL: a.Warm})
	}
	for range s.attempts {
		if status, err := s.send(ctx, client, a); err == nil && status < 500 {
			return Told{}, nil
		}
	}
	return Told{Exit: audit.Exit{Code: 1}}, nil
}

// send is a request that net/http can redirect where the client follows, and that it then
// repeats by itself as well.
func (s stubborn) send(ctx context.Context, client *http.Client, a Ask) (int, error) {
	if !s.follows {
		return send(ctx, client, a)
	}
	answer, err := client.Get(a.URL)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

func probesOf(t *testing.T, names ...string) []audit.Probe {
	t.Helper()
	var c Choice
	for _, name := range names {
		f, known := audit.FaultNamed(name)
		if !known {
			t.Fatalf("no fault %q", name)
		}
		c.Faults = append(c.Faults, f)
	}
	return c.Probes()
}

func attempts(trials []audit.Trial) (counts []int) {
	for _, t := range trials {
		counts = append(counts, len(t.Attempts()))
	}
	return counts
}

// Trials come back in the order of the probes, fresh in front of reused, whatever order
// they ran in; a warm-up is no attempt.
func TestTrials(t *testing.T) {
	probes := probesOf(t, "ok", "404", "503", "reset", "503 twice, then ok")
	want := []int{1, 1, 1, 1, 3, 3, 3, 3, 3, 3}
	for _, warms := range []Warms{OnDemand, Always} {
		p := Plan{Caller: stubborn{attempts: 3, warms: warms}, Probes: probes}
		trials, err := p.Perform(t.Context())
		if got := attempts(trials); err != nil || !slices.Equal(got, want) {
			t.Errorf("warming %d: attempts %v, %v, want %v", warms, got, err, want)
		}
	}
}

// On a reused connection the tail closes none, and on fresh ones each attempt has its own.
func TestConnectionsOfTrials(t *testing.T) {
	p := Plan{Caller: stubborn{attempts: 3, warms: OnDemand}, Probes: probesOf(t, "503", "reset")}
	trials, err := p.Perform(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{3, 1, 3, 3} { // a reset takes the warmed one, and two more
		if got := trials[i].Connections; got != want {
			t.Errorf("%s: %d connections, want %d", trials[i].Probe, got, want)
		}
	}
	if first := trials[3].Attempts()[0]; first.Turn != 2 || !trials[3].Hits[0].Warm {
		t.Errorf("the first attempt on a reused connection is its request %d", first.Turn)
	}
}

// A command that always warms up has somewhere to do so where the probe's own port refuses.
func TestWarmingBesideARefusal(t *testing.T) {
	p := Plan{Caller: stubborn{attempts: 3, warms: Always}, Probes: probesOf(t, "refused")}
	trials, err := p.Perform(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if why := trials[0].Uncounted; why != "" {
		t.Skip(why)
	}
	if got := len(trials[0].Attempts()); got != 3 {
		t.Errorf("%d attempts, want 3", got)
	}
}

// Without a {warm} the tail redirects the first request, which a subject may not follow.
func TestWarmingByRedirect(t *testing.T) {
	probes := probesOf(t, "close")
	for _, follows := range []bool{true, false} {
		trials, err := Plan{Caller: stubborn{attempts: 2, follows: follows}, Probes: probes}.Perform(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		reused := trials[1]
		if asked := reused.Unasked == ""; asked != follows {
			t.Errorf("follows %v: unasked %q", follows, reused.Unasked)
		}
		if follows && (len(reused.Attempts()) != 3 || reused.Attempts()[0].Turn != 2) {
			t.Errorf("attempts %+v, want two and a replay, the first on a reused connection", reused.Attempts())
		}
	}
}

// A client that closes its connections cannot be asked about one that it uses again.
func TestAClientThatReusesNothing(t *testing.T) {
	p := Plan{Caller: stubborn{attempts: 2, warms: OnDemand, closes: true}, Probes: probesOf(t, "close", "503")}
	trials, err := p.Perform(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range trials {
		asked := tr.Unasked == ""
		if want := tr.Probe.Fault.Name == "503" || tr.Probe.Connection == audit.Fresh; asked != want {
			t.Errorf("%s: unasked %q", tr.Probe, tr.Unasked)
		}
	}
}

// A caller that cannot be started ends the audit at once.
func TestACallerThatCannotStart(t *testing.T) {
	broken := errors.New("no such program")
	_, err := Plan{Caller: failing{broken}, Probes: probesOf(t, "503", "404")}.Perform(t.Context())
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

type failing struct{ error }

func (failing) Warms() Warms                              { return Never }
func (f failing) Call(context.Context, Ask) (Told, error) { return Told{}, f.error }

// An interrupt gives what was measured by then.
func TestAnInterruptedAudit(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := Plan{
		Caller: stubborn{attempts: 1}, Parallel: 1, Probes: probesOf(t, "503", "404"),
		Told: func(done, total int) { cancel() },
	}
	trials, err := p.Perform(ctx)
	if len(trials) != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d trials, %v, want the first and the reason", len(trials), err)
	}
}

// Of each kind of failure the probe with the most gaps is repeated: three times in all
// where its gaps are all alike, and as often as its law needs where they are not.
func TestRepeating(t *testing.T) {
	p := Plan{Caller: stubborn{attempts: 4}, Probes: probesOf(t, "404", "500", "503", "reset")}
	trials, err := p.Perform(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		jittered bool
		more     int
	}{{false, 2}, {true, DefaultTrials - 1}} { // one trial is there
		more, err := p.Repeat(t.Context(), trials, Repetition{Jittered: func(some []audit.Trial) bool {
			if len(some) != 3 {
				t.Errorf("asked about %d trials, want 3", len(some))
			}
			return c.jittered
		}})
		counts := map[string]int{}
		for _, m := range more {
			counts[m.Probe.String()]++
		}
		if err != nil || len(counts) != 2 || counts["503 GET, fresh"] != c.more || counts["reset GET, fresh"] != c.more {
			t.Errorf("jittered %v: repeated %v, %v, want two probes %d times", c.jittered, counts, err, c.more)
		}
	}
	if more, err := p.Repeat(t.Context(), trials[:2], Repetition{}); more != nil || err != nil {
		t.Errorf("a probe without gaps was repeated: %v, %v", more, err)
	}
}

// The lab's own caller makes one attempt, whatever dies under it.
func TestDirectRepeatsNothing(t *testing.T) {
	probes := probesOf(t, "ok", "503", "reset", "close", "truncate", "malformed")
	trials, err := Plan{Caller: Direct{}, Probes: probes, Body: "a body"}.Perform(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, tr := range trials {
		if len(tr.Attempts()) != 1 {
			t.Errorf("%s: %d attempts", tr.Probe, len(tr.Attempts()))
		}
		if well := tr.Exit.Code == 0; well != (i < 2) {
			t.Errorf("%s: exit %+v", tr.Probe, tr.Exit)
		}
	}
}

// A tail that never answers is waited for no longer than a trial may take.
func TestDirectGivesUp(t *testing.T) {
	p := Plan{Caller: Direct{}, Probes: probesOf(t, "hang")[:1], Time: 20 * time.Millisecond}
	trials, err := p.Perform(t.Context())
	if err != nil || !trials[0].Exit.TimedOut || len(trials[0].Hits) != 1 {
		t.Errorf("%+v, %v", trials, err)
	}
}

func TestUnrepeatable(t *testing.T) {
	r, err := http.NewRequest(http.MethodPost, "http://127.0.0.1/", unrepeatable("a body"))
	if err != nil {
		t.Fatal(err)
	}
	if r.GetBody != nil {
		t.Error("the body can be had again, and a transport would send it again")
	}
	if text, _ := io.ReadAll(r.Body); strings.TrimSpace(string(text)) != "a body" {
		t.Errorf("body %q", text)
	}
}

// A request in front is no part of a chain, and does not depend on the port that refuses.
func TestChainsOfACallerThatWarms(t *testing.T) {
	p := Plan{Caller: stubborn{attempts: 3, warms: Always}, Probes: probesOf(t, "503", "refused")}
	done := 0
	alone := p.Prefixes()[0]
	alone.Told = func(n, total int) { done = n }
	chains, err := alone.Chains(t.Context(), audit.Noise{P99: 5 * time.Millisecond})
	if err != nil || len(chains) != 2 || done != 2 {
		t.Fatalf("%d chains, %d told, %v", len(chains), done, err)
	}
	for _, c := range chains {
		if c.Fault == "refused" && c.Hits == 0 {
			continue // this machine does not count SYNs
		}
		if c.Hits != 3 || len(c.Layers) != 1 || c.Layers[0].Attempts != 3 {
			t.Errorf("%+v, want three attempts", c)
		}
	}
}
