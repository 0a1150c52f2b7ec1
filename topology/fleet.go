package topology

// Fleet reports whether each client has a state of its own, such as a retry budget,
// which is only so where the clients share nothing.
func (t *Topology) Fleet() bool {
	for _, c := range t.Services[0].Calls {
		for _, p := range c.Policies {
			if p.Budget != nil && p.Budget.PerClient {
				return true
			}
		}
	}
	return false
}
