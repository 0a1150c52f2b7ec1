// Package faultserver is the faulty tail of a chain of services: it counts and
// timestamps every hit, and then does to it what a fault program says.
//
// Use it to find out what a client does when its service fails: how often it
// tries, when, on how many connections, and whether it listens to Retry-After.
// In a test, in the manner of httptest:
//
//	func TestClientGivesUpAfterThree(t *testing.T) {
//		tail := faultserver.Start(t, "503")
//		NewClient(tail.URL).Fetch()
//		if tail.Hits() != 3 {
//			t.Errorf("%d hits, want 3", tail.Hits())
//		}
//	}
//
// [Start] is for tests, [Listen] for programs, and [New] for a Handler inside a
// server of your own or an in-process network. Package program describes the
// language of faults.
//
// # What is counted
//
// A hit is a request whose headers reached the tail. Counting and timestamping
// come first, before the body is read and before any fault, so that a request
// that is reset or left hanging counts like any other. Only a refused one does
// not: no user-space program sees it.
//
// An effect is a hit that did the work: see [Arrival.Worked] and [Handler.Effects]. Hits
// never stand in for effects. Some faults strike in front of the work (503, reset, hang)
// and some behind it (lost, truncate, stall, malformed), where a client that tries again has it
// done twice; [program.Kind.Works] tells them apart. Work is done at the end of a delay,
// and a caller that leaves before that stops it.
//
// Compare counts, not times. A count answers "how many layers retry" exactly; an
// instant on a busy machine answers about the machine too. For exact instants run
// client and Handler in a testing/synctest bubble over an in-process network.
//
// # Connections
//
// Some surprises are the client's and are what the tail is for. HTTP stacks send a request
// again behind the back of every policy, and which one they do depends on the connection:
// Go's own transport repeats a GET, and not a POST, when a connection that was good once
// dies before an answer, and does nothing when a fresh one does. No count of calls or of
// attempts in the client shows it. So there are three levels of counting:
//
//	connections accepted      [Server.Connections], also those that never sent a word
//	requests on a fresh one   hits whose [Arrival.Turn] is 1
//	requests on a reused one  hits whose [Arrival.Turn] is above 1
//
// A program with conn: has every connection take steps of its own: conn:ok,close is good
// for the first request of each and drops the later ones, the case that such a stack makes
// up for. In a server of your own, [Connections] tell them apart. The streams of HTTP/2 are
// requests of one connection.
//
// A fault in HTTP/2 aborts the stream, whatever its kind, and a stall leaves it open. On a caller's body beyond
// [MaxDrain] the system may answer a close with an RST.
//
// # Idempotency keys
//
// With [Config.Idempotency] the tail looks at the Idempotency-Key of a hit before its
// action: work that was done is not done again, and the hit is answered with the stored
// status and the header Idempotent-Replayed: true. What happens to one that comes while
// the first is at work is the mode's: it works as well, is answered 409, or waits. Package
// idempotency has the rules. Replicas of one service share its [Keys].
//
// # Workers
//
// A tail serves any number of hits at once, and a delay is the same for each. Where a
// service is slow because it is busy, say so with [Config.Admit]: it gives a hit a place
// in front of a pool of workers when it takes its turn, lets it wait there or turns it
// away, and says how long the work takes. A hit goes through
//
//	counted, turn, Admit ──→ body ──→ Job.Wait ──→ key ──→ Job.Time ──→ action ──→ Job.Done
//
// # What is absent
//
// There is no matching by path or method, no script and no recording of bodies, nor of
// headers but for the few that [Config.Headers] names: put the Handler behind a mux for
// the first, use [Config].Next for the rest.
package faultserver
