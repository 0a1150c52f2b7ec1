// Package sim runs a topology in virtual time: a discrete-event engine that
// drives the same policies as package live, for millions of clients and for
// instants that are exact.
//
// Use it where a machine's own time would shape the answer, for sizes that no
// machine carries, and as the shadow of a live run: at which instant should each
// hit have arrived?
//
// At one instant replies come first, then timeouts and callers leaving, then
// retries, then new arrivals, and within a kind insertion order. Clients that
// share nothing are simulated one after the other over all cores; coupled ones
// share one event loop. The engine finds out by itself which case it has, and
// the result is the same, bit for bit, for any number of cores.
//
// [Modelled] and [NotModelled] say in words what the model holds and what not.
package sim

// Modelled lists what the simulator knows of.
var Modelled = []string{
	"service time: constant, uniform, exponential, lognormal, empirical",
	"workers and their queue: first or last come first, bounded, passing over requests nobody waits for",
	"replicas behind a balancer: round-robin, random, least in flight",
	"network latency and its variation, each way",
	"timeouts with orphaned work, cancellation passed down or not",
	"fault programs, outages, stalls and ramps over time, clock skew per service",
	"a herd, a closed loop with think time, an open loop of even, Poisson or given arrivals at changing rates",
}

// NotModelled lists what it leaves out. A live run has all of it.
var NotModelled = []string{
	"the cost of connections: dialling, TLS, accept queues, slow start, head-of-line blocking",
	"bandwidth and the size of bodies: a request is an instant",
	"processors that clients and services share, garbage collection, timer slop",
	"requests that a transport sends again by itself",
	"memory: nothing ever runs out of it",
}
