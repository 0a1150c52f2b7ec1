package policy

import (
	"strings"
	"testing"
	"time"
)

const horizon = 600 * time.Second

// unavailable is the tail's usual answer.
var unavailable = Status(503)

// doubling is 1, 2, 4, … s.
var doubling = Rest{Base: time.Second, Backoff: Backoff{Growth: Exponential}}

func capped(at AtCap) Rest {
	r := doubling
	r.Cap, r.AtCap = time.Minute, at
	return r
}

// TestRetryTimeline is the specification of the rests: the instants of all hits
// in seconds, and what the caller gets when.
func TestRetryTimeline(t *testing.T) {
	second := Rest{Base: time.Second}
	linear := Rest{Base: time.Second, Backoff: Backoff{Growth: Linear}}
	slow := Rest{Base: time.Second, Backoff: Backoff{Growth: Exponential, Factor: 1500}}
	rows := []struct {
		sentence string
		retry    Retry
		tail     tail
		hits     string
		answer   string
	}{
		{"one attempt does not rest", Retry{Attempts: 1, Rest: second}, always(unavailable), "0", "503 at 0"},
		{"no attempts are one: never none, never for ever", Retry{Rest: second}, always(unavailable), "0", "503 at 0"},
		{"attempts below Unlimited are one too", Retry{Attempts: -2, Rest: second}, always(unavailable), "0", "503 at 0"},
		{"three attempts are two retries", Retry{Attempts: 3}, always(unavailable), "0 0 0", "503 at 0"},
		{"4 attempts with 1 s between take 3 s: no rest after the last", Retry{Attempts: 4, Rest: second}, always(unavailable), "0 1 2 3", "503 at 3"},
		{"a linear rest grows by its base", Retry{Attempts: 5, Rest: linear}, always(unavailable), "0 1 3 6 10", "503 at 10"},
		{"an exponential rest doubles", Retry{Attempts: 5, Rest: doubling}, always(unavailable), "0 1 3 7 15", "503 at 15"},
		{"a factor of 1.5 gives 1, 1.5 and 2.25 s", Retry{Attempts: 4, Rest: slow}, always(unavailable), "0 1 2.5 4.75", "503 at 4.75"},
		{"the rest begins when the answer is known, not when it was asked for", Retry{Attempts: 3, Rest: second},
			always(unavailable).taking(500 * time.Millisecond), "0 1.5 3", "503 at 3.5"},
		{"a success ends it", Retry{Attempts: 5, Rest: second}, plan(unavailable, Status(200)), "0 1", "200 at 1"},
		{"a failure that no retry can cure ends it", Retry{Attempts: 5, Rest: second}, plan(unavailable, Status(404)), "0 1", "404 at 1"},
		{"A11 (1): 4 attempts, the fifth would have been good", Retry{Attempts: 4}, fifthIsGood, "0 0 0 0", "503 at 0"},
		{"A11 (2): 4 retries are 5 attempts", Retry{Attempts: 4 + 1}, fifthIsGood, "0 0 0 0 0", "200 at 0"},
		{"A11 (3): 1 attempt", Retry{Attempts: 1}, fifthIsGood, "0", "503 at 0"},
		{"A11 (4): 0 retries are 1 attempt", Retry{Attempts: 0 + 1}, fifthIsGood, "0", "503 at 0"},
		{"a cap that holds rests for it again and again", Retry{Attempts: 9, Rest: capped(Hold)}, always(unavailable), "0 1 3 7 15 31 63 123 183", "503 at 183"},
		{"a cap that stops does so only once it is reached", Retry{Attempts: 5, Rest: capped(Stop)}, always(unavailable), "0 1 3 7 15", "503 at 15"},
		{"a cap that is met exactly is not exceeded", Retry{Attempts: 4, Rest: Rest{Base: time.Minute, Cap: time.Minute, AtCap: Stop}}, always(unavailable), "0 60 120 180", "503 at 180"},
	}
	for _, r := range rows {
		t.Run(r.sentence, func(t *testing.T) {
			c := alone([]Policy{&r.retry}, r.tail, horizon)
			equal(t, "hits", c.hits(), r.hits)
			equal(t, "answer", c.result(), r.answer)
			equal(t, "notes", len(c.notes), 0)
			equal(t, "ends", c.ends, 1)
		})
	}
}

