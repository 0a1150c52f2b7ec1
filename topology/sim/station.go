package sim

import (
	"net/http"

	"labctl/topology"
	"labctl/topology/policy"
)

// station is one replica, or the part of it that serves one route: workers, and
// those who wait for one.
type station struct {
	workers int // 0: no limit
	busy    int
	waiting deque
	handing bool // free workers are being handed out
}

// addStations adds one per replica, with so many workers each, and returns the place
// of the first.
func (s *service) addStations(replicas, workers int) (first int) {
	first = len(s.stations)
	for range replicas {
		s.stations = append(s.stations, station{workers: workers})
	}
	return first
}

// station is where a job is served.
func (e *engine) station(j *job) *station {
	s := &e.services[j.service]
	if s.routes != nil {
		return &s.stations[s.routes[j.route].first+int(j.host)]
	}
	return &s.stations[j.host]
}

// admit gives a job a worker, a place in the queue, or a 503.
func (e *engine) admit(i int32) {
	j := &e.jobs[i]
	s, st := &e.services[j.service], e.station(j)
	switch {
	case st.workers == 0 || st.busy < st.workers:
		if s.Drop == topology.DropLate && e.late(i) {
			s.seen.Left++
			e.reply(i, failed(policy.Timeout))
			return
		}
		e.serve(i)
	case s.Queue == topology.Full || s.Queue > 0 && st.waiting.len() >= s.Queue:
		s.seen.Rejected++
		e.reply(i, status(http.StatusServiceUnavailable))
	default:
		j.state |= isWaiting
		j.place = st.waiting.push(i)
		s.seen.wait()
	}
}

// freeWorker takes a job off its station and lets the next begin. One that is
// done at once frees its worker again: the loop goes on with it, so that the
// stack does not grow with the queue.
func (e *engine) freeWorker(s *service, st *station) {
	st.busy--
	s.seen.InUse--
	if st.handing {
		return
	}
	st.handing = true
	for st.busy < st.workers && st.waiting.len() > 0 {
		i := st.waiting.pop(s.Order == topology.LIFO)
		j := &e.jobs[i]
		j.state &^= isWaiting
		if s.Drop != topology.DropNone && e.goneAt(i) <= e.now {
			s.seen.leave()
			e.ended(i)
			e.reply(i, failed(policy.Rejected))
			continue
		}
		if s.Drop == topology.DropLate && e.late(i) {
			s.seen.leave()
			e.ended(i)
			e.reply(i, failed(policy.Timeout))
			continue
		}
		s.seen.waited(e.now.Sub(e.arrived(j)))
		e.serve(i)
	}
	st.handing = false
}

// late reports whether a job could not be done before the deadline that came with
// it, which a duration says from its arrival on.
func (e *engine) late(i int32) bool {
	if !e.extends {
		return false
	}
	j := &e.jobs[i]
	end := e.cameWith(i).End(e.arrived(j))
	return e.now.Add(j.work) > end
}
