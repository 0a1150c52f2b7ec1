package policy

import "time"

// Budget is the settings of a retry budget: how many attempts beyond the first all
// calls of an edge may make together. Where a number of attempts bounds what one
// call does to a service, a budget bounds what all do; with 3 attempts everywhere
// a service that fails gets three times its load, with a budget of 20 % 1.2 times.
//
// Put it outside the retries and hedges that shall ask it. One that is refused
// returns the outcome that it has, or sends no copy: a budget has no error of its
// own. Of several on an edge the outermost is asked, by all that are inside it.
//
// Each law is what one family of clients does, and they differ much: Deposit and
// PerRequest bound a share of the requests, Active of the work in flight, so that
// it gives more when a service is slow; Tokens and HalfFull know no requests but
// only how attempts end, so that they give a burst and then nothing.
//
// A field that is 0 is the default of its law, see the laws; fields that the law
// does not name are not used. All shares are thousandths and exact. (A budget that
// kept 1/ratio as a whole number let 60 % be 100 %: tower-rs/tower#857.)
type Budget struct {
	Law         BudgetLaw
	Ratio       int           // thousandths: 200 is 20 %; NoShare: nothing
	Floor       int           // of Deposit: retries per second; of Active: in flight; NoFloor: none
	Window      time.Duration // of Deposit and PerRequest: what they look back on
	Tokens      int           // of Tokens and HalfFull: size of the bucket, which is full at the start
	Cost        int           // of Tokens: of a retry
	TimeoutCost int           // of Tokens: of one after a timeout
	Attempts    int           // of PerRequest: at most so many for one request, the first included
	PerClient   bool          // each client has one of its own, as in a fleet; the driver makes an edge for each
}

// What stands for 0, since 0 is the default.
const (
	NoFloor = -1 // as Budget.Floor
	NoShare = -1 // as Budget.Ratio
)

// BudgetLaw is how a budget counts.
type BudgetLaw uint8

// The laws.
const (
	// Deposit is the RetryBudget of Finagle, and after it Linkerd and tower:
	//
	//	retries in the window ≤ Ratio × requests in the window + Floor × Window
	//
	// 20 %, 10 per second, 10 s (com.twitter.finagle.service.RetryBudget; Linkerd's
	// service profiles, "Retry Budget"). The floor lets quiet clients retry at all,
	// and is far more than the share where there are few requests: at one request a
	// second these defaults allow ten retries for each. Watch ByFloor.
	//
	// The window goes on by a tenth at a time, as in all three, so that it needs no
	// memory of single requests: at every retry the bound holds for this tenth and
	// the nine before.
	Deposit BudgetLaw = iota

	// Active is Envoy's retry_budget:
	//
	//	retries in flight ≤ the greater of Floor and Ratio × requests in flight
	//
	// 20 % and 3 (envoy.config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget:
	// budget_percent, min_retry_concurrency). A retry is in flight from when it is
	// granted, its rest included, until the attempt ends; a request from call to
	// return. (Envoy leaves requests out that rest.)
	Active

	// Tokens is the retry quota of the AWS SDKs' standard mode: a bucket of 500 from
	// which a retry takes 5, and 10 after a timeout. One that succeeds brings back
	// what it cost, and a call that needs none brings 1. (botocore.retries.standard;
	// smithy's DefaultRetryQuota. From November 2026 the SDKs have other costs by
	// default, 14 for most: AWS Developer Tools Blog, "Announcing updated retry
	// behavior".) It allows 100 retries at once, to all calls of a client together.
	Tokens

	// HalfFull is gRPC's retryThrottling (gRFC A6): each attempt that fails in a way
	// worth retrying takes 1 from a bucket of at most 1000, each success brings
	// Ratio, and at half of the bucket or below nothing is retried. 10 and 0.1, the
	// example of A6; gRPC itself has no default. Retries go on for ever only while
	// failures are at most Ratio/(1+Ratio) of the attempts, 1/11 of them here.
	HalfFull

	// PerRequest is the two budgets of Google's clients: 3 attempts for a request,
	// and a retry only while retries are less than 10 % of the requests of a client
	// (Beyer et al., Site Reliability Engineering, 2016, chapter 21, "Deciding to
	// Retry"). The book gives no window; 2 min is that of the same chapter's
	// client-side throttling.
	PerRequest

	budgetLaws // how many there are
)

// budgetDefaults is what a law uses where nothing is said.
var budgetDefaults = [budgetLaws]Budget{
	Deposit:    {Ratio: 200, Floor: 10, Window: 10 * time.Second},
	Active:     {Ratio: 200, Floor: 3},
	Tokens:     {Tokens: 500, Cost: 5, TimeoutCost: 10},
	HalfFull:   {Tokens: 10, Ratio: 100},
	PerRequest: {Ratio: 100, Window: 2 * time.Minute, Attempts: 3},
}

// The largest settings: they keep the sums within 64 bits.
const (
	mostTokens = 1_000_000
	mostRatio  = 1_000_000 // a thousand retries for each request
	mostFloor  = 1_000_000
	mostWindow = time.Hour
	// mostHalfFull is gRFC A6's.
	mostHalfFull = 1000
)

// New returns a budget for one edge, with the defaults filled in.
func (s Budget) New() *BudgetState {
	d := budgetDefaults[s.Law]
	s.Ratio = withinOr(s.Ratio, d.Ratio, mostRatio)
	s.Floor = withinOr(s.Floor, d.Floor, mostFloor)
	s.Window = min(positiveOr(s.Window, d.Window), mostWindow)
	s.Tokens = min(positiveOr(s.Tokens, d.Tokens), mostTokens)
	if s.Law == HalfFull {
		s.Tokens = min(s.Tokens, mostHalfFull)
	}
	s.Cost = positiveOr(s.Cost, d.Cost)
	s.TimeoutCost = positiveOr(s.TimeoutCost, d.TimeoutCost)
	s.Attempts = positiveOr(s.Attempts, d.Attempts)
	return &BudgetState{Budget: s, tokens: int64(s.Tokens) * thousand}
}

// withinOr is a setting whose 0 is a default, and that is 0 below it.
func withinOr(v, otherwise, most int) int {
	if v == 0 {
		return otherwise
	}
	return max(0, min(v, most))
}

// BudgetSignals is what a budget did. Retries and copies of hedges are the same to
// it: attempts beyond the first.
type BudgetSignals struct {
	Requests   int64 // calls that came by
	Retries    int64 // granted; one whose caller left during the rest was never sent
	ByFloor    int64 // of these: those that the share alone would not have allowed
	Suppressed int64 // refused
	Tokens     int64 // of Tokens and HalfFull: in the bucket now, in thousandths
}
