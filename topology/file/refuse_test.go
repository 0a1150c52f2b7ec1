package file_test

import (
	"strings"
	"testing"
	"time"

	"labctl/topology/file"
)

// call is a lab of which a call's body is said.
func call(body string) string {
	return "version: 1\nservices:\n  client: {calls: [{to: a, " + body + "}]}\n  a: {}\n"
}

// Every refusal is one line: where, which field, what is wrong, and the cure.
func TestReadRefuses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		// The file as a whole.
		{"", ": it says nothing: start with version: 1, or with the example of labctl init"},
		{"# nothing\n", ": it says nothing: start with version: 1, or with the example of labctl init"},
		{"3\n", `:1:1: the value "3" stands where keys are needed: write {KEY: VALUE}`},
		{"{}", ":1:1: version: it is missing: start with version: 1"},
		{"version: 2\nnews: 1\n", `:2:1: no key "news": there are version, title, text, load, services, variants, run, expect`},
		{"version: 2\n", `:1:10: version: the value "2": this labctl reads version 1`},
		{"version: 1\n", ":1:1: services: there are none: say who calls whom, such as services: {client: {calls: [{to: a}]}, a: {fault: 503}}"},
		{small + "---\n" + small, ": it holds more than one document: put each lab into a file of its own, without --- between them"},
		{"version: 1\nservices:\n\tclient: {}\n", ":3:1: a tab cannot indent: use spaces"},
		{"version: 1\nservices: {client: [\n", ":3:1: did not find expected node content"},
		{"version: 1\ntitle: a: b\n", ":2:9: mapping values are not allowed in this context"},
		{"version: 1\ntitle: \xff\n", `:2:8: a byte that is no UTF-8 text: save the file as UTF-8, with \n or \r\n at the end of lines`},
		{"version: 1\ntitle: \x00\n", `:2:8: a byte that is no UTF-8 text: save the file as UTF-8, with \n or \r\n at the end of lines`},
		{strings.Repeat("#", file.MaxBytes+1), ": 4194305 bytes are over the limit of 4194304: split the file, or say replicas instead of services"},
		{strings.Repeat("[", 100_000), ":1:10001: nested too deeply for a lab"},

		// What makes YAML more than maps, lists and values.
		{"version: 1\ntitle: &x y\n", ":2:8: &x: anchors are not for labs: write the value where it is needed"},
		{"a: &a [1]\nb: [*a, *a]\n", ":1:4: &a: anchors are not for labs: write the value where it is needed"},
		{"version: !!int 1\n", ":1:10: !!int: a lab has no tags: leave it out"},
		{"version: 1\n<<: {title: x}\n", ":2:1: <<: maps are not merged: write the keys out"},

		// Keys and types.
		{small + "version: 1\n", ":3:1: version: the key stands twice, also on line 1: keep one"},
		{small + "tilte: x\n", `:3:1: no key "tilte"; did you mean title?`},
		{small + "run: {bins: 1s}\n", `:3:7: run: no key "bins"; did you mean bin?`},
		{small + "run: {[a]: 1s}\n", ":3:7: run: a list cannot be a key: write a word"},
		{small + "run: 5\n", `:3:6: run: the value "5" stands where keys are needed: write run: {KEY: VALUE}`},
		{small + "run: {bin: {x: 1}}\n", ":3:12: run.bin: a map stands where one value is needed"},
		{small + "run: {bin: }\n", ":3:12: run.bin: there is no value: say one, or leave the key out"},
		{small + "title: |\n  a\n  b\n", ":3:8: title: a title is one line: the rest belongs into text"},
		{small + "run: {bin: 50}\n", `:3:12: run.bin: "50" is not a duration: write it like 50ms, 1.5s or 2m`},
		{small + "run: {bin: .nan}\n", `:3:12: run.bin: ".nan" is not a duration: write it like 50ms, 1.5s or 2m`},
		{small + "run: {seed: -1}\n", `:3:13: run.seed: "-1" is not a whole number from 0 to 18446744073709551615`},
		{small + "run: {repeats: 0}\n", `:3:16: run.repeats: "0" is not a whole number from 1 to 1000000`},
		{small + "load: {herd: {clients: 1e30}}\n", `:3:24: load.herd.clients: "1e30" is not a whole number`},
		{small + "load: {herd: {clients: NaN}}\n", `:3:24: load.herd.clients: "NaN" is not a whole number`},
		{small + "load: {herd: {clients: " + strings.Repeat("9", 30) + "}}\n", `:3:24: load.herd.clients: "999999999999999999999999999999" is not a whole number`},
		{small + "load: {herd: {clients: -5}}\n", ":3:15: load.herd.clients: -5 would send nothing: say 1 or more"},

		// The load.
		{small + "load: {herd: {}, loop: {}}\n", ":3:18: load.loop: herd is given as well, which is the same: keep one, and put further clients into others"},
		{small + "load: {others: {x: {route: y}}}\n", ":3:20: load.others.x.route: the key x is the route already: leave route out"},
		{small + "load: {rate: {poisson: true}}\n", ":3:8: load.rate: there is no rate: say steps, such as steps: 280/s, or at"},
		{small + "load: {rate: 280}\nrun: {until: 1s}\n", `:3:14: load.rate: "280" is no rate: write it like 280/s, or 280/s,300s:100/s for one that changes`},
		{small + "load: {rate: 280/s, herd: {clients: 5}}\nrun: {until: 1s}\n", ":3:28: load.herd.clients: requests at a rate come from no clients: leave it out, or the rate"},
		{small + "load: {rate: 280/s}\n", ":1:1: run.until: arrivals at a rate have no end of their own: say when the run ends, or the load (load.for)"},

		// Services and the graph.
		{"version: 1\nservices: {client: {calls: [{to: a}]}, a: }\n", ":2:40: services.a: there is no value: write {} for a service that answers ok"},
		{"version: 1\nservices: {a: {}}\n", ":2:1: services: there is no client, who makes the requests: add one that calls the first service"},
		{"version: 1\nservices: {client: {calls: [{to: web}]}, wep: {}}\n", `:2:34: services.client.calls: there is no service "web"; did you mean wep?`},
		{"version: 1\nservices: {client: {calls: [{to: a}]}, a: {}, z: {}}\n", ":2:47: services.z: nobody calls it: let a service call it, or leave it out"},
		{"version: 1\nservices: {client: {calls: [{to: a}]}, a: {calls: [{to: b}]}, b: {calls: [{to: a}]}}\n", ":2:75: services.b.calls.a: a request could go round for ever: b → a → b: take one of these calls out"},
		{"version: 1\nservices: {client: {calls: [{to: a}]}, a: {calls: [{to: a}]}}\n", ":2:52: services.a.calls.a: a request could go round for ever: a → a: take one of these calls out"},
		{"version: 1\nservices: {client: {calls: [{to: a}]}, a: {calls: [{to: client}]}}\n", ":2:52: services.a.calls.client: a request could go round for ever: a → client → a: take one of these calls out"},
		{"version: 1\nservices: {client: {calls: [{to: a}, {to: a}]}, a: {}}\n", ":2:43: services.client.calls.a: a is called twice: one call to each service"},
		{"version: 1\nservices: {client: {calls: [a]}, a: {}}\n", ":2:29: services.client.calls: a call says whom: write {to: NAME}"},
		{"version: 1\nservices: {client: {calls: {a: {to: b}}}, a: {}}\n", ":2:33: services.client.calls.a.to: the key a says whom already: leave to out"},
		{"version: 1\nservices: {client: {calls: [{to: a.b}]}, a.b: {}}\n", `:2:34: services.client.calls: the name "a.b" must be 1 to 64 letters, digits, - or _`},
		{"version: 1\nservices: {client: {calls: [{to: a}]}, a: {replica: {x: {}}}}\n", `:2:54: services.a.replica.x: "x" is no replica: they are numbered from 0`},
		{"version: 1\nservices: {client: {calls: [{to: a}]}, a: {fault: 503x0}}\n", `:2:44: services.a.fault: fault program: step 1 "503x0": count "x0" is not a number from 1 to 1000000000; write for example x2`},

		// Policies.
		{call("policies: [{retry: 3}]"), ":3:47: services.client.calls.a.retry: 3 attempts are one retry fewer, 3 retries one attempt more: say attempts: 3 or retries: 3"},
		{call("retry: 3"), ":3:35: services.client.calls.a.retry: 3 attempts are one retry fewer, 3 retries one attempt more: say attempts: 3 or retries: 3"},
		{call("policies: [{retry: often}]"), `:3:47: services.client.calls.a.retry: the value "often" does not say how often: write retry: {attempts: 3} or retry: {retries: 2}, which are the same`},
		{call("policies: [{retry: {rest: 1s}}]"), ":3:40: services.client.calls.a.retry: it does not say how often: say attempts: 3 or retries: 2, which are the same"},
		{call("policies: [{retry: {attempts: 3, retries: 2}}]"), ":3:61: services.client.calls.a.retry: attempts and retries say the same, the first try included or not: keep one"},
		{call("policies: [{retry: {attemps: 3}}]"), `:3:48: services.client.calls.a.retry: no key "attemps"; did you mean attempts?`},
		{call("policies: [{retry: {attempts: 0}}]"), ":3:48: services.client.calls.a.retry.attempts: 0 would never call: say 1 for a single try (0 retries)"},
		{call("policies: [{bulkhead: 10}]"), `:3:50: services.client.calls.a.bulkhead: the value "10" does not say which field: write bulkhead: {FIELD: VALUE}, with limit, queue, wait, per`},
		{call("policies: [{retries: 3}]"), `:3:40: services.client.calls.a.policies: no key "retries": it belongs to a retry: write retry: {retries: 3}`},
		{call("policies: [{retry: {attempts: 3}, timeout: 1s}]"), ":3:62: services.client.calls.a.policies: retry and timeout stand in one entry, so their order is not said: write - {retry: …} and - {timeout: …}"},
		{call("policies: {retry: {attempts: 3}}"), ":3:38: services.client.calls.a.policies: a map stands where a list is needed: write policies: [{retry: {attempts: 3}}, {timeout: 1s}], outermost first"},
		{call("policies: [{name: x}]"), ":3:39: services.client.calls.a.policies: an entry is exactly one of fallback, deadline, adaptive, bulkhead, budget, hedge, retry, breaker, timeout, pool, balance"},
		{call("policies: [{timeout: 1s}, {timeout: 2s}]"), ":3:55: services.client.calls.a.timeout: the call has two of that name: give each a name, such as {name: inner, timeout: …}"},
		{call("policies: [{name: retry, timeout: 1s}]"), ":3:46: services.client.calls.a.policies.name: retry is a word of the file: choose a name of your own"},
		{call("breaker: {}, retry: {attempts: 3}"), ":3:41: services.client.calls.a.retry: it stands inside of breaker here and usually outside, and keys have no order: write policies: [{breaker: …}, {retry: …}], outermost first"},
		{call("retry: {attempts: 3}, policies: []"), ":3:20: services.client.calls.a: retry stands beside policies: put it into that list, where its order shows"},
		{call("attempts: 3"), `:3:28: services.client.calls.a: no key "attempts": it belongs to a retry: write retry: {attempts: 3}`},
		{call("policies: [{breaker: {rate: NaN}}]"), `:3:56: services.client.calls.a.breaker.rate: "NaN" is no percentage from 0% to 100%`},

		// Variants and expectations.
		{small + "variants: {x: {set: {services.a.falt: 503}}}\n", `:3:22: variants.x: services.a.falt: no field "falt": there are fault, time, workers, order, queue, drop, replicas, balance, skew, parallel, idempotency, speed`},
		{small + "variants: {x: {set: {load.herd.clients: 2, services.a.workers: -1}}}\n", ":3:44: variants.x: services.a.workers: -1 is not from 0 (no limit) to 10000000"},
		{small + "variants: {x: {set: {load: {herd: {clients: 2}}}}}\n", ":3:28: variants.x.set.load: a map stands where one value is needed"},
		{small + "variants: {x: {services: {client: {calls: [{to: z}]}, z: {workers: -1}}}}\n", ":3:59: variants.x: services.z.workers: -1 is not from 0 (no limit) to 10000000"},
		{small + "variants: {x y: {}}\n", `:3:12: variants: the name "x y" must be 1 to 64 letters, digits, - or _`},
		{small + "expect: {tail.hits: }\n", ":3:21: expect.tail.hits: there is no value: say one, or leave the key out"},
		{small + "expect: {tail.hits: \"\"}\n", `:3:21: expect.tail.hits: the condition is empty: say one, such as "<= 3"`},
	} {
		_, err := file.Read("checkout.yaml", []byte(tt.text))
		short := tt.text
		if len(short) > 200 {
			short = short[:200] + "…"
		}
		equal(t, short, message(err), "checkout.yaml"+tt.want)
	}
}

