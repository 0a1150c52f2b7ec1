package sim

import (
	"net/http"
	"time"

	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// service is one layer: its stations, one per replica, and what it does to
// requests.
type service struct {
	topology.Capacity
	faults   *program.State
	lucky    bool // the fault program asks for luck
	each     bool // it needs to know which request it is
	constant bool // every request meets the same action
	always   fate
	calls    bool // it calls the next layer
	stations []station
	turn     int // of the round-robin
}

// station is one replica: workers and those who wait for one.
type station struct {
	busy    int
	waiting deque
	flight  int  // requests that it has and has not answered
	handing bool // free workers are being handed out
}

func newService(s topology.Service, faults program.Program) service {
	constant, is := faults.Constant()
	return service{
		Capacity: s.Capacity,
		constant: is,
		always:   decide(constant, len(s.Calls) > 0),
		faults:   program.NewState(faults),
		lucky:    faults.Lucky(),
		each:     faults.Each && !faults.Stateless(),
		calls:    len(s.Calls) > 0,
		stations: make([]station, max(s.Replicas, 1)),
	}
}

// arrive is a hit: it is counted before anything else happens to it.
func (e *engine) arrive(i int32) {
	j := &e.jobs[i]
	j.at = e.now
	e.count(i)
	s := &e.services[j.service]
	met := s.always
	if !s.constant {
		met = s.fault(e.requestID(i), j.luck, e.now)
	}
	if met.kind == program.Refuse {
		e.reply(i, met.outcome)
		return
	}
	if j.outcome = met.outcome; met.forward {
		j.state |= isForward
	}
	switch met.kind {
	case program.Hang:
		j.state |= isHanging
	case program.OK:
		j.state |= isWork
	}
	j.work = drawTime(&s.Time, j.luck, policy.ForService) + met.delay
	j.station = int16(s.pick(j))
	e.admit(i)
}

// requestID names the client's request for a fault program that tells requests
// apart.
func (e *engine) requestID(i int32) string {
	j := &e.jobs[i]
	if !e.services[j.service].each {
		return ""
	}
	r := e.request(i)
	return policy.RootPath(uint64(r.client), uint64(r.number))
}

// fate is what the fault program does to a request, as far as it matters here.
type fate struct {
	delay   time.Duration
	outcome policy.Outcome
	kind    program.Kind
	forward bool // the next layer decides the outcome
}

// fault asks the program what happens to a request, unless that is constant.
func (s *service) fault(id string, luck policy.Luck, now policy.Instant) fate {
	var u uint64
	if s.lucky {
		u = luck.Draw(policy.ForFault)
	}
	return decide(s.faults.Next(id, s.clock(now), u), s.calls)
}

// clock is what the service takes an instant for.
func (s *service) clock(now policy.Instant) time.Duration {
	if s.Skew < 0 {
		return time.Duration(now) + s.Skew // may lie before the release
	}
	return time.Duration(now.Add(s.Skew))
}

// decide is what a request meets when the fault program does this to it. A
// service that calls the next layer leaves the outcome of a good request to it.
func decide(a program.Action, calls bool) fate {
	f := fate{kind: a.Kind, delay: a.Delay, outcome: policy.Status(a.Status)}
	switch a.Kind {
	case program.OK:
		f.forward = calls
	case program.Reset, program.Close:
		f.outcome = policy.Failed(policy.Reset)
	case program.Refuse:
		f.outcome = policy.Failed(policy.Refused)
	}
	return f
}

// pick chooses a replica.
func (s *service) pick(j *job) int {
	if len(s.stations) == 1 {
		return 0
	}
	switch s.Balance {
	case policy.Random:
		return int(policy.Uniform(j.luck.Draw(policy.ForPick), time.Duration(len(s.stations))))
	case policy.LeastInFlight:
		least := 0
		for i := range s.stations {
			if s.stations[i].flight < s.stations[least].flight {
				least = i
			}
		}
		return least
	}
	turn := s.turn
	s.turn = (turn + 1) % len(s.stations)
	return turn
}

func (e *engine) station(j *job) *station { return &e.services[j.service].stations[j.station] }

// admit gives a job a worker, a place in the queue, or a 503.
func (e *engine) admit(i int32) {
	j := &e.jobs[i]
	s, st := &e.services[j.service], e.station(j)
	switch {
	case s.Workers == 0 || st.busy < s.Workers:
		st.flight++
		e.serve(i)
	case s.Queue == topology.Full || s.Queue > 0 && st.waiting.len() >= s.Queue:
		e.reply(i, policy.Status(http.StatusServiceUnavailable))
	default:
		st.flight++
		j.state |= isWaiting
		j.place = st.waiting.push(i)
	}
}

// serve begins the work on a job.
func (e *engine) serve(i int32) {
	j := &e.jobs[i]
	j.state |= isServing
	e.station(j).busy++
	if at := e.services[j.service].finish(e.now, j.work); at > e.now {
		e.pushJob(at, replies, toServed, i)
		return
	}
	e.served(i)
}

// served ends the work on a job: the next layer is asked, or the answer given.
func (e *engine) served(i int32) {
	j := &e.jobs[i]
	switch {
	case j.is(isHanging):
	case j.is(isForward):
		j.state |= isCalling
		j.refs++
		e.call(j.service+1, i, j.luck)
	default:
		e.complete(i, j.outcome)
	}
}

// answered ends the call that a job made. A job whose own caller left it behind
// has answered already.
func (e *engine) answered(i int32, o policy.Outcome) {
	j := &e.jobs[i]
	j.state &^= isCalling
	switch {
	case j.is(isServing):
		e.complete(i, gateway(o))
	default:
		e.over(i)
	}
}

// gateway is what a service answers when its own call ended so.
func gateway(o policy.Outcome) policy.Outcome {
	switch o.Kind {
	case policy.Answered:
		return o
	case policy.Timeout:
		return policy.Status(http.StatusGatewayTimeout)
	case policy.Rejected:
		return policy.Status(http.StatusServiceUnavailable)
	}
	return policy.Status(http.StatusBadGateway)
}

// complete answers a job and gives its worker to the next one.
func (e *engine) complete(i int32, o policy.Outcome) {
	j := &e.jobs[i]
	e.ended(i)
	if j.is(isWork) {
		e.worked(i)
	}
	s, st := &e.services[j.service], e.station(j)
	e.reply(i, o)
	e.freeWorker(s, st)
}

// freeWorker takes a job off its station and lets the next begin. One that is
// done at once frees its worker again: the loop goes on with it, so that the
// stack does not grow with the queue.
func (e *engine) freeWorker(s *service, st *station) {
	st.flight--
	st.busy--
	if st.handing {
		return
	}
	st.handing = true
	for st.busy < s.Workers && st.waiting.len() > 0 {
		i := st.waiting.pop(s.Order == topology.LIFO)
		e.jobs[i].state &^= isWaiting
		if s.Drop && e.goneAt(i) <= e.now {
			st.flight--
			e.ended(i)
			e.reply(i, policy.Failed(policy.Rejected))
			continue
		}
		e.serve(i)
	}
	st.handing = false
}

// leave ends the work on a job whose caller took it along. Where its call goes
// on all the same, it does so for nobody: the job has no worker any more.
func (e *engine) leave(i int32) {
	j := &e.jobs[i]
	s, st := &e.services[j.service], e.station(j)
	switch {
	case j.is(isOver):
	case j.is(isWaiting):
		st.waiting.leave(j.place)
		st.flight--
		e.ended(i)
		e.over(i)
	case j.is(isCalling) && e.edges[j.service+1].keeps:
		j.state &^= isServing
		e.freeWorker(s, st)
	case j.is(isCalling):
		over := j.service + 1
		ed := &e.edges[over]
		e.perform(over, ed.core.Cancel(j.call, e.now, ed.actions[:0]))
	case j.is(isServing):
		e.ended(i)
		e.over(i)
		e.freeWorker(s, st)
	default: // it arrives at this very instant, and comes first
		e.pushJob(e.now, arrivals, toLeave, i)
	}
}
