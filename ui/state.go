package ui

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// State is what somebody has set. A field that is empty is as the lab has it; the
// others are written as on the command line. It is what the page's address says, so a
// name that was once given out keeps its meaning.
type State struct {
	Lab      string // name of a lab to start from
	Variant  string // empty: the lab's first one
	Attempts string // of the calling layers, outermost first: 3,3,3
	Rest     string // 100ms
	Backoff  string // fixed, linear, exponential:1.5
	Cap      string // 2s; 0s for none
	Jitter   string // none, full, equal, decorrelated, 50%
	Clients  string
	Rate     string // of an open loop: 280/s
	Smear    string // spreads the clients' starts
	Outage   string // of the tail: always, never, or how long from the release on
	Workers  string // of the tail; 0 for no limit
	Service  string // service time of the tail
	Budget   string // retries per hundred requests: 20%; none
	Deadline string // of the client's call: 2s; none
	Limit    string // retries per bin that are judged to be enough: 500, or 25% of the clients; changes no number
}

// maxText bounds a field: none needs more.
const maxText = 200

// stateField is a field under the name that an address uses.
type stateField struct {
	name string
	at   *string
}

func (s *State) fields() []stateField {
	return []stateField{
		{"lab", &s.Lab}, {"variant", &s.Variant}, {"attempts", &s.Attempts},
		{"rest", &s.Rest}, {"backoff", &s.Backoff}, {"cap", &s.Cap}, {"jitter", &s.Jitter},
		{"clients", &s.Clients}, {"rate", &s.Rate}, {"smear", &s.Smear},
		{"outage", &s.Outage}, {"workers", &s.Workers}, {"service", &s.Service},
		{"budget", &s.Budget}, {"deadline", &s.Deadline}, {"limit", &s.Limit},
	}
}

// stateOf reads what somebody was given: a state, or an address that has one behind its
// #, also that of a page which is gone.
func stateOf(text string) (State, error) {
	if _, fragment, ok := strings.Cut(text, "#"); ok {
		text = fragment
	}
	return ParseState(text)
}

// ParseState reads a state as an address has it: lab=jitter-herd&clients=1000.
func ParseState(query string) (State, error) {
	var s State
	values, err := url.ParseQuery(query)
	if err != nil {
		return s, fmt.Errorf("the address cannot be read: %w: start anew without what follows the #", err)
	}
	fields := s.fields()
	for name, all := range values {
		i := slices.IndexFunc(fields, func(f stateField) bool { return f.name == name })
		switch {
		case i < 0:
			return s, fmt.Errorf("the address says %q, which is no setting: leave it out", short(name))
		case len(all) > 1:
			return s, fmt.Errorf("the address says %s twice: leave one out", name)
		case len(all[0]) > maxText:
			return s, fmt.Errorf("%s: %d bytes are over the limit of %d", name, len(all[0]), maxText)
		}
		*fields[i].at = strings.TrimSpace(all[0])
	}
	return s, nil
}

// Query is the state as an address has it, without what is as the lab has it.
func (s State) Query() string {
	var parts []string
	for _, f := range s.fields() {
		if *f.at != "" {
			// A comma, a colon and a slash may stand as they are, and read better.
			text := strings.NewReplacer("%2C", ",", "%3A", ":", "%2F", "/").Replace(url.QueryEscape(*f.at))
			parts = append(parts, f.name+"="+text)
		}
	}
	return strings.Join(parts, "&")
}

// short is foreign text in an error.
func short(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
