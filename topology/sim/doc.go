// Package sim runs a topology in virtual time: a discrete-event engine that
// drives the same policies as package live, for millions of clients and for
// instants that are exact.
//
// Use it where a machine's own time would shape the answer, for sizes that no
// machine carries, and as the shadow of a live run: at which instant should each
// hit have arrived?
//
// At one instant replies come first, then timeouts and callers leaving, then
// retries, then new arrivals, and within a kind insertion order; of new arrivals
// the first requests of clients come first, in the order of the clients. Clients that
// share nothing are simulated one after the other over all cores; coupled ones
// share one event loop. The engine finds out by itself which case it has, and
// the result is the same, bit for bit, for any number of cores.
//
// A service makes its calls in turn, each when the one before has answered, or in
// parallel. In turn, a failure is the end: the calls behind it are not made. At once,
// all are waited for, whatever becomes of them. Of failures the first in the service's
// own order decides the answer; where there is none the last call's does, but an old
// one of a fallback, which is no failure, shows in the end. A call with a chance is made
// by the luck of attempt 0 on its edge, and a service that makes none of its calls
// answers by itself.
//
// [Modelled] and [NotModelled] say in words what the model holds and what not.
package sim

// Modelled lists what the simulator knows of.
var Modelled = []string{
	"service time: constant, uniform, exponential, lognormal, empirical; another one for a route",
	"workers and their queue: first or last come first, bounded, passing over requests nobody waits for; a route may have its own",
	"replicas, each with a fault program of its own, behind a balancer: round-robin, random, least in flight; failover",
	"services that call several others, one after the other or at once, some with a chance; any graph without a cycle",
	"every policy of a call: retry, timeout, deadline, breaker, bulkhead, pool, adaptive limit, fallback",
	"deadlines on their way from service to service, and the clocks that they meet",
	"Retry-After in seconds or as a date, by the clocks of service and caller",
	"idempotency keys: stored after the work, reserved, waited for",
	"network latency and its variation, each way",
	"timeouts with orphaned work, cancellation passed down or not",
	"fault programs, outages, stalls and ramps over time, clock skew per service; answers that are lost, cut, garbled or slow; throttles",
	"herds that ask for different things, closed loops with think time and a pause after a failure, an open loop of even, Poisson or given arrivals at changing rates",
}

// NotModelled lists what it leaves out. A live run has all of it.
var NotModelled = []string{
	"the cost of connections: dialling, TLS, accept queues, slow start, head-of-line blocking",
	"bandwidth and the size of bodies: a request is an instant, and so is an answer that is not slow",
	"processors that clients and services share, garbage collection, timer slop",
	"requests that a transport sends again by itself",
	"waits of a Retry-After over 68 years, and dates more than 34 years away: both count as for ever",
	"memory: nothing ever runs out of it",
}
