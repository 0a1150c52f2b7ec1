package run

import (
	"context"

	"labctl/audit"
	"labctl/audit/tail"
)

// trial puts one probe to the subject.
func (p Plan) trial(ctx context.Context, probe audit.Probe) (audit.Trial, error) {
	warm := warmingOf(probe, p.Caller.Warms())
	text, err := programOf(probe, warm)
	if err != nil {
		return audit.Trial{}, err
	}
	passage, err := p.Path.open(ctx, probe.Fault, text)
	if err != nil {
		return audit.Trial{}, err
	}
	defer passage.close()

	told, err := p.call(ctx, probe, passage, warm)
	if err != nil {
		return audit.Trial{}, err
	}
	passage.settle(ctx, p.Path)
	if err := passage.close(); err != nil {
		return audit.Trial{}, err
	}
	t := audit.Trial{
		Probe: probe, Exit: told.Exit, Elapsed: told.Elapsed,
		Hits: passage.tail.Hits(), Connections: passage.tail.Connections(), Uncounted: passage.tail.Uncounted(),
		Proxied: p.Path.Through != "" || len(p.Path.Proxies) > 0,
	}
	if !probe.Fault.NeverConnects() {
		markWarm(&t, warm)
	}
	settleMethod(&t)
	return t, ctx.Err()
}

// call lets the caller make its request. One that warms up by itself has somewhere to do
// so where the probe's own port refuses.
func (p Plan) call(ctx context.Context, probe audit.Probe, way *passage, w warming) (Told, error) {
	ask := p.ask(probe, way.url, w)
	if w == byCommand && probe.Fault.NeverConnects() {
		well, err := tail.Open(tail.Plan{Program: "ok+close"})
		if err != nil {
			return Told{}, err
		}
		defer well.Close()
		ask.Warm = well.URL()
	}
	return p.Caller.Call(ctx, ask)
}

func (p Plan) ask(probe audit.Probe, url string, w warming) Ask {
	a := Ask{URL: url, Method: probe.Method, Time: p.Time}
	if a.Time <= 0 {
		a.Time = DefaultTime
	}
	if w == byCommand {
		a.Warm = url + "warm"
	}
	if probe.Method != "" && probe.Method != "GET" {
		a.Body = p.Body
		if a.Body == "" {
			a.Body = DefaultBody
		}
	}
	if probe.Keyed {
		a.Key = "labctl-audit"
	}
	return a
}

// markWarm tells the request in front from the attempts. A command that had to make one
// made it first; what came of a redirect is a subject that follows, or one that could not
// be asked.
func markWarm(t *audit.Trial, w warming) {
	if w == cold || len(t.Hits) == 0 {
		return
	}
	t.Hits[0].Warm = true
	if t.Probe.Connection != audit.Reused || t.Probe.Fault.Group != audit.Transport {
		return
	}
	attempts := t.Attempts()
	switch {
	case w == byRedirect && len(attempts) == 0:
		t.Unasked = errUnasked.Error()
	case len(attempts) > 0 && attempts[0].Turn == 1:
		t.Unasked = "its request after the one in front came on a connection of its own: it does not use connections again"
	}
}

// settleMethod says what was sent, which a subject may decide for itself.
func settleMethod(t *audit.Trial) {
	if t.Probe.Method == "" {
		t.Probe.Method = "GET"
	}
	if attempts := t.Attempts(); len(attempts) > 0 && attempts[0].Method != "" {
		t.Probe.Method = attempts[0].Method
	}
}
