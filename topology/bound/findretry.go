package bound

import (
	"strings"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// checkOwners finds several policies of one call that each make attempts.
func (s *site) checkOwners() {
	var layers []Layer
	var last *topology.Policy
	for i := range s.stack {
		if n := s.factors[s.edge][i]; n > 1 {
			last = &s.stack[i]
			layers = append(layers, Layer{last.Called(), "", n})
		}
	}
	if len(layers) > 1 {
		s.add("several-owners", Warning, last, "of one call, %s: let one policy own the attempts, or put a budget around them",
			multiply(layers, s.attempts[s.edge]))
	}
}

// hopeless are answers that tell of the request: it will not be better next time
// (RFC 9110, section 15.5).
var hopeless = []int{400, 401, 403, 404, 422}

// checkFilters finds retries of what cannot succeed.
func (s *site) checkFilters() {
	for i := range s.stack {
		p := &s.stack[i]
		var f policy.Filter
		switch {
		case s.factors[s.edge][i] == 1:
			continue
		case p.Retry != nil:
			f = p.Retry.Filter
		case p.Hedge != nil:
			f = p.Hedge.Filter
		}
		var words []string
		for _, code := range hopeless {
			if f.Has(policy.Status(code)) {
				words = append(words, policy.Status(code).String())
			}
		}
		if len(words) > 0 {
			s.add("retry-hopeless", Warning, p, "tries again on %s, which stay what they are however often one asks: leave them out of on", strings.Join(words, ", "))
		}
	}
}

// checkRepeats finds copies of requests that are not safe to repeat.
func (s *site) checkRepeats() {
	if s.repeatable {
		return
	}
	for i := range s.stack {
		switch p := &s.stack[i]; {
		case s.factors[s.edge][i] == 1:
		case p.Retry != nil:
			s.add("unrepeatable-retried", Warning, p, "tries a %s again that carries no key, so its work may be done up to %s times: say load.key: true, or repeatable_only: true",
				s.t.Load.Method, countText(s.factors[s.edge][i]))
		case p.Hedge != nil:
			s.add("unrepeatable-hedged", Error, p, "sends a copy of a slow %s that carries no key, so its work is done twice: say load.key: true, or repeatable_only: true", s.t.Load.Method)
		}
	}
}

// checkTimeout finds retries of calls that nothing ends: an attempt that hangs is
// never followed by another.
func (s *site) checkTimeout() {
	if limit, _ := s.waits(s.edge); limit < Unbounded {
		return
	}
	for _, p := range s.retries {
		s.add("retry-without-timeout", Warning, p, "nothing ends an attempt that hangs, so it is never tried again: put a timeout inside the retry")
	}
}

// checkJitter finds herds that come back in step.
func (s *site) checkJitter() {
	clients, _ := s.herd()
	if clients < 2 || s.t.Load.Open() || s.t.Load.Herd.Smear > 0 {
		return
	}
	for i, p := range s.retries {
		rest := p.Retry.Rest
		last := s.factors[s.edge][i] - 1
		low, high := restAt(rest, last, false), restAt(rest, last, true)
		switch {
		case rest.Base <= 0:
			s.add("no-jitter", Warning, p, "without a rest all %d clients come back at once: say a rest with jitter: full", clients)
		case rest.Jitter.Law == policy.NoJitter:
			s.add("no-jitter", Warning, p, "without jitter all %d clients come back in step, %v after they have failed: say jitter: full", clients, rest.Base)
		case low == high:
			s.add("no-jitter-at-cap", Note, p, "jitter before the cap leaves none at it: the last rests are exactly %v for all %d clients: say order: cap-then-jitter, or jitter: full", high, clients)
		}
	}
}

// tooLong is a rest that nobody means who did not say a cap.
const tooLong = 5 * time.Minute

// checkCap finds rests that grow without a cap, or beyond it.
func (s *site) checkCap() {
	for i, p := range s.retries {
		rest := p.Retry.Rest
		longest := restAt(rest, s.factors[s.edge][i]-1, true)
		limit, _ := s.limitAround(s.edge, i)
		if p.Retry.MaxElapsed > 0 && p.Retry.Rule == policy.AfterRest {
			limit = min(limit, p.Retry.MaxElapsed)
		}
		switch {
		case rest.Cap <= 0 && longest > tooLong && limit > tooLong:
			s.add("no-cap", Warning, p, "the rests grow without a cap, %s: say a cap", upTo(longest))
		case rest.Cap > 0 && longest > rest.Cap:
			s.add("above-cap", Note, p, "the jitter comes after the cap of %v, so a rest takes up to %v: say order: jitter-then-cap, or lower the cap", rest.Cap, longest)
		}
	}
}

func upTo(d time.Duration) string {
	if d == Unbounded {
		return "in the end for ever"
	}
	return "up to " + d.String()
}
