// Package idempotency decides what a service does with a request whose idempotency
// key it has seen before. It is pure: no clock, no lock, no I/O. The tail uses it
// over real connections and the simulator in virtual time, and each brings the order
// in which things happen.
//
// Use it to find out how often work is done that must be done once. A key alone does
// not settle that: it depends on when the service writes it down. Three attempts that
// begin a second apart at a service that works for three have three effects with
// [StoreAfter], and one with [ReserveFirst] and [ReserveAndWait].
//
// A driver asks [Table.Begin] when a request arrives, and does what it says. For a
// request that runs it tells [Table.Finish] how the work ended, once, before the
// answer goes out: a client that has its answer must find the key stored. Finish names
// the waiting requests whose time has come.
//
//	Begin ──→ Run ──────→ (work) → Finish ──→ the waiters: Replay, or one of them Run
//	   ├────→ Replay      answer with the stored status
//	   ├────→ Conflict    answer 409
//	   └────→ Wait        until Finish names it, or Leave when its caller goes
//
// What is stored is the answer to work that was done, also where the answer then got
// lost. A handler that failed or crashed before that, or that answered 500 and above,
// leaves the key free, so that the next attempt runs.
package idempotency
