// Package imports reads the retry settings that teams already have, in a service
// mesh, a proxy or a client library, and makes a lab of them: what they multiply
// to is then a question for package bound, and what they do on a bad day one for
// an engine.
//
// [Read] takes one file of one format, [Build] puts what was read into a lab, and
// [Write] gives its text. Nothing is lost in silence: whatever a file says that was
// not understood, or has no place in a lab, comes back as a [Note] with its line.
// Each format is read as its product reads it, defaults included; the file of a
// format names the page that says so.
//
// A file says what is done with the requests to a host and not who sends them. So
// each host becomes a service, and its settings those of the call to it: from the
// client, or with a chain from the service in front.
package imports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"labctl/topology/policy"
)

// The formats.
const (
	Istio      = "istio"
	Envoy      = "envoy"
	GRPC       = "grpc-service-config"
	GatewayAPI = "gateway-api"
)

// Formats lists them.
func Formats() []string { return []string{Istio, Envoy, GRPC, GatewayAPI} }

// File is what one file says.
type File struct {
	Format   string
	Routes   []Route
	Clusters []Cluster
	Notes    []Note
}

// Note is something that stands in a file and not, or not quite, in the lab.
type Note struct {
	Place
	Path string // in the file, or of the lab
	Text string
}

// String is FILE:LINE: PATH: TEXT.
func (n Note) String() string {
	var parts []string
	for _, p := range []string{n.Place.String(), n.Path, n.Text} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ": ")
}

// Place is where something stands.
type Place struct {
	File string
	Line int
}

func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Host is who is called.
type Host struct {
	Name  string // in full, as its product tells hosts apart
	Short string // what people call it, where that is less
}

// Route is what is done with some of the requests to a host: those that a rule, a
// method or a path picks out.
type Route struct {
	Host    Host
	Name    string // the rule; for notes
	At      Place
	Timeout time.Duration // of the whole call; 0: none
	// Carried is a timeout that goes along with the request, as a deadline.
	Carried bool
	Retry   *policy.Retry
	Hedge   *policy.Hedge // in place of a retry
	PerTry  time.Duration // timeout of an attempt; 0: none
	// Elsewhere sends each attempt to a replica that was not tried just before.
	Elsewhere bool
}

// attempts is how many attempts a route makes of a request.
func (r *Route) attempts() int {
	switch {
	case r.Hedge != nil:
		return r.Hedge.Max
	case r.Retry != nil:
		return r.Retry.Attempts
	}
	return 1
}

// Cluster is what holds for all requests to a host, whatever their route.
type Cluster struct {
	Host     Host
	At       Place
	Budget   *policy.Budget
	Limit    *policy.Bulkhead
	Balance  *policy.Balance
	Replicas int // 0: not said
}

// readers says who reads what.
var readers = map[string]func(*source, value){
	Istio:      (*source).istio,
	Envoy:      (*source).envoy,
	GRPC:       (*source).grpc,
	GatewayAPI: (*source).gatewayAPI,
}

// Read reads a file of a format: YAML, of one document or several, or JSON. The
// name is for errors and notes. An error is one line, with the place and the cure.
func Read(format, name string, data []byte) (File, error) {
	read, known := readers[format]
	if !known {
		return File{}, fmt.Errorf("no format %q: choose %s", short(format), strings.Join(Formats(), ", "))
	}
	s := &source{name: name, out: File{Format: format}}
	documents, err := s.documents(data)
	if err != nil {
		return File{}, err
	}
	for _, d := range documents {
		read(s, value{s: s, n: d})
	}
	if s.err == nil && len(s.out.Routes)+len(s.out.Clusters) == 0 {
		s.err = s.whole("%s", nothing[format])
	}
	slices.SortStableFunc(s.out.Notes, func(a, b Note) int { return a.Line - b.Line })
	return s.out, s.err
}

// nothing is what to look for where a file says nothing of requests.
var nothing = map[string]string{
	Istio:      "there is no VirtualService or DestinationRule in it that says what becomes of HTTP requests",
	Envoy:      "there is no virtual host or cluster in it: give the bootstrap, a route configuration, or the answer of /config_dump",
	GRPC:       "there is no methodConfig in it, nor retryThrottling",
	GatewayAPI: "there is no HTTPRoute or XBackendTrafficPolicy in it",
}
