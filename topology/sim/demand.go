package sim

import "labctl/topology/policy"

// demand is one logical request of a client while anything of it is left. With
// its frame and its event it is all that a client in flight needs while it
// rests, so it is kept small.
type demand struct {
	at      policy.Instant // when it was due
	client  uint32
	number  uint32 // from 0
	effects int32  // how often the tail did the work
	refs    int32  // what still names it: the client, its calls, and jobs that keep it; of a free one, the next
	calling bool   // its call has no answer yet
	route   uint8
}

// demands is an arena of them.
type demands struct {
	list []demand
	free int32 // first unused one
	used int

	meet    bool        // several ways may lead to a service
	effects [][]effects // of such ways, by demand
}

// effects is how often the tail did the work that one way asks for.
type effects struct {
	way policy.Luck
	n   int64
}

func (w *demands) new(client, number int) int32 {
	w.used++
	i := w.free
	if i == none {
		i = int32(len(w.list))
		w.list = append(w.list, demand{})
	} else {
		w.free = w.list[i].refs
	}
	w.list[i] = demand{client: uint32(client), number: uint32(number), refs: 1}
	if w.meet && int(i) < len(w.effects) {
		w.effects[i] = w.effects[i][:0]
	}
	return i
}

func (w *demands) unref(i int32) {
	q := &w.list[i]
	if q.refs--; q.refs == 0 {
		w.used--
		q.refs, w.free = w.free, i
	}
}

func (w *demands) clear() { w.list, w.free, w.used = w.list[:0], none, 0 }

// luck is hashed anew where it is needed, which is seldom.
func (c *clients) luck(i int32) policy.Luck {
	q := &c.e.demands.list[i]
	return policy.RootLuck(c.seed, uint64(q.client), uint64(q.number))
}

// effectOf counts that the tail did the work of a job: the nth time by the way that
// it came, which is the edges without their attempts.
func (e *engine) effectOf(i int32) int64 {
	if !e.demands.meet {
		r := e.request(i)
		r.effects++
		return int64(r.effects)
	}
	j := &e.jobs[i]
	way := policy.Luck(0).Attempt(e.edges[j.edge].id, 0)
	for !e.isOuter(j) {
		j = &e.jobs[j.caller]
		way = way.Attempt(e.edges[j.edge].id, 0)
	}
	return e.demands.effect(j.caller, way)
}

func (w *demands) effect(i int32, way policy.Luck) int64 {
	for int(i) >= len(w.effects) {
		w.effects = append(w.effects, nil)
	}
	ways := &w.effects[i]
	for k := range *ways {
		if known := &(*ways)[k]; known.way == way {
			known.n++
			return known.n
		}
	}
	*ways = append(*ways, effects{way, 1})
	return 1
}
