package policy

import "slices"

// Only holds a policy for requests of one route, or of all others: a bulkhead
// in front of the slow path only. Calls of other routes pass it by.
type Only struct {
	Policy
	Route  uint8
	Except bool // all routes but this one
}

// asksForCall passes the question on.
func (o *Only) asksForCall() bool { return asks([]Policy{o.Policy}) }

// narrow notes which calls the policy at a layer is for.
func (e *Edge) narrow(layer int, o *Only) {
	if e.only == nil {
		e.only = make([]*Only, len(e.stack))
		e.stack = slices.Clone(e.stack)
	}
	e.only[layer], e.stack[layer] = o, o.Policy
}

// passesBy reports whether calls of a route go past the policy at a layer.
func (e *Edge) passesBy(layer int, route uint8) bool {
	o := e.only[layer]
	return o != nil && (o.Route == route) == o.Except
}

// layerFrom is the first layer at or below this one that is for a route.
func (e *Edge) layerFrom(layer int, route uint8) uint8 {
	if e.only != nil {
		for layer < len(e.stack) && e.passesBy(layer, route) {
			layer++
		}
	}
	return uint8(layer)
}