// Whatever somebody puts into a file, the answer comes soon, and on one line.
func TestReadRefusesSoon(t *testing.T) {
	const n = file.MaxBytes / 32
	for _, text := range []string{
		strings.Repeat("x", 10<<20),
		strings.Repeat("- ", n), strings.Repeat("? ", n), strings.Repeat("a: ", n), "{" + strings.Repeat("a, ", n),
		strings.Repeat("a:\n#c\n", n/2), strings.Repeat("&a ", n), "[" + strings.Repeat("x: y, ", n/2),
		"a: &a [" + strings.Repeat("*a, ", n) + "]\n",
		"version: 1\nservices: {" + strings.Repeat("a: {}, ", n/2) + "}\n",
		small + "title: \"" + strings.Repeat("x", n) + "\nrun: {bin: " + strings.Repeat("9", n) + "}\n",
		small + "run: {bin: " + strings.Repeat("9", n) + "}\n",
		small + "run: {\"" + strings.Repeat("\\n", n) + "\": 9}\n",
	} {
		begun := time.Now()
		_, err := file.Read("x.yaml", []byte(text))
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%.20q took %v", text, took)
		}
		if got := message(err); got == "" || len(got) > 2000 || strings.ContainsAny(got, "\n\r") {
			t.Errorf("%.20q: got %q", text, got)
		}
	}
}
