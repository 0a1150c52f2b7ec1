package trace

import "strings"

// call is one attempt as a caller made it, and what arrived of it. Where the caller has
// no span for it, its arrival stands for it.
type call struct {
	span     *Span   // of the caller; else of the service
	bare     bool    // the caller has none
	arrivals []int32 // spans of services
	resends  int64   // how often the same was sent before, as the span says
}

// gather finds the attempts that a service made below some of its spans, in the order
// of their starts. What a service does inside is looked through, as is a span around a
// call that has a span for each of its attempts.
func (f *forest) gather(below []int32, service string) (calls []call, arrivals []int32) {
	for _, i := range below {
		s := &f.spans[i]
		if s.enters(service) {
			arrivals = append(arrivals, i)
			continue
		}
		inner, arrived := f.gather(f.children[i], service)
		calls = append(calls, inner...)
		isCall := s.Kind == Client || s.Kind == Producer
		switch {
		case isCall && (len(inner) == 0 || len(arrived) > 0):
			calls = append(calls, call{span: s, arrivals: arrived, resends: s.resends()})
		default:
			arrivals = append(arrivals, arrived...)
		}
	}
	return calls, arrivals
}

// enters reports whether a span is where another service begins, seen from one.
func (s *Span) enters(from string) bool {
	return s.Kind == Server || s.Kind == Consumer || s.Service != from
}

// callsOf are the attempts that a service made below some of its spans.
func (f *forest) callsOf(below []int32, service string) []call {
	calls, arrivals := f.gather(below, service)
	for _, i := range arrivals {
		calls = append(calls, call{span: &f.spans[i], bare: true, arrivals: []int32{i}, resends: f.spans[i].resends()})
	}
	return calls
}

// resends is how often a request had been sent before, as its span says.
func (s *Span) resends() int64 {
	n, is := s.number(ResendCount, oldResendCount, grpcAttempts, envoyRetries)
	if !is || n < 0 {
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
