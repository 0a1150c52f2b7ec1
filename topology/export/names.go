package export

import (
	"fmt"
	"regexp"
	"strings"

	"labctl/topology"
)

// maxLabel is how long a DNS label may be (RFC 1123).
const maxLabel = 63

// reserved is what the export itself calls things that are no service.
var reserved = regexp.MustCompile(`^(herd|herd-[0-9]+|sweep|collect|file|token|default-deny)$`)

// label makes a name one that hosts may have: lower case, digits and -, and a letter
// first. It is empty when nothing is left.
func label(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, name)
	name = strings.Trim(name, "-")
	if name != "" && name[0] <= '9' {
		name = "n" + name
	}
	return name
}

// short leaves room for what comes behind the name of a lab.
func short(name string) string {
	const room = 20
	if name == "" {
		return "lab"
	}
	return strings.TrimRight(name[:min(len(name), room)], "-")
}

// labels finds a host name for each service. Two that would share one are refused:
// they would answer each other's requests.
func labels(services []topology.Service, prefix string) (map[string]string, error) {
	owner := map[string]string{}
	hosts := map[string]string{}
	for _, s := range services {
		host := label(s.Name)
		switch {
		case host == "":
			return nil, fmt.Errorf("services.%s: nothing of its name can be in that of a host: give it letters or digits", s.Name)
		case len(prefix+host) > maxLabel:
			return nil, fmt.Errorf("services.%s: as a host, %s is longer than the %d that DNS allows: shorten its name", s.Name, prefix+host, maxLabel)
		case reserved.MatchString(host):
			return nil, fmt.Errorf("services.%s: the export needs the name %s for itself: rename the service", s.Name, host)
		case owner[prefix+host] != "":
			return nil, fmt.Errorf("services.%s: as a host, it would be %s, like %s: rename it", s.Name, prefix+host, owner[prefix+host])
		}
		host = prefix + host
		owner[host], hosts[s.Name] = s.Name, host
	}
	return hosts, nil
}
