package trace

import (
	"cmp"
	"maps"
	"slices"
)

const (
	mostDeep  = 64   // services on one way; below it is a loop or a hostile file
	mostPaths = 1000 // of a report: of more the ones with the highest amplification
)

// Analyze tells from spans alone how many requests each service got for one of the
// outermost, by each way that leads to it, and who made more of them than one. It
// depends on the spans and not on their order.
func Analyze(spans []Span) Report {
	a := &analysis{forest: grow(spans), roots: map[string]*way{}, layers: map[[2]string]*layerSum{}}
	a.names = learn(a.forest)
	for _, r := range a.forest.roots {
		a.root(r)
	}
	return a.report()
}

type analysis struct {
	*forest
	names  names
	roots  map[string]*way
	layers map[[2]string]*layerSum
	order  [][2]string // of the layers, from the roots down
	ways   []*way      // of all roots, each before those that go on from it

	uncalled, ownCalls, deep int64
}

type layerSum struct {
	attempts int64
	repeats
}

// visit is a request at a service: a span, or those that it would have had as children.
type visit struct {
	children []int32
	service  string
	at       *way
}

// root walks down one tree.
func (a *analysis) root(r root) {
	v := visit{children: r.children, service: unnamed}
	switch {
	case r.span == none:
		// Calls name their service; whoever made a request that arrived is unknown.
		if s := &a.spans[r.children[0]]; s.Kind != Server && s.Kind != Consumer {
			v.service = s.Service
		}
	case a.spans[r.span].sends():
		a.ownCalls++
		v.children, v.service = []int32{r.span}, a.spans[r.span].Service
	default:
		if a.spans[r.span].Kind == Server {
			a.uncalled++
		}
		v.children, v.service = a.children[r.span], a.spans[r.span].Service
	}
	w := a.roots[v.service]
	if w == nil {
		w = (&way{next: map[string]*way{}}).to(named(v.service))
		w.from = nil
		a.roots[v.service] = w
	}
	w.requests++
	v.at = w
	for next := []visit{v}; len(next) > 0; {
		last := len(next) - 1
		v, next = next[last], next[:last]
		next = a.visit(v, next)
	}
}

// visit counts the calls of one request at a service, and appends the requests that
// they led to.
func (a *analysis) visit(v visit, next []visit) []visit {
	groups := map[[2]string][]call{}
	for _, c := range a.callsOf(v.children, v.service) {
		key := [2]string{a.names.target(a.forest, &c), c.span.operation()}
		groups[key] = append(groups[key], c)
	}
	if v.at.depth >= mostDeep {
		a.deep += int64(len(groups))
		return next
	}
	for key, calls := range groups { // sums, in any order
		v.at.to(key[0]).called(calls)
		for _, c := range calls {
			for _, to := range c.arrivals {
				service := a.spans[to.span].Service
				w := v.at.to(named(service))
				w.requests++
				next = append(next, visit{to.children, service, w})
			}
		}
	}
	return next
}

func (a *analysis) report() Report {
	r := Report{Schema: Schema, Traces: a.traces, Spans: int64(len(a.spans)), Paths: []Path{}, Layers: []Layer{}}
	for _, service := range slices.Sorted(maps.Keys(a.roots)) {
		root := a.roots[service]
		r.Requests += root.requests
		for _, w := range root.all(nil) {
			r.Paths = append(r.Paths, w.path(len(r.Paths)))
			a.ways = append(a.ways, w)
			a.addLayer(w)
		}
	}
	for _, key := range a.order {
		r.Layers = append(r.Layers, a.layers[key].layer(key))
	}
	r.Notes = a.notes(len(r.Paths) - mostPaths)
	if len(r.Paths) > mostPaths {
		slices.SortStableFunc(r.Paths, func(x, y Path) int { return cmp.Compare(y.Amplification, x.Amplification) })
		r.Paths = r.Paths[:mostPaths]
		slices.SortFunc(r.Paths, func(x, y Path) int { return cmp.Compare(x.order, y.order) })
	}
	return r
}

func (a *analysis) addLayer(w *way) {
	if w.from == nil {
		return
	}
	key := [2]string{w.from.service, w.service}
	if a.layers[key] == nil {
		a.layers[key] = &layerSum{repeats: repeats{on: map[string]int64{}}}
		a.order = append(a.order, key)
	}
	l := a.layers[key]
	l.attempts += w.attempts
	l.add(&w.repeats)
	if w.requests == 0 {
		l.unheard -= w.repeats.unheard // no span of the service is there to expect
	}
}

func (l *layerSum) layer(key [2]string) Layer {
	return Layer{
		From: key[0], To: key[1], Calls: l.calls, Attempts: l.attempts, Most: l.most, Retries: l.retries, Inferred: l.inferred,
		Overlapping: l.overlapping, Hidden: l.hidden, Unheard: l.unheard, Missing: l.missing, On: l.counts(), Rest: l.rest(),
	}
}

func (w *way) path(order int) Path {
	p := Path{Requests: w.requests, Attempts: w.attempts, RetriedBy: []Factor{}, order: order}
	for at := w; at != nil; at = at.from {
		p.Services = append(p.Services, at.service)
		p.Of = at.requests // of the root in the end
		if at.calls > 0 && at.most > 1 {
			p.RetriedBy = append(p.RetriedBy, Factor{at.from.service, at.most, float64(at.attempts) / float64(at.calls)})
		}
	}
	slices.Reverse(p.Services)
	slices.Reverse(p.RetriedBy)
	n := w.requests
	if p.Unseen = n == 0; p.Unseen {
		n = w.attempts
	}
	if p.Of > 0 {
		p.Amplification = float64(n) / float64(p.Of)
	}
	return p
}
