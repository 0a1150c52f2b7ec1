package trace

import (
	"slices"
	"strings"
)

// call is one attempt as a caller made it, and what arrived of it. Where the caller has
// no span for it, its arrival stands for it.
type call struct {
	span     *Span // of the caller; else of the service
	bare     bool  // the caller has none
	arrivals []arrival
	resends  int64 // how often the same was sent before, as the span says
}

// arrival is a request at a service, and what that did for it.
type arrival struct {
	span     int32
	children []int32
}

// arrivalsOf are the requests that other services begin with at some spans. A proxy may
// have spans for what it sends only: all of those are of one request.
func (f *forest) arrivalsOf(entries []int32) (out []arrival) {
	proxies := map[string]int{}
	for _, i := range entries {
		s := &f.spans[i]
		if !s.sends() {
			out = append(out, arrival{i, f.children[i]})
			continue
		}
		at, known := proxies[s.Service]
		if !known {
			at = len(out)
			proxies[s.Service] = at
			out = append(out, arrival{span: i})
		}
		out[at].children = append(out[at].children, i)
	}
	return out
}

// sends reports whether a span is the caller's side of a call.
func (s *Span) sends() bool { return s.Kind == Client || s.Kind == Producer }

// gather finds the attempts that a service made below some of its spans, in the order
// of their starts. What a service does inside is looked through, as is a span around a
// call that has a span for each of its attempts.
func (f *forest) gather(below []int32, service string) (calls []call, entries []int32) {
	f.gatherInto(below, service, &calls, &entries)
	return calls, entries
}

// gatherInto adds to what was found so far, so that spans deep inside one another are not
// copied at every level.
func (f *forest) gatherInto(below []int32, service string, calls *[]call, entries *[]int32) {
	for _, i := range below {
		s := &f.spans[i]
		if s.enters(service) {
			*entries = append(*entries, i)
			continue
		}
		hadCalls, had := len(*calls), len(*entries)
		f.gatherInto(f.children[i], service, calls, entries)
		entered := slices.Clone((*entries)[had:])
		if s.sends() && (len(*calls) == hadCalls || len(entered) > 0) {
			*calls = append(*calls, call{span: s, arrivals: f.arrivalsOf(entered), resends: s.resends()})
			*entries = (*entries)[:had]
		}
	}
}

// enters reports whether a span is where another service begins, seen from one.
func (s *Span) enters(from string) bool {
	return s.Kind == Server || s.Kind == Consumer || s.Service != from
}

// callsOf are the attempts that a service made below some of its spans.
func (f *forest) callsOf(below []int32, service string) []call {
	calls, entries := f.gather(below, service)
	for _, a := range f.arrivalsOf(entries) {
		s := &f.spans[a.span]
		calls = append(calls, call{span: s, bare: true, arrivals: []arrival{a}, resends: s.resends()})
	}
	return calls
}

// maxResends is more than anybody sends a request again: beyond it a number is nonsense.
const maxResends = 1_000_000

// resends is how often a request had been sent before, as its span says.
func (s *Span) resends() int64 {
	n, is := s.number(ResendCount, oldResendCount, grpcAttempts, envoyRetries)
	if !is || n < 0 || n > maxResends {
		return 0
	}
	return n
}

// failed reports whether a caller had reason to try again.
func (s *Span) failed() bool {
	code, is := s.number(HTTPStatus, oldStatusCode)
	return s.Status == Error || s.text(ErrorType) != "" || is && code >= 400
}

// outcome is how an attempt ended, in a word.
func (s *Span) outcome() string {
	if code := s.text(HTTPStatus, oldStatusCode); code != "" {
		return code
	}
	if e := s.text(ErrorType); e != "" {
		return e
	}
	if code := s.text(rpcStatus); code != "" && code != "0" {
		return "grpc " + code
	}
	if s.Status == Error {
		return "error"
	}
	return "ok"
}

// operation tells requests for different things apart, as far as spans do.
func (s *Span) operation() string {
	url := s.text(URLPath, fullURL, oldURL)
	url, _, _ = strings.Cut(url, "?")
	return s.Name + " " + url
}

// address is whom a caller meant to call.
func (s *Span) address() string {
	if name := s.text(peerService); name != "" {
		return name
	}
	host := s.text(ServerAddress, oldAddress)
	if port := s.text(ServerPort, oldPort); host != "" && port != "" {
		return host + ":" + port
	}
	return host
}
