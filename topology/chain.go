package topology

import "labctl/topology/policy"

// Chain builds client → a → b → … with one retry per calling layer: the first
// value is the client's attempts, the next a's, and so on. The tail is one
// service more and answers 503 to everything: k values build k−1 services
// between the client and the tail.
func Chain(attempts ...int) []Service {
	services := make([]Service, 0, len(attempts)+1)
	for i, n := range attempts {
		services = append(services, Service{
			Name:  LayerName(i),
			Calls: []Call{{To: LayerName(i + 1), Policies: []Policy{{Retry: &policy.Retry{Attempts: n}}}}},
		})
	}
	return append(services, Service{Name: LayerName(len(attempts)), Fault: "503"})
}

// LayerName is client, a, b, …, z, aa, ab, … for 0, 1, 2, …
func LayerName(i int) string {
	if i == 0 {
		return ClientName
	}
	var name string
	for ; i > 0; i = (i - 1) / 26 {
		name = string(rune('a'+(i-1)%26)) + name
	}
	return name
}
