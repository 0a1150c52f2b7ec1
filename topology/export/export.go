// Package export writes what runs a lab on other people's hosts: manifests for
// Kubernetes, or a Compose file, in which each service of the lab is a process of its
// own (labctl node) and the clients are one or more herds.
//
// Use [Kubernetes] or [Compose], and write the files that they return. Both only
// compute: the same input gives the same bytes. What is written asks for no rights:
// see pod.go, and network.go for who may talk to whom.
package export

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"labctl/faultserver/program"
	"labctl/topology"
)

// Input is what is to be run.
type Input struct {
	Name      string            // of the lab; its objects are called after it
	Text      []byte            // the file of the lab, which all processes read
	Variant   string            // of the file; empty: its base
	Topology  topology.Topology // of that variant, which must be valid
	Image     string
	Namespace string // empty: that of who applies it
	Hosts     int    // herds, each on a host of its own if there are so many
	At        time.Time
	Sweep     Sweep // when it has cells, they are run in virtual time and nothing else is
}

// Sweep is a grid whose cells are run apart.
type Sweep struct {
	Over  []string   // as for labctl sweep --over
	Names []string   // of the parameters
	Cells [][]string // their values, by the number of the cell
}

// File is one file to be written.
type File struct {
	Name string
	Data []byte
}

// How things are called inside a container.
const (
	port    = 8080
	labFile = "/lab/lab.yaml"
	binary  = "/labctl"
	results = "/results"
)

// maxConfigMap is how much Kubernetes lets a ConfigMap hold.
const maxConfigMap = 1 << 20

// reference is what an image may be called, as host:port/path:tag@digest.
var reference = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.:/_-]*(@sha256:[0-9a-f]{64})?$`)

// lab is an input that was checked, with the names that its objects get.
type lab struct {
	Input
	label string            // of the lab
	hosts map[string]string // what a service is called, by its name in the file
}

// check refuses what cannot be written, with the cure. A prefix goes in front of the
// names of services.
func (in Input) check(prefixed bool) (*lab, error) {
	l := &lab{Input: in, label: short(label(in.Name))}
	clients := in.Topology.Load.Clients()
	switch {
	case len(in.Image) > 512 || !reference.MatchString(in.Image):
		return nil, fmt.Errorf("--image %q: write it as an image is called, such as registry.example/labctl:1.2", in.Image)
	case in.Namespace != "" && (label(in.Namespace) != in.Namespace || len(in.Namespace) > maxLabel):
		return nil, fmt.Errorf("--namespace %q: a namespace has lower-case letters, digits and -, such as retry-lab", in.Namespace)
	case in.Hosts < 1:
		return nil, fmt.Errorf("--hosts %d: say how many herds there are, from 1 on", in.Hosts)
	case in.Topology.Load.Open() && in.Hosts > 1:
		return nil, fmt.Errorf("--hosts %d: the load is an open loop, which cannot be shared: say 1", in.Hosts)
	case in.Hosts > clients && !in.Topology.Load.Open():
		return nil, fmt.Errorf("--hosts %d: there are %d clients: say %d at most", in.Hosts, clients, clients)
	case in.Hosts > 1 && in.At.IsZero():
		return nil, fmt.Errorf("--at: several herds need an instant that they agree on: say one")
	}
	prefix := ""
	if prefixed {
		prefix = l.label + "-"
	}
	var err error
	l.hosts, err = labels(in.Topology.Services[1:], prefix)
	return l, err
}

// services are all but the clients.
func (l *lab) services() []topology.Service { return l.Topology.Services[1:] }

func (l *lab) url(service string) string {
	return fmt.Sprintf("http://%s:%d", l.hosts[service], port)
}

// tail is the name of the service whose clock counts.
func (l *lab) tail() string { return l.Topology.Tail().Name }

// refuses reports whether a service is to be a closed port.
func refuses(s topology.Service) bool {
	faults, err := program.Parse(s.Fault)
	return err == nil && faults.Refuses()
}

// nodeArgs start the process of a service. One that refuses connections is a host on
// which nobody listens at that port, so that its callers meet what they would meet
// outside: its process listens elsewhere.
func (l *lab) nodeArgs(s topology.Service) []string {
	if refuses(s) {
		return []string{"serve", "--listen", "127.0.0.1:8425"}
	}
	args := []string{"node", "--file", labFile, "--name", s.Name, "--listen", fmt.Sprintf(":%d", port)}
	return append(append(args, l.variantArgs()...), l.peerArgs(s.Calls)...)
}

func (l *lab) variantArgs() []string {
	if l.Variant == "" {
		return nil
	}
	return []string{"--variant", l.Variant}
}

// peerArgs say where the services are that are called.
func (l *lab) peerArgs(calls []topology.Call) []string {
	var args []string
	for _, c := range calls {
		args = append(args, "--peer", c.To+"="+l.url(c.To))
	}
	return args
}

// herdArgs start a herd: which of all, by its number, and where it writes.
func (l *lab) herdArgs(number, output string) []string {
	args := []string{"node", "--herd", "--file", labFile, "--tail", l.url(l.tail()), "--wait", "10m"}
	args = append(append(args, l.variantArgs()...), l.peerArgs(l.Topology.Services[0].Calls)...)
	if !l.At.IsZero() {
		args = append(args, "--at", l.At.UTC().Format(time.RFC3339))
	}
	if !l.Topology.Load.Open() {
		args = append(args, "--share", fmt.Sprintf("%s/%d", number, l.Hosts))
	}
	return append(args, "--quiet", "--output", output)
}

func (l *lab) sweepArgs() []string {
	args := []string{"sweep", labFile}
	for _, o := range l.Sweep.Over {
		args = append(args, "--over", escape(o))
	}
	return append(args, "--format", "json", "--quiet") // a log has both streams in one
}

// escape keeps a text as it is where a $ begins a variable: Kubernetes in arguments,
// Compose everywhere.
func escape(text string) string { return strings.ReplaceAll(text, "$", "$$") }