var fifthIsGood = plan(unavailable, unavailable, unavailable, unavailable, Status(200))

// TestHoldAtCap and TestStopAtCap are case A12: base 1 s, factor 2, cap 60 s,
// unlimited attempts, the tail always 503, 600 s.
func TestHoldAtCap(t *testing.T) {
	c := alone([]Policy{&Retry{Attempts: Unlimited, Rest: capped(Hold)}}, always(unavailable), horizon)
	equal(t, "hits", c.hits(), "0 1 3 7 15 31 63 123 183 243 303 363 423 483 543")
	equal(t, "number of hits", len(c.sends), 15)
	equal(t, "answer", c.result(), "unanswered")
	equal(t, "notes", len(c.notes), 0)
}

func TestStopAtCap(t *testing.T) {
	c := alone([]Policy{&Retry{Attempts: Unlimited, Rest: capped(Stop)}}, always(unavailable), horizon)
	equal(t, "hits", c.hits(), "0 1 3 7 15 31")
	equal(t, "answer", c.result(), "503 at 63")
	equal(t, "notes", strings.Join(c.notes, ", "), "wasted rest at 31")
}

// TestStopAtCapKeepsTheLastAnswer: what the caller gets after the wasted rest is
// the outcome that was known before it.
func TestStopAtCapKeepsTheLastAnswer(t *testing.T) {
	r := Rest{Base: 45 * time.Second, Backoff: Backoff{Growth: Linear}, Cap: time.Minute, AtCap: Stop}
	c := alone([]Policy{&Retry{Attempts: 9, Rest: r}}, plan(Status(429), unavailable), horizon)
	equal(t, "hits", c.hits(), "0")
	equal(t, "answer", c.result(), "429 at 45")
}

// TestLayersMultiply is case A02: retries of an application around those of its
// SDK around those of an HTTP client. The report of (3) multiplied by 5 although
// its setting counts retries.
func TestLayersMultiply(t *testing.T) {
	for _, row := range []struct {
		sentence string
		attempts []int
		hits     int
	}{
		{"(1) 3 retries of 2 retries", []int{1 + 3, 1 + 2}, 12},
		{"(1) with the SDK's retries off", []int{1 + 3, 1}, 4},
		{"(2) 3 attempts of 2 retries of 5 attempts", []int{3, 1 + 2, 5}, 45},
		{"(2) with the SDK's retries off", []int{3, 1, 5}, 15},
		{"(3) 3 attempts of 2 retries of 5 retries", []int{3, 1 + 2, 1 + 5}, 54},
	} {
		var stack []Policy
		for _, n := range row.attempts {
			stack = append(stack, &Retry{Attempts: n})
		}
		c := alone(stack, always(Status(429)), horizon)
		equal(t, row.sentence, len(c.sends), row.hits)
		equal(t, row.sentence, c.result(), "429 at 0")
	}
}

// TestDefaultFilter: what a retry that says nothing tries again, and what not.
func TestDefaultFilter(t *testing.T) {
	retried := []Outcome{
		Status(408), Status(425), Status(429), Status(502), Status(503), Status(504),
		Failed(Timeout), Failed(Refused), Failed(Reset),
	}
	final := []Outcome{
		Status(200), Status(204), Status(301), Status(400), Status(401), Status(403), Status(404), Status(409), Status(422),
		Status(500), Status(501), Status(505), Failed(Malformed), Failed(Cancelled), Failed(Rejected),
	}
	for want, outcomes := range map[int][]Outcome{2: retried, 1: final} {
		for _, o := range outcomes {
			t.Run(o.String(), func(t *testing.T) {
				c := alone([]Policy{&Retry{Attempts: 2}}, always(o), horizon)
				equal(t, "hits", len(c.sends), want)
				equal(t, "answer", c.result(), o.String()+" at 0")
			})
		}
	}
}

// TestFilterReplacesDefault: naming outcomes means those and no others.
func TestFilterReplacesDefault(t *testing.T) {
	for _, row := range []struct {
		words []string
		tail  Outcome
		hits  int
	}{
		{[]string{"500"}, Status(500), 3},
		{[]string{"500"}, Status(503), 1},
		{[]string{"5xx"}, Status(501), 3},
		{[]string{"5xx"}, Status(499), 1},
		{[]string{"4xx"}, Status(404), 3},
		{[]string{"malformed"}, Failed(Malformed), 3},
		{[]string{"malformed"}, Failed(Reset), 1},
	} {
		f, err := ParseFilter(row.words...)
		if err != nil {
			t.Fatal(err)
		}
		c := alone([]Policy{&Retry{Attempts: 3, Filter: f}}, always(row.tail), horizon)
		equal(t, strings.Join(row.words, ",")+" on "+row.tail.String(), len(c.sends), row.hits)
	}
}

