package topology

import "fmt"

// Doubt is a setting that is allowed and seldom meant.
type Doubt struct {
	Code    string
	Message string
}

// Doubts lists settings that a reader of the result should know about.
func (t *Topology) Doubts() []Doubt {
	var out []Doubt
	for _, s := range t.Services {
		for _, c := range s.Calls {
			for _, p := range c.Policies {
				b := p.Bulkhead
				if b == nil {
					b = p.Pool
				}
				if b != nil && b.Queue == 0 && b.Wait == 0 {
					out = append(out, Doubt{"unbounded-queue", fmt.Sprintf(
						"services.%s.calls.%s.%s: the queue has no limit and nobody waits too long in it, so overload turns into latency without an error: say queue or wait",
						s.Name, c.To, p.Called())})
				}
			}
		}
	}
	return out
}
