package imports

import (
	"fmt"
	"slices"
	"strings"

	"labctl/topology"
)

// star is a client that calls every host.
func (b *builder) star() []topology.Service {
	services := []topology.Service{{Name: topology.ClientName, Parallel: len(b.hops) > 1}}
	for _, h := range b.hops {
		services[0].Calls = append(services[0].Calls, b.call(h))
		s := h.service()
		s.Fault = h.fault()
		services = append(services, s)
	}
	return services
}

// chain is the hosts that words name, one behind the other.
func (b *builder) chain(words []string) ([]topology.Service, error) {
	if len(words) < 2 || words[0] != topology.ClientName {
		return nil, fmt.Errorf("--chain: it begins with client and names at least one host, such as client,%s", b.hops[0].name)
	}
	var hops []*hop
	for i, word := range words[1:] {
		twice := fmt.Errorf("--chain: %s stands twice: a chain comes by each host once", short(word))
		if slices.Contains(words[:i+1], word) {
			return nil, twice
		}
		h, err := b.find(word)
		if err != nil {
			return nil, err
		}
		if slices.Contains(hops, h) {
			return nil, twice
		}
		hops = append(hops, h)
	}
	for _, h := range b.hops {
		if !slices.Contains(hops, h) {
			b.note(Place{}, h.name, "left out: it is not in the chain")
		}
	}
	services := []topology.Service{{Name: topology.ClientName}}
	for _, h := range hops {
		services[len(services)-1].Calls = []topology.Call{b.call(h)}
		services = append(services, h.service())
	}
	services[len(services)-1].Fault = hops[len(hops)-1].fault()
	return services, nil
}

// find is the host that a word names; one of which nothing was read is a service
// that is called once.
func (b *builder) find(word string) (*hop, error) {
	for _, h := range b.hops {
		if h.name == word {
			return h, nil
		}
	}
	var found []*hop
	for _, h := range b.hops {
		if slices.Contains(h.known, word) {
			found = append(found, h)
		}
	}
	switch {
	case len(found) > 1:
		return nil, fmt.Errorf("--chain: %s is %s and %s: say which", short(word), found[0].name, found[1].name)
	case len(found) == 1:
		return found[0], nil
	case tidy(word) != word:
		return nil, fmt.Errorf("--chain: nothing was read of %q: there are %s", short(word), b.names())
	}
	b.note(Place{}, word, "nothing was read of it: it is called once, without policies")
	return &hop{name: word}, nil
}

func (b *builder) names() string {
	const most = 10
	var names []string
	for _, h := range b.hops[:min(len(b.hops), most)] {
		names = append(names, h.name)
	}
	if len(b.hops) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}
