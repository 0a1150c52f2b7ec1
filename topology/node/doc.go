// Package node runs a topology over several processes and hosts: what its services
// and herds say to each other beside the requests themselves, and how what they saw
// becomes one result again.
//
// Use [New] and [Server.Serve] for one service, [RunHerd] for the clients of one host,
// [Gather] and [Merge] for the result. Package live does the work of each process, as
// it does in a run on one machine; here is what only several processes need.
//
// # Control
//
// A node answers its callers everywhere but below /-/, which is for who runs it:
//
//	/-/live            it runs
//	/-/ready           it serves, and has once reached all services that it calls; a
//	                   service that fails later is what the lab is about
//	/-/clock           two instants of its clock, around an answer
//	/-/metrics         for Prometheus
//	/-/node/result     what it saw so far, but for hits; they come in pages
//	/-/node/reset      forget all, as for the next run
//
// Results and reset ask for the token, if there is one: they tell of strangers.
//
// # Time
//
// Each process has a clock that begins with it and never jumps. Round trips tell how
// far two of them are apart, see [Nearest]. A run's instants are on the clock of its
// tail, from the release on, which several herds agree on beforehand. A service
// learns of the release with its first request, which says how long that is ago.
package node
