package run

import (
	"strings"

	"labctl/audit"
	"labctl/faultserver/program"
)

// warming is how the request in front of a reused connection comes about.
type warming uint8

const (
	cold       warming = iota // none is needed
	byCommand                 // the caller sends one to Ask.Warm
	byRedirect                // the tail redirects the first request to itself
)

// warmingOf decides for a probe.
func warmingOf(p audit.Probe, caller Warms) warming {
	needed := p.Connection == audit.Reused && p.Fault.Group == audit.Transport && !p.Fault.NeverConnects()
	switch {
	case caller == Always, needed && caller == OnDemand:
		return byCommand
	case needed && !ownTurns(p.Fault.Program):
		return byRedirect
	}
	return cold
}

// ownTurns tells whether the program says itself what the requests of one connection or
// one client meet: then no step can be put in front.
func ownTurns(text string) bool {
	return strings.HasPrefix(text, "conn:") || strings.HasPrefix(text, "each:")
}

// programOf is what the tail does in a trial: the fault, behind the answer to a warm-up,
// with connections that close where each attempt is to have a fresh one. A blackhole has
// none.
func programOf(p audit.Probe, w warming) (string, error) {
	text := p.Fault.Program
	if p.Fault.NeverConnects() {
		return text, nil
	}
	if !ownTurns(text) {
		switch w {
		case byCommand:
			text = "ok," + text
		case byRedirect:
			text = "307+location=again," + text
		}
	}
	read, err := program.Parse(text)
	if err != nil || p.Connection == audit.Reused {
		return text, err
	}
	for i := range read.Steps {
		if kind := read.Steps[i].Kind; kind == program.OK || kind == program.Status {
			read.Steps[i].Close = true
		}
	}
	return read.String(), nil
}

// FaultOf makes a fault of a program that is not in the catalogue.
func FaultOf(text string) (audit.Fault, error) {
	read, err := program.Parse(text)
	if err != nil {
		return audit.Fault{}, err
	}
	f := audit.Fault{Name: text, Group: audit.Recovery, Program: text}
	if action, constant := read.Constant(); constant {
		f.Group = groupOf(action)
	}
	return f, nil
}

func groupOf(a program.Action) audit.Group {
	switch {
	case a.Kind == program.OK:
		return audit.Control
	case a.Kind != program.Status:
		return audit.Transport
	case a.RetryAfter > 0 || a.RawRetryAfter != "":
		return audit.RetryAfter
	}
	return audit.Status
}
