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
// count, apply the fault program, and where that says ok call the next layer.
type service struct {
	*topology.Service
	lab      *lab
	next     *edge // nil for the tail
	replicas []*replica
	crew     *crew
	keys     keys
	all      []hit // of lab.hits, once it was asked
}

// newService makes a service whose replicas listen but do not serve yet.
func newService(l *lab, s *topology.Service) (*service, error) {
	svc := &service{Service: s, lab: l}
	svc.keys.table = idempotency.New[chan word](s.Idempotency)
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
		if r.listener == nil {
			return true
		}
	}
	return false
}

// plain reports whether nothing but a fault program takes time here, by a clock
// that is right, and whether one handler knows all keys. The fault server can do
// without help then.
func (s *service) plain() bool {
	if s.Idempotency != idempotency.None && (s.Replicas > 1 || len(s.Routes) > 0) {
		return false
	}
	for _, r := range s.Routes {
		if !r.Time.IsZero() || r.Workers > 0 {
			return false
		}
	}
	return s.Time.IsZero() && s.Workers == 0 && len(s.Speed) == 0 && s.Skew == 0
}

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

// forward calls the next layer and answers as a gateway would.
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
	if text := header(r.Header, deadlineHeader); text != "" {
		if d, ok := parseDeadline(text); ok {
			call.deadline = receivedBy(s.Service, d)
		}
	}
	o := s.next.call(r.Context(), &call, s.lab.clock.now())
	if o.Kind == policy.Degraded {
		w.Header()[degradedHeader] = []string{"true"}
	}
	w.WriteHeader(gatewayStatus(o))
}

// gatewayStatus is what a service answers when its own call ended so: the
// status as it came, or the gateway's words for no answer (RFC 9110, section
// 15.6). 499 is nginx's for a caller that left; nobody reads it.
func gatewayStatus(o policy.Outcome) int {
	switch o.Kind {
	case policy.Answered:
		return int(o.Status)
	case policy.Degraded:
		return http.StatusOK
	case policy.Timeout:
		return http.StatusGatewayTimeout
	case policy.Cancelled:
		return 499
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
