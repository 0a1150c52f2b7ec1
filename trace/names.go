package trace

// names tells which service answers at an address, by the caller: attempts that did not
// arrive have the address only.
type names map[[2]string]string

const unnamed = "?"

// learn reads it off the attempts that did arrive. Where several services answer at one
// address, its name stays the address.
func learn(f *forest) names {
	known := names{}
	for i := range f.spans {
		s := &f.spans[i]
		if !s.sends() || s.address() == "" {
			continue
		}
		at := [2]string{s.Service, s.address()}
		for _, c := range f.children[i] {
			to := &f.spans[c]
			if !to.enters(s.Service) {
				continue
			}
			if before, is := known[at]; is && before != to.Service {
				known[at] = s.address()
			} else {
				known[at] = to.Service
			}
		}
	}
	return known
}

// target is the service that an attempt was meant for.
func (n names) target(f *forest, c *call) string {
	if len(c.arrivals) > 0 {
		return named(f.spans[c.arrivals[0].span].Service)
	}
	address := c.span.address()
	if name, is := n[[2]string{c.span.Service, address}]; is {
		return named(name)
	}
	return named(address)
}

func named(service string) string {
	if service == "" {
		return unnamed
	}
	return service
}
