package sim

import (
	"math"
	"net/http"
	"time"

	"labctl/faultserver/program"
	"labctl/topology/policy"
)

// script is a fault program at work, for all requests of a service or some.
type script struct {
	state    *program.State
	texts    map[string]retryAfter // what raw Retry-After headers of the program say
	lucky    bool                  // it asks for luck
	each     bool                  // it needs to know which request it is
	constant bool                  // every request meets the same
	calls    bool                  // the service calls the next layer
	bodiless bool                  // no answer has a body that could be slow
	always   fate
}

func newScript(p program.Program, method string, calls bool) *script {
	s := &script{state: program.NewState(p), lucky: p.Lucky(), each: p.Each && !p.Stateless(), calls: calls, bodiless: method == http.MethodHead}
	for _, step := range p.Steps {
		if text := step.RawRetryAfter; text != "" {
			s.read(text)
		}
	}
	constant, is := p.Constant()
	if s.constant = is; is {
		s.always = s.decide(constant)
	}
	return s
}

// read notes what a raw header says. One that is not understood is none; a date has
// spaces in it, which no program can have.
func (s *script) read(text string) {
	if s.texts == nil {
		s.texts = map[string]retryAfter{}
	}
	if wait, ok := policy.ParseRetryAfter(text, time.Unix(0, 0)); ok {
		s.texts[text] = waitFor(wait)
	}
}

// fate is what the fault program does to a request, as far as it matters here.
type fate struct {
	delay  time.Duration
	over   time.Duration // that the answer takes when the work is done
	answer answer
	state  jobState // of the job: isRefused, isHanging, isForward, isPassing, isWork
	plain  bool     // the answer goes out at once, and does not say when to come again
}

// fault asks the program what happens to a request, unless that is constant.
func (s *script) fault(id string, luck policy.Luck, clock time.Duration) fate {
	var u uint64
	if s.lucky {
		u = luck.Draw(policy.ForFault)
	}
	return s.decide(s.state.Next(id, clock, u))
}

// decide is what a request meets when the fault program does this to it. The work
// of a service that calls the next layer is that call, also where the answer is
// lost afterwards; where it is not, the call's outcome is the answer.
func (s *script) decide(a program.Action) fate {
	f := fate{delay: a.Delay, answer: status(a.Status)}
	if a.Kind.Works() {
		f.state = isWork
		if s.calls {
			f.state |= isForward
		}
	}
	switch a.Kind.Seen() {
	case program.SeenReset:
		f.answer = failed(policy.Reset)
	case program.SeenMalformed:
		f.answer = failed(policy.Malformed)
	case program.SeenRefused:
		f.answer, f.state = failed(policy.Refused), isRefused
	case program.SeenNothing:
		if a.Kind.Works() { // stall: it is the answer that never ends
			f.over = math.MaxInt64
		} else {
			f.state = isHanging
		}
	default:
		f.answer.after = s.retryAfter(a)
	}
	if s.calls && f.state&isWork != 0 && a.Kind.Answers() {
		f.state |= isPassing
	}
	if a.Kind == program.Slow && !s.bodiless {
		f.over = a.Over
	}
	f.plain = f.over == 0 && f.answer.after == 0
	return f
}

// retryAfter is the header that the program asks for.
func (s *script) retryAfter(a program.Action) retryAfter {
	switch {
	case a.RawRetryAfter != "":
		return s.texts[a.RawRetryAfter]
	case a.RetryAfter <= 0:
		return 0
	case a.RetryAfterDate:
		return isDate | waitFor(a.RetryAfter)
	}
	return waitFor(a.RetryAfter)
}
