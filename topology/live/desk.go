package live

import (
	"net/http"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// desk is where a replica of a service with a capacity serves the requests of some
// of its routes: they arrive, wait for a worker, are worked on, and meet what the
// fault program has for them.
type desk struct {
	*counter
	time    topology.Distribution
	station *station
}

func (d *desk) draw(l policy.Luck) time.Duration {
	if d.time.Shape == topology.Constant {
		return d.time.A
	}
	return d.time.Draw(l.Draw(policy.ForService))
}

// fate takes the turn of a hit in the program, by the service's own clock.
func (c *counter) fate(path string, at time.Duration, t trail) program.Action {
	var u uint64
	if c.lucky {
		u = t.luck.Draw(policy.ForFault)
	}
	return c.faults.Next(root(path), at, u)
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := d.arrive(r, d)
	drain(r)
	if v.place.full {
		d.turnAway(w, v)
		return
	}
	switch v.place.wait(r.Context()) {
	case gone:
		d.abort(v)
	case passed:
		w.Header()[droppedHeader] = []string{"true"}
		d.turnAway(w, v)
	default:
		defer v.place.leave()
		d.serve(w, r, v)
	}
}

// serve is the time that a worker spends on a request.
func (d *desk) serve(w http.ResponseWriter, r *http.Request, v *visit) {
	if !d.service.keys.show(r.Context(), v) {
		d.abort(v)
	}
	if v.word.Answer != idempotency.Run {
		d.recall(w, v)
		return
	}
	if v.action.Kind == program.Hang {
		<-r.Context().Done()
		d.abort(v)
	}
	now := d.service.lab.clock.now()
	if v.work > 0 && !pause(r.Context(), d.service.Finish(now, v.work).Sub(now)) {
		d.abort(v)
	}
	v.worked = v.action.Kind.Works()
	noting := &noting{ResponseWriter: w, status: http.StatusOK}
	if !v.action.Kind.Answers() { // the connection ends, and with it who would wait for the record
		d.leave(v, noting.status)
	}
	d.performer(v.action).ServeHTTP(noting, r)
	if v.action.Kind.Answers() {
		d.leave(v, noting.status)
	}
}

// leave notes how a hit ended.
func (d *desk) leave(v *visit, status int) {
	d.service.keys.finish(v, status)
	v.end = d.service.lab.clock.since()
}

// abort ends a hit whose caller left, and its connection.
func (d *desk) abort(v *visit) {
	v.cut = true
	d.leave(v, 0)
	panic(http.ErrAbortHandler)
}

// turnAway answers a hit that no worker turns to.
func (d *desk) turnAway(w http.ResponseWriter, v *visit) {
	w.WriteHeader(http.StatusServiceUnavailable)
	d.leave(v, http.StatusServiceUnavailable)
}

// recall answers a hit that its key kept from running.
func (d *desk) recall(w http.ResponseWriter, v *visit) {
	status := http.StatusConflict
	if v.word.Answer == idempotency.Replay {
		w.Header()[faultserver.ReplayHeader] = []string{"true"}
		status = v.word.status
	}
	w.WriteHeader(status)
	d.leave(v, status)
}

// noting notes the status of an answer.
type noting struct {
	http.ResponseWriter
	status int
}

func (n *noting) WriteHeader(status int) {
	n.status = status
	n.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (n *noting) Unwrap() http.ResponseWriter { return n.ResponseWriter }