// TestRepeatableOnly: a request that is not safe to repeat is sent once, if the
// policy asks for that.
func TestRepeatableOnly(t *testing.T) {
	for _, row := range []struct {
		sentence         string
		only, repeatable bool
		hits             int
	}{
		{"a policy that does not ask repeats anything", false, false, 3},
		{"a policy that asks repeats a GET", true, true, 3},
		{"a policy that asks does not repeat a POST without a key", true, false, 1},
	} {
		d := newDriver([]Policy{&Retry{Attempts: 3, RepeatableOnly: row.only}}, true, always(unavailable))
		c := d.start(0, Request{Repeatable: row.repeatable})
		d.run(horizon)
		equal(t, row.sentence, len(c.sends), row.hits)
	}
}

// TestTimeoutTimeline: a timeout bounds what is inside it, and order is all.
func TestTimeoutTimeline(t *testing.T) {
	retry := func(attempts int, r Rest) Policy { return &Retry{Attempts: attempts, Rest: r} }
	limit := func(d time.Duration) Policy { return &TimeoutAfter{Limit: d} }
	onlySuccess := always(Status(200))
	rows := []struct {
		sentence string
		stack    []Policy
		tail     tail
		hits     string
		answer   string
		stopped  int
	}{
		{"an answer in time is passed on", []Policy{limit(2 * time.Second)}, onlySuccess.taking(time.Second), "0", "200 at 1", 0},
		{"a late answer is a timeout", []Policy{limit(2 * time.Second)}, onlySuccess.taking(3 * time.Second), "0", "timeout at 2", 1},
		{"at one instant the reply comes before the timeout", []Policy{limit(2 * time.Second)}, onlySuccess.taking(2 * time.Second), "0", "200 at 2", 0},
		{"A06 (3): inside a retry it bounds each attempt: 4×2 + 1+2+4 s", []Policy{retry(4, doubling), limit(2 * time.Second)},
			onlySuccess.taking(hang), "0 3 7 13", "timeout at 15", 4},
		{"only the slow attempt is stopped", []Policy{retry(4, doubling), limit(2 * time.Second)},
			onlySuccess.taking(hang, time.Second), "0 3", "200 at 4", 1},
		{"around a retry it bounds all attempts and rests together", []Policy{limit(11 * time.Second), retry(4, Rest{Base: time.Second})},
			always(unavailable).taking(4 * time.Second), "0 5 10", "timeout at 11", 1},
		{"around a retry it may end during a rest", []Policy{limit(10 * time.Second), retry(9, doubling)},
			always(unavailable), "0 1 3 7", "timeout at 10", 0},
		{"at one instant the timeout comes before the retry", []Policy{limit(3 * time.Second), retry(9, doubling)},
			always(unavailable), "0 1", "timeout at 3", 0},
		{"both: each attempt 2 s, all of them 5 s", []Policy{limit(5 * time.Second), retry(9, Rest{Base: time.Second}), limit(2 * time.Second)},
			onlySuccess.taking(hang), "0 3", "timeout at 5", 2},
		{"two retries on one edge multiply", []Policy{retry(2, Rest{Base: 10 * time.Second}), retry(3, Rest{Base: time.Second})},
			always(unavailable), "0 1 2 12 13 14", "503 at 14", 0},
		{"a service time of its own for each attempt", []Policy{retry(3, Rest{Base: time.Second})},
			always(unavailable).taking(time.Second, 2*time.Second, 3*time.Second), "0 2 5", "503 at 8", 0},
	}
	for _, r := range rows {
		t.Run(r.sentence, func(t *testing.T) {
			c := alone(r.stack, r.tail, horizon)
			equal(t, "hits", c.hits(), r.hits)
			equal(t, "answer", c.result(), r.answer)
			equal(t, "stopped", c.stopped, r.stopped)
			equal(t, "ends", c.ends, 1)
		})
	}
}
