package subjects

// A Fault is one of the ground truth in the words of the lab.
type Fault struct {
	Truth   string // "503ra1"
	Program string // for a tail; "" where no program says it
	Audit   string // the fault of the audit's catalogue that asks the same; "" for none
	Warm    bool   // by the second of two calls of one client, the first of which is a warm-up
}

// body is what a bad answer of the ground truth has. Without one, curl has nothing to take
// back from its output, and tries again where it otherwise gives up.
const body = "+body=10B"

// Faults maps all faults of the ground truth whose hits can be asked for. The one that it
// also has and that is not here is rst_accept, a reset at the moment of accepting: whether
// a request gets through before is the kernel's to decide.
func Faults() []Fault {
	var faults []Fault
	for _, status := range []string{"400", "401", "404", "408", "422", "429", "500", "501", "502", "503", "504"} {
		faults = append(faults, Fault{Truth: status, Program: status + body, Audit: status})
	}
	for _, status := range []string{"429", "503"} {
		for _, s := range []string{"1", "3"} {
			faults = append(faults, Fault{
				Truth: status + "ra" + s, Program: status + "+retry-after=" + s + body, Audit: status + " retry-after=" + s,
			})
		}
	}
	return append(faults,
		Fault{Truth: "ok", Program: "ok", Audit: "ok"},
		Fault{Truth: "refused", Program: "refuse", Audit: "refused"},
		Fault{Truth: "rst", Program: "reset", Audit: "reset"},
		Fault{Truth: "fin", Program: "close", Audit: "close"},
		Fault{Truth: "hang", Program: "hang", Audit: "hang"},
		Fault{Truth: "trunc", Program: "truncate+body=100B", Audit: "truncate"},
		Fault{Truth: "malformed", Program: "malformed", Audit: "malformed"},
		Fault{Truth: "reuse_fin", Program: "conn:ok,close", Warm: true},
		Fault{Truth: "reuse_rst", Program: "conn:ok,reset", Warm: true},
		Fault{Truth: "reuse_fin_1conn", Program: "conn:ok,close", Warm: true},
		Fault{Truth: "reuse_rst_1conn", Program: "conn:ok,reset", Warm: true},
		Fault{Truth: "400throttle"}, // a 400 with the body Throttled: a program ok with a handler behind
	)
}

// FaultOf finds the fault that the ground truth calls so.
func FaultOf(truth string) (Fault, bool) {
	for _, f := range Faults() {
		if f.Truth == truth {
			return f, true
		}
	}
	return Fault{}, false
}

// Throttled is the body of a 400 that an AWS SDK takes for a throttle.
const Throttled = `{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"Rate exceeded"}`
