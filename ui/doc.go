// Package ui is the local page of labctl: sliders for a lab, and at once what arrives
// at its tail, in virtual time.
//
// What the page knows it asks of this package: a [State] is what somebody has set, as
// the fragment of the page's address says it, [Labs.Answer] simulates that, and an
// [Answer] has the numbers, the verdict in words, and the same lab as a file and as a
// command. These are plain values without HTTP, so they are tested, and can be used,
// without a server. Everything runs by way of [scenarios.Overrides], as the flags of
// labctl run do: the page cannot show what a command could not.
//
// [New] serves the page. Its address holds a random token; without it every request is
// refused. Below http://127.0.0.1:PORT/TOKEN/ there are
//
//	GET    api/labs          what there is to start from: [][Choice]
//	GET    api/answer?STATE  an [Answer] to a state, such as lab=jitter-herd&clients=1000;
//	                         seq=N comes back in the answer. A state that cannot be has
//	                         {"error": "…"} for an answer: moving a slider too far is no fault
//	POST   api/live?STATE    begin a live run of the state; net=tcp or net=pipe. 202, or 409
//	                         while another one goes on, or 422, with {"error": "…"}
//	GET    api/live          a [LiveView]: what has arrived so far, beside its shadow
//	DELETE api/live          stop it
//	GET    …                 the page itself
package ui
