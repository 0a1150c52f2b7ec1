package live

import (
	"net/http"
	"time"

	"labctl/faultserver"
	"labctl/topology"
	"labctl/topology/policy"
)

// desk is where a replica serves the requests of some of its routes: a fault server,
// and where the service has a capacity what that does not know, a station to wait at
// and the time that the work takes.
type desk struct {
	service *service
	tail    *faultserver.Handler
	time    topology.Distribution
	station *station
}

// admit gives a hit a place at the station.
func (d *desk) admit(hit faultserver.Hit) faultserver.Job {
	path := header(hit.Request.Header, faultserver.PathHeader)
	job := faultserver.Job{Wait: turnAway}
	work := d.draw(hit, path) + hit.Action.Delay
	end := policy.Never
	if d.service.Drop == topology.DropLate {
		end = d.service.cameWith(hit.Request).End(d.service.lab.clock.now())
	}
	if p := d.station.come(path, work, end); !p.full {
		job.Wait, job.Done = p.wait, d.station.leave
	}
	if work > 0 {
		job.Time = func() time.Duration {
			now := d.service.lab.clock.now()
			return d.service.Finish(now, work).Sub(now)
		}
	}
	return job
}

func (d *desk) draw(hit faultserver.Hit, path string) time.Duration {
	if d.time.Shape == topology.Constant {
		return d.time.A
	}
	return d.time.Draw(d.service.lab.luckOf(path, hit.Number).Draw(policy.ForService))
}

// turnAway answers a hit that finds the queue full.
func turnAway(w http.ResponseWriter, _ *http.Request) faultserver.Verdict {
	w.WriteHeader(http.StatusServiceUnavailable)
	return faultserver.TurnedAway
}

// passOver answers a hit for which nobody waited any more when its turn came.
func passOver(w http.ResponseWriter, r *http.Request) faultserver.Verdict {
	w.Header()[droppedHeader] = []string{whyGone}
	return turnAway(w, r)
}

// passLate answers one that could not be done in time.
func passLate(w http.ResponseWriter, _ *http.Request) faultserver.Verdict {
	w.Header()[droppedHeader] = []string{whyLate}
	w.WriteHeader(http.StatusGatewayTimeout)
	return faultserver.TurnedAway
}
