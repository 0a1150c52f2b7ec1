package live

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// service is one layer: its replicas, each a server of its own, whose handlers
// count, apply the fault program, and where that says ok make the service's own calls.
type service struct {
	*topology.Service
	lab      *lab
	calls    calls
	callers  []*edge
	named    map[string]*edge // these, by who calls
	replicas []*replica
	crew     *crew
	keys     *faultserver.Keys // which its replicas and routes share; nil: it does not look at them
	all      []hit             // of lab.hits, once it was asked
	absent   bool              // of a merge: nobody knows what it saw
	unkept   int               // of a merge: hits that were counted without keeping what they were
}

// newService makes a service whose replicas listen but do not serve yet.
func newService(l *lab, s *topology.Service) (*service, error) {
	svc := &service{Service: s, lab: l, named: map[string]*edge{}}
	if s.Idempotency != idempotency.None {
		svc.keys = faultserver.NewKeys(s.Idempotency)
	}
	svc.crew = &crew{Capacity: s.Capacity, now: l.clock.now, gone: l.gone.left}
	for i := range max(s.Replicas, 1) {
		r, err := newReplica(svc, i)
		if err != nil {
			svc.close()
			return nil, err
		}
		svc.replicas = append(svc.replicas, r)
	}
	return svc, nil
}

// close gives back the ports of a service that never served.
func (s *service) close() {
	for _, r := range s.replicas {
		if r.listener != nil {
			r.listener.Close()
		}
	}
}

// refuses reports whether a port of it is closed.
func (s *service) refuses() bool {
	for _, r := range s.replicas {
		if r.listener == nil && !r.elsewhere {
			return true
		}
	}
	return false
}

// takesTime reports whether something but a fault program takes time here, or
// changes what that takes.
func (s *service) takesTime() bool {
	for _, r := range s.Routes {
		if !r.Time.IsZero() {
			return true
		}
	}
	return !s.Time.IsZero() || s.limited() || len(s.Speed) > 0
}

// since is the service's clock, from the release on.
func (s *service) since() time.Duration { return s.lab.clock.since() + s.Skew }

// wall is the service's clock on the wall.
func (s *service) wall() time.Time { return time.Now().Add(s.Skew) }

// limited reports whether requests wait for workers.
func (s *service) limited() bool {
	for _, r := range s.Routes {
		if r.Workers > 0 {
			return true
		}
	}
	return s.Workers > 0
}

// forward makes the calls of a service and answers as a gateway would. Where nobody waits
// for that any more no work was done, and another attempt may do it.
func (s *service) forward(w http.ResponseWriter, r *http.Request) {
	path := header(r.Header, faultserver.PathHeader)
	t, ok := follow(path, s.lab.topo.Run.Seed)
	if !ok {
		http.Error(w, fmt.Sprintf("the path %q cannot be read", path), http.StatusBadRequest)
		return
	}
	call := request{
		method: r.Method,
		key:    header(r.Header, keyHeader),
		path:   path,
		luck:   t.luck,
		route:  s.lab.routeOf(r.URL.Path),
		traced: s.lab.traces(path),
	}
	call.deadline = s.cameWith(r)
	o := s.calls.call(r.Context(), &call, s.lab.clock.now())
	switch o.Kind {
	case policy.Cancelled:
		panic(http.ErrAbortHandler)
	case policy.Degraded:
		w.Header()[degradedHeader] = []string{"true"}
	}
	w.WriteHeader(gatewayStatus(o))
}

// cameWith is the deadline that came with a request, by the clock of the service.
func (s *service) cameWith(r *http.Request) policy.Deadline {
	if text := header(r.Header, deadlineHeader); text != "" {
		if d, ok := parseDeadline(text); ok {
			return receivedBy(s.Service, d)
		}
	}
	return policy.Deadline{}
}

// gatewayStatus is what a service answers when its own call ended so: the
// status as it came, or the gateway's words for no answer (RFC 9110, section
// 15.6).
func gatewayStatus(o policy.Outcome) int {
	switch o.Kind {
	case policy.Answered:
		return int(o.Status)
	case policy.Degraded:
		return http.StatusOK
	case policy.Timeout:
		return http.StatusGatewayTimeout
	case policy.Rejected:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadGateway
}

// parseFaults reads a fault program; where there is none, all is well.
func parseFaults(text string) (program.Program, error) {
	if text == "" {
		text = "ok"
	}
	return program.Parse(text)
}

// listen opens the port of a replica. That of a closed one is closed again.
func listen(n Network, refuses bool) (addr string, l net.Listener, err error) {
	l, err = n.Listen()
	if err != nil {
		return "", nil, err
	}
	addr = l.Addr().String()
	if refuses {
		return addr, nil, l.Close()
	}
	return addr, l, nil
}
