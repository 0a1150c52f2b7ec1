package sim

import (
	"net/http"
	"time"

	"labctl/faultserver/idempotency"
	"labctl/topology"
	"labctl/topology/policy"
)

// service is one layer: its stations, and what it does to requests.
type service struct {
	topology.Capacity
	scripts  []*script // by replica: what happens to requests, but for those of some routes
	routes   []variety // by number; nil: all are alike
	stations []station // one per replica, and as many for each route with workers of its own
	seen     seen
	keys     *idempotency.Table[name]
}

// variety is what differs for a route.
type variety struct {
	scripts []*script              // by replica; nil: the service's
	time    *topology.Distribution // nil: the service's
	first   int                    // of the stations that serve it
}

// newService sets up service i of the topology, of which the client is none.
func newService(p *plan, i int) service {
	s, faults := &p.topo.Services[i+1], p.faults[i]
	calls := len(s.Calls) > 0
	out := service{Capacity: s.Capacity}
	replicas := max(s.Replicas, 1)
	for n := range replicas {
		f := faults.own
		if n < len(faults.replicas) && faults.replicas[n] != nil {
			f = *faults.replicas[n]
		}
		out.scripts = append(out.scripts, newScript(f, p.topo.Load.Method, calls))
	}
	out.addStations(replicas, s.Workers)
	if len(s.Routes) > 0 {
		out.routes = make([]variety, len(p.topo.Routes()))
	}
	for k := range s.Routes {
		r := &s.Routes[k]
		n := p.topo.Route(r.Route)
		v := &out.routes[n]
		if f := faults.routes[n]; f != nil {
			for range replicas {
				v.scripts = append(v.scripts, newScript(*f, p.topo.Load.Method, calls))
			}
		}
		if !r.Time.IsZero() {
			v.time = &r.Time
		}
		if r.Workers > 0 {
			v.first = out.addStations(replicas, r.Workers)
		}
	}
	if p.keyed(*s) {
		out.keys = idempotency.New[name](s.Idempotency)
	}
	return out
}

// script is the program that a request meets. Every replica takes its own steps, and
// a route with a program of its own is treated alike on all of them.
func (s *service) script(j *job) *script {
	if s.routes != nil && s.routes[j.route].scripts != nil {
		return s.routes[j.route].scripts[j.host]
	}
	return s.scripts[j.host]
}

// time is the service time of a route.
func (s *service) time(route uint8) *topology.Distribution {
	if s.routes != nil && s.routes[route].time != nil {
		return s.routes[route].time
	}
	return &s.Time
}

// finish is Finish, which costs a call where the speed changes only.
func (s *service) finish(now policy.Instant, work time.Duration) policy.Instant {
	if len(s.Speed) == 0 {
		return now.Add(work)
	}
	return s.Finish(now, work)
}

// arrive is a hit: it is counted before anything else happens to it.
func (e *engine) arrive(i int32) {
	j := &e.jobs[i]
	e.count(i)
	s := &e.services[j.service]
	script := s.script(j)
	met := &script.always
	if !script.constant {
		m := script.fault(e.requestID(i, script), j.luck, clock(e.now, s.Skew))
		met = &m
	}
	j.setAnswer(met.answer)
	j.state |= met.state
	if j.is(isRefused) {
		e.reply(i, j.answer())
		return
	}
	if e.extends {
		e.extras[i].over = met.over
	}
	j.work = drawTime(s.time(j.route), j.luck, policy.ForService) + met.delay
	e.admit(i)
}

// requestID names the client's request for a fault program that tells requests
// apart.
func (e *engine) requestID(i int32, s *script) string {
	if !s.each {
		return ""
	}
	return e.requestName(i)
}

func (e *engine) requestName(i int32) string {
	r := e.request(i)
	return policy.RootPath(uint64(r.client), uint64(r.number))
}

// serve begins the work on a job, unless its key is against it.
func (e *engine) serve(i int32) {
	j := &e.jobs[i]
	j.state |= isServing
	s := &e.services[j.service]
	e.station(j).busy++
	s.seen.take()
	if s.keys != nil && !e.mayWork(i) {
		return
	}
	if at := s.finish(e.now, j.work); at > e.now {
		e.pushJob(at, replies, toServed, i)
		return
	}
	e.served(i)
}

// served ends the time that a job takes: other services are asked, or the answer
// given. One that asks none for this request answers by itself.
func (e *engine) served(i int32) {
	j := &e.jobs[i]
	switch {
	case j.is(isHanging) || j.is(isOver):
	case j.is(isAnswer):
		e.complete(i, j.answer())
	case j.is(isForward):
		j.state |= isCalling
		if !e.begin(&e.calls[j.service+1], i, j.luck) {
			e.byItself(i)
		}
	default:
		e.done(i, j.answer(), http.StatusOK)
	}
}

// byItself ends the work of a job that turned out to make no call.
func (e *engine) byItself(i int32) {
	j := &e.jobs[i]
	j.state &^= isCalling
	e.done(i, j.answer(), http.StatusOK)
}

// answered ends a call that a job made, and with the last one its work. A job whose
// own caller left it behind has answered already.
func (e *engine) answered(over, i int32, o policy.Outcome) {
	j := &e.jobs[i]
	if c := &e.calls[j.service+1]; c.count > 1 {
		all, is := e.hear(c, over, i, o)
		if !is {
			return
		}
		o = all
	}
	j.state &^= isCalling
	if !j.is(isServing) {
		e.over(i)
		return
	}
	below := gateway(o)
	a := j.answer()
	if j.is(isPassing) {
		a.kind, a.status = below.kind, below.status
	}
	e.done(i, a, below.status)
}

// done ends the work on a job. code is the status that the work came to, whatever
// becomes of the answer.
func (e *engine) done(i int32, a answer, code int16) {
	e.worked(i)
	if e.jobs[i].is(isReserve) {
		e.release(i, e.jobs[i].is(isWork), code)
	}
	if !e.extends || e.extras[i].over == 0 {
		e.complete(i, a)
		return
	}
	j := &e.jobs[i]
	j.setAnswer(a)
	j.state |= isAnswer
	if at := e.now.Add(e.extras[i].over); at < policy.Never { // what never ends is no event, or the run would wait for it
		e.pushJob(at, replies, toServed, i)
	}
}

// complete answers a job and gives its worker to the next one.
func (e *engine) complete(i int32, a answer) {
	j := &e.jobs[i]
	e.ended(i)
	s, st := &e.services[j.service], e.station(j)
	e.reply(i, a)
	e.freeWorker(s, st)
}

// leave ends the work on a job whose caller took it along.
func (e *engine) leave(i int32) {
	j := &e.jobs[i]
	s, st := &e.services[j.service], e.station(j)
	switch {
	case j.is(isOver):
	case j.is(isWaiting):
		st.waiting.leave(j.place)
		s.seen.leave()
		e.ended(i)
		e.over(i)
	case j.is(isCalling):
		if e.extends { // nobody is there to be slow with
			e.extras[i].over = 0
		}
		e.leaveCalls(i)
	case j.is(isServing):
		e.leaveKey(i)
		e.ended(i)
		e.over(i)
		e.freeWorker(s, st)
	default: // it arrives at this very instant, and comes first
		e.pushJob(e.now, arrivals, toLeave, i)
	}
}
