package main

import (
	"fmt"
	"strings"

	"labctl/topology"
	"labctl/topology/ledger"
)

// topologyRows says what a lab is made of: each service and what it does, the
// load, and what is recorded.
func topologyRows(t topology.Topology) [][]string {
	var rows [][]string
	for _, svc := range t.Services {
		for i, line := range role(svc) {
			name := svc.Name
			if i > 0 {
				name = ""
			}
			rows = append(rows, []string{name, line})
		}
	}
	for i, line := range loadLines(t) {
		name := "load"
		if i > 0 {
			name = ""
		}
		rows = append(rows, []string{name, line})
	}
	return append(rows, []string{"run", fmt.Sprintf("bins of %v, seed %d", t.Run.Bin, t.Run.Seed)})
}

// role says what a service does with a request, a line for each thing.
func role(s topology.Service) []string {
	var lines []string
	for _, c := range s.Calls {
		lines = append(lines, callText(c))
	}
	if len(s.Calls) == 0 && s.Fault == "" {
		lines = append(lines, "answers ok")
	}
	if s.Fault != "" {
		lines = append(lines, "answers by the fault program "+s.Fault)
	}
	if text := capacityText(s); text != "" {
		lines = append(lines, text)
	}
	for _, r := range s.Routes {
		lines = append(lines, routeText(r))
	}
	for i, r := range s.Replica {
		if r.Fault != "" {
			lines = append(lines, fmt.Sprintf("replica %d answers by the fault program %s", i, r.Fault))
		}
	}
	return lines
}

// callText says how a service calls another.
func callText(c topology.Call) string {
	p := ledger.Describe(c)
	text := fmt.Sprintf("calls %s: %s (%s)", c.To, plural(p.Attempts, "attempt"), retries(p.Retries))
	if p.Attempts < 0 {
		text = fmt.Sprintf("calls %s: attempts without a limit", c.To)
	}
	if p.Stack != nil {
		text = fmt.Sprintf("calls %s: %s", c.To, strings.Join(p.Stack, " → "))
	}
	for _, part := range []struct{ name, value string }{
		{"rest", p.Rest}, {"backoff", p.Backoff}, {"cap", p.Cap}, {"jitter", p.Jitter},
	} {
		if part.value != "" {
			text += ", " + part.name + " " + part.value
		}
	}
	if c.KeepWorking {
		text += ", and tells nobody when its caller leaves"
	}
	if !c.Latency.IsZero() {
		text += ", latency " + c.Latency.String() + " each way"
	}
	return text
}

func capacityText(s topology.Service) string {
	var parts []string
	add := func(is bool, format string, args ...any) {
		if is {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(s.Replicas > 1, "%d replicas", s.Replicas)
	add(s.Workers > 0, "%s", plural(s.Workers, "worker"))
	add(!s.Time.IsZero(), "%s for a request", s.Time)
	add(s.Queue > 0, "a queue of %d", s.Queue)
	add(s.Queue == topology.Full, "no queue")
	add(s.Skew != 0, "a clock that is off by %v", s.Skew)
	add(s.Idempotency != 0, "idempotency keys: %s", s.Idempotency)
	for _, w := range s.Speed {
		add(true, "%s", speedText(w))
	}
	return strings.Join(parts, ", ")
}

func speedText(w topology.Speed) string {
	switch {
	case w.Percent == 0:
		return fmt.Sprintf("stands still from %v to %v", w.From, w.Until)
	case w.To != 0 && w.To != w.Percent:
		return fmt.Sprintf("from %d%% to %d%% of its speed between %v and %v", w.Percent, w.To, w.From, w.Until)
	}
	return fmt.Sprintf("%d%% of its speed from %v to %v", w.Percent, w.From, w.Until)
}

func routeText(r topology.RouteOf) string {
	text := "requests for " + r.Route + ":"
	if !r.Time.IsZero() {
		text += fmt.Sprintf(" %s", r.Time)
	}
	if r.Workers > 0 {
		text += " " + plural(r.Workers, "worker") + " of their own"
	}
	if r.Fault != "" {
		text += " answered by the fault program " + r.Fault
	}
	return text
}

// loadLines says who asks for what, and until when.
func loadLines(t topology.Topology) []string {
	var lines []string
	if t.Load.Open() {
		lines = append(lines, "an open loop: "+rateText(t.Load.Rate))
	} else {
		for _, h := range t.Load.Herds() {
			lines = append(lines, herdText(t.Load, h))
		}
	}
	if t.Load.For > 0 {
		lines = append(lines, fmt.Sprintf("until %v", t.Load.For))
	}
	return lines
}

func rateText(r topology.Rate) string {
	if len(r.At) > 0 {
		return fmt.Sprintf("%d given instants", len(r.At))
	}
	var steps []string
	for _, s := range r.Steps {
		text := fmt.Sprintf("%g requests per second", float64(s.Milli)/1000)
		if s.From > 0 {
			text += fmt.Sprintf(" from %v", s.From)
		}
		steps = append(steps, text)
	}
	if r.Poisson {
		steps = append(steps, "as a Poisson process")
	}
	return strings.Join(steps, ", ")
}

func herdText(l topology.Load, h topology.Herd) string {
	text := plural(h.Clients, "client")
	if h.Route != "" {
		text += " asking for " + h.Route
	}
	switch per := l.PerClient(h); {
	case l.For > 0 && h.Requests == 0:
		text += ", again and again"
	case h.Clients > 1:
		text += ", " + plural(per, "request") + " each"
	default:
		text += ", " + plural(per, "request")
	}
	for _, part := range []struct {
		is   bool
		text string
	}{
		{h.Start > 0, fmt.Sprintf("from %v on", h.Start)},
		{h.Smear > 0, fmt.Sprintf("starting over %v", h.Smear)},
		{!h.Think.IsZero(), fmt.Sprintf("%s between two", h.Think)},
		{!h.Pause.IsZero(), fmt.Sprintf("%s after a failure", h.Pause)},
	} {
		if part.is {
			text += ", " + part.text
		}
	}
	return text
}
