package policy

import (
	"cmp"
	"container/heap"
	"testing"
	"time"
)

// fleet drives an edge with many calls: what driver does, without its bookkeeping.
type fleet struct {
	edge *Edge
	tail func(a Action, now Instant) (Outcome, time.Duration)
	next happenings
	list []Action
	seq  int
	hits int
	good []Instant // when the calls that ended well began
}

// happening is a reply or a timer.
type happening struct {
	at      Instant
	rank    rank
	seq     int
	action  Action
	outcome Outcome
}

type happenings []happening

func (h happenings) Len() int { return len(h) }
func (h happenings) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank), a.seq-b.seq) < 0
}
func (h happenings) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *happenings) Push(x any)   { *h = append(*h, x.(happening)) }
func (h *happenings) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// load makes n calls, a gap apart, and everything that comes of them.
func (f *fleet) load(n int, gap time.Duration) {
	begun := make([]Instant, n)
	for i := 0; i < n || len(f.next) > 0; {
		arrives := at(time.Duration(i) * gap)
		if i < n && (len(f.next) == 0 || f.next[0].at > arrives) {
			begun[i] = arrives
			_, f.list = f.edge.Start(Request{Luck: RootLuck(1, uint64(i), 0), Tag: int32(i)}, arrives, f.list[:0])
			i++
			f.perform(arrives, begun)
			continue
		}
		h := heap.Pop(&f.next).(happening)
		if h.action.Kind == Send {
			f.list = f.edge.Done(h.action.Ref, h.outcome, h.at, f.list[:0])
		} else {
			f.list = f.edge.Timer(h.action.Ref, h.action.Arming, h.at, f.list[:0])
		}
		f.perform(h.at, begun)
	}
}

func (f *fleet) perform(now Instant, begun []Instant) {
	for i := 0; i < len(f.list); i++ {
		a := f.list[i]
		f.seq++
		switch h := (happening{at: now, seq: f.seq, action: a}); a.Kind {
		case Send:
			f.hits++
			var takes time.Duration
			h.outcome, takes = f.tail(a, now)
			h.at = now.Add(takes)
			heap.Push(&f.next, h)
		case Wake:
			h.at, h.rank = a.At, timeout
			if a.Rest {
				h.rank = rest
			}
			heap.Push(&f.next, h)
		case Abandon:
			if a.Cancel {
				f.list = f.edge.Done(a.Ref, Failed(Cancelled), now, f.list)
			}
		case Answer:
			if a.Outcome.OK() {
				f.good = append(f.good, begun[a.Tag])
			}
		}
	}
}

// TestHedgingMultipliesLoad is case A14: 100 requests a second for 60 s.
func TestHedgingMultipliesLoad(t *testing.T) {
	all := Hedge{Delay: 200 * ms, Max: 3}
	ofRequests, ofCopies := all, all
	ofRequests.ShareRequests, ofCopies.ShareExtra = 10, 10
	both := ofRequests
	both.ShareExtra = 10
	for _, row := range []struct {
		sentence string
		hedge    Hedge
		latency  time.Duration
		hits     int
		signals  string
	}{
		{"fast", all, 50 * ms, 6000, "6000 requests"},
		{"slower than the delay", all, 250 * ms, 12000, "6000 requests, 6000 hedged, 6000 copies"},
		{"slower than two delays, and three", all, 650 * ms, 18000, "6000 requests, 6000 hedged, 12000 copies"},
		{"(a) a tenth of the requests may hedge", ofRequests, 650 * ms, 7200, "6000 requests, 600 hedged, 1200 copies, 5400 suppressed"},
		{"(b) a tenth of the requests is extra", ofCopies, 650 * ms, 6600, ""},
		{"both", both, 650 * ms, 6600, ""},
	} {
		h := row.hedge.New()
		f := fleet{edge: NewEdge(1, []Policy{h}, true), tail: func(Action, Instant) (Outcome, time.Duration) { return Status(200), row.latency }}
		f.load(6000, 10*ms)
		equal(t, row.sentence+": hits", f.hits, row.hits)
		equal(t, row.sentence+": good answers", len(f.good), 6000)
		equal(t, row.sentence+": calls", f.edge.Calls(), 0)
		if row.signals != "" {
			equal(t, row.sentence+": signals", hedgeSignals(h.Signals()), row.signals)
		}
		equal(t, row.sentence+": copies", h.Signals().Copies, int64(row.hits-6000))
	}
}

// TestHedgeAtTheQuantile is case A14: at the true 95th percentile hedging costs one
// attempt in twenty, and stays there though it cuts off the tail that it measures.
func TestHedgeAtTheQuantile(t *testing.T) {
	h := Hedge{Quantile: 95}.New()
	f := fleet{edge: NewEdge(1, []Policy{h}, true), tail: func(a Action, _ Instant) (Outcome, time.Duration) {
		return Status(200), Uniform(a.Luck.Draw(ForService), 100*ms)
	}}
	f.load(20_000, 10*ms)
	if f.hits < 20_600 || f.hits > 21_100 {
		t.Errorf("%d hits, want about 21000", f.hits)
	}
	if d := h.Signals().Delay; d < 92*ms || d > 98*ms {
		t.Errorf("delay %v, want about 95 ms", d)
	}
}
