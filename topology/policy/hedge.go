package policy

import "time"

// Hedge is the settings of hedged requests: when an answer takes long, a copy of
// the request is sent, and the first good answer counts. It cuts the tail of a
// service where now and then one replica is slow (Dean and Barroso, The Tail at
// Scale, CACM 56(2), 2013), for a few percent of extra load: with the 95th
// percentile as the delay, 5 %.
//
// When all of it is slow, every request is copied, and the load is multiplied just
// then: at 650 ms, a delay of 200 ms and 3 attempts mean three times the load. So
// set a share, or put a [Budget] outside; a copy that is refused is the last that
// the call asks for, and what runs goes on. Only for requests that are safe to
// make twice. Put it outside a [Balance] with Failover, so that a copy goes to
// another replica, and outside a timeout for each attempt.
//
// An attempt that fails in a way that another may cure, see Filter, brings the next
// copy at once, without the delay; any other answer of the service ends the call.
// That is gRPC's hedging (gRFC A6, "Hedging Policy"), where a failure in time is
// what a retry would have seen. What no service answered, such as a copy that was
// rejected further inside, ends nothing while another attempt runs. When all have
// failed, the last outcome is the call's.
//
// The attempts that lost are cancelled if the edge passes that down; if not, they
// work on.
type Hedge struct {
	Delay    time.Duration // before each copy; 0 without Quantile: all are sent at once
	Quantile int           // 1…99: the delay is this percentile of the last 1000 good answers; 0: Delay
	Max      int           // attempts in total, the first included; 0: 2

	ShareRequests int // percent of the requests that may have copies; 0: all
	ShareExtra    int // copies in percent of the requests; 0: no limit

	Filter         Filter // outcomes that bring the next copy at once; the zero value is DefaultFilter
	RepeatableOnly bool   // copies only what is safe to repeat, see Retry
}

// hedgeSamples is how many answers a quantile needs. Until there are so many,
// Delay is used; where that is 0, no answer is late.
const hedgeSamples = 100

// HedgeSignals is what a hedge did.
type HedgeSignals struct {
	Requests   int64         // calls
	Hedged     int64         // of these: with copies
	Copies     int64         // sent; each is an attempt more
	Wins       int64         // calls that a copy answered first
	Suppressed int64         // calls that got no further copy, because of a share or a budget
	Delay      time.Duration // now; 0 where no copy would be sent for being late
}

// New returns a hedge for one edge.
func (s Hedge) New() *HedgeState {
	h := &HedgeState{Hedge: s, requests: share{percent: s.ShareRequests}, extra: share{percent: s.ShareExtra}}
	h.Max = positiveOr(s.Max, 2)
	h.Quantile = min(s.Quantile, 99)
	if s.Quantile > 0 {
		h.latencies = &latencies{percent: h.Quantile}
	}
	return h
}

// share allows a part of the requests something. What is not used is saved, up to
// the share of a thousand requests, so that a quiet day does not pay for a storm.
type share struct {
	percent int
	credit  int64 // in thousandths
}

const sharedBy = 1000 // requests

func (s *share) deposit() {
	each := int64(s.percent) * thousand / 100
	s.credit = min(s.credit+each, each*sharedBy)
}

func (s *share) has() bool { return s.percent <= 0 || s.credit >= thousand }

func (s *share) take() { s.credit -= thousand }
