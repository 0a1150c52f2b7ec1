package infer

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"labctl/audit"
)

// What became of a trial.
const (
	neverCalled  = "never called"
	stillWaiting = "still waiting"
	succeeded    = "succeeded"
	gaveUp       = "gave up"
	died         = "died"
	notAsked     = "not asked"
)

// rows tells each question by its typical trial.
func (c *inquiry) rows() []audit.Row {
	all := slices.Concat(c.questions, c.aside, c.unasked)
	slices.SortStableFunc(all, byCard())
	rows := []audit.Row{}
	for _, q := range all {
		if q.trials[0].Unasked != "" {
			rows = append(rows, audit.Row{
				Fault: q.Fault.Name, Method: q.Method, Key: q.Keyed, Connection: string(q.Connection),
				GapsMS: []float64{}, Outcome: notAsked, Note: q.trials[0].Unasked, Unasked: true,
			})
			continue
		}
		rows = append(rows, c.row(q))
	}
	return rows
}

func (c *inquiry) row(q *question) audit.Row {
	t := q.trials[0]
	hits := attemptsOf(t)
	r := audit.Row{
		Fault: q.Fault.Name, Method: cmp.Or(q.Method, q.sent), Key: q.Keyed, Connection: string(q.Connection),
		Hits: len(hits), Seen: q.seen(), GapsMS: []float64{}, Hidden: min(q.replays, max(len(hits)-1, 0)),
		Outcome: outcome(t), Uncounted: q.uncounted() != "", Unclear: q.doubtful(), Note: strings.Join(q.notes(), "; "),
	}
	if len(q.trials) > 1 {
		r.Trials = len(q.trials)
	}
	if !t.Exit.TimedOut && t.Exit.Signal == "" && t.Exit.Code >= 0 {
		r.Exit = &t.Exit.Code
	}
	for _, g := range gaps(t) {
		r.GapsMS = append(r.GapsMS, round(millis(g)))
	}
	if slices.ContainsFunc(hits, func(h audit.Hit) bool { return h.Body > 0 }) {
		for _, h := range hits {
			r.BodyBytes = append(r.BodyBytes, h.Body)
		}
	}
	return r
}

// seen are the numbers of hits of all trials, where they differ.
func (q *question) seen() []int {
	var all []int
	for _, t := range q.trials {
		all = append(all, len(attemptsOf(t)))
	}
	slices.Sort(all)
	if all[0] == all[len(all)-1] {
		return nil
	}
	return all
}

func outcome(t audit.Trial) string {
	hits := attemptsOf(t)
	switch {
	case t.Exit.TimedOut:
		if len(hits) == 0 && t.Uncounted == "" {
			return neverCalled
		}
		return stillWaiting
	case t.Exit.Signal != "":
		return died
	case len(hits) == 0 && t.Uncounted == "":
		return neverCalled
	case recovered(t):
		return succeeded
	}
	return gaveUp
}

// recovered reports whether an attempt came when the fault was over: one that was
// answered well.
func recovered(t audit.Trial) bool {
	hits := attemptsOf(t)
	if t.Probe.Fault.Group == audit.Control {
		return len(hits) > 0 && t.Exit.Code == 0
	}
	return slices.ContainsFunc(hits, func(h audit.Hit) bool { return h.Status >= 200 && h.Status < 300 })
}

// notes say what the columns of a row do not.
func (q *question) notes() []string {
	t := q.trials[0]
	var all []string
	if m := q.sent; q.Method != "" && m != q.Method {
		all = append(all, "sent "+m)
	}
	if q.doubtful() {
		all = append(all, q.unclear)
	}
	if others := q.others(); len(others) > 0 {
		all = append(all, "also "+firstOf(others))
	}
	if u := q.uncounted(); u != "" {
		all = append(all, u)
	}
	if q.resumed() {
		all = append(all, "asks for the rest by Range")
	}
	if t.Exit.Signal != "" {
		all = append(all, "ended by "+t.Exit.Signal)
	}
	if slices.ContainsFunc(attemptsOf(t), func(h audit.Hit) bool { return !h.Complete && h.Body > 0 }) {
		all = append(all, "bodies incomplete")
	}
	if n := len(q.seen()); n > 0 {
		s := q.seen()
		all = append(all, fmt.Sprintf("%d to %d hits in %d trials", s[0], s[n-1], n))
	}
	if said := lastWords(t.Exit.Output); said != "" && (outcome(t) == neverCalled || outcome(t) == died) {
		all = append(all, "it said: "+said)
	}
	return all
}

// ownPort is a port on loopback: each trial has another, and what a command says in all of
// them is to be read once.
var ownPort = regexp.MustCompile(`(127\.0\.0\.1:|\[::1\]:)\d+`)

// lastWords are the end of what a command printed, in one line.
func lastWords(output string) string {
	const most = 120
	text := []rune(strings.Join(strings.Fields(ownPort.ReplaceAllString(output, "$1…")), " "))
	if len(text) > most {
		return "…" + string(text[len(text)-most:])
	}
	return string(text)
}

// swallowed reports whether the command says that all is well, although it got no
// answer that is.
func swallowed(t audit.Trial) bool {
	called := len(attemptsOf(t)) > 0 || t.Uncounted != ""
	return called && outcome(t) == gaveUp && t.Exit.Code == 0 && !t.Probe.Fault.Redirects()
}
