package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labctl/faultserver/control"
	"labctl/topology/live"
	"labctl/topology/node"
)

// nodeFlags say which process of a run this is.
type nodeFlags struct {
	lab           hostLab
	name, listen  string
	token         string
	grace         time.Duration
	peers         []string
	herd          bool
	tail, at      string
	first, number int
	share         string
	in, wait      time.Duration
	giveUp        time.Duration
	file          string
	quiet         bool
}

func nodeCommand(s streams) *cobra.Command {
	var f nodeFlags
	c := &cobra.Command{
		Use:   "node",
		Short: "Run one service of a file, or its clients, as a process of its own",
		Long: `Run one service of a file as a process of its own: its server with its faults and
workers, and its calls with their policies. Services find each other by name, at
http://NAME:8080, or where --peer says. It serves until Ctrl-C or SIGTERM; then
it lets requests in progress end.

  /-/live /-/ready   for probes; ready is who has once reached what it calls
  /-/metrics         for Prometheus
  /-/node/result     what it saw, which labctl collect asks for
  …                  everything else is a request

With --herd it is the clients of one host. It waits until what they call is
ready, measures how far the tail's clock is ahead of its own, releases them at an
instant that all herds agree on, and writes what they saw to -o. Herds on
several hosts have clients of their own each (--first, --clients) and the same
--at, an instant by the tail's clock.

Where others can reach a node, results ask for a token: LABCTL_TOKEN or --token,
or one that it makes and prints.`,
		Example: `  labctl node --file checkout.yaml --name b --peer c=http://10.0.0.3:8080
  labctl node --file checkout.yaml --name c --listen 127.0.0.1:8083
  labctl node --file checkout.yaml --herd --peer a=http://10.0.0.1:8080 \
    --tail http://10.0.0.3:8080 --first 100 --clients 100 \
    --at 2026-03-01T12:00:00Z -o herd-2.json`,
		Args:    nothing,
		GroupID: groupHosts,
		RunE: func(c *cobra.Command, _ []string) error {
			lab, err := f.lab.read()
			if err == nil {
				err = f.check(c)
			}
			switch {
			case err != nil:
				return err
			case f.herd:
				return f.runHerd(c.Context(), s, lab)
			}
			return f.serve(c.Context(), s, lab)
		},
	}
	groupUsage(c, addGroups(c, f.groups()...))
	return c
}

func (f *nodeFlags) groups() []flagGroup {
	lab, service, herd, output := newFlags(), newFlags(), newFlags(), newFlags()
	f.lab.add(lab)
	lab.StringArrayVar(&f.peers, "peer", nil, "where a service that is called listens, as `name=url`; may stand several times (default http://NAME:8080)")

	service.StringVar(&f.name, "name", "", "`name` of the service in the file")
	service.StringVar(&f.listen, "listen", ":"+node.DefaultPort, "`address` to listen on; port 0 takes a free one")
	service.StringVar(&f.token, "token", "", "`secret` that results ask for (default LABCTL_TOKEN, else none on loopback and a new one elsewhere)")
	service.DurationVar(&f.grace, "grace", 10*time.Second, "at the end, `time` for requests in progress")

	herd.BoolVar(&f.herd, "herd", false, "be clients, and not a service")
	herd.StringVar(&f.tail, "tail", "", "`url` of the node of the last service, whose clock counts (default http://NAME:8080)")
	herd.IntVar(&f.first, "first", 0, "`number` of the first client of this host")
	herd.IntVar(&f.number, "clients", 0, "`number` of clients of this host (default all from --first on)")
	herd.StringVar(&f.share, "share", "", "instead of both: this host is `K/N`, the Kth from 0 of N hosts")
	herd.StringVar(&f.at, "at", "", "release them at this `instant` of the tail's clock, as 2026-03-01T12:00:00Z")
	herd.DurationVar(&f.in, "in", 2*time.Second, "without --at: release them so long after all is ready; for one herd")
	herd.DurationVar(&f.wait, "wait", time.Minute, "`time` for all to become ready")
	herd.DurationVar(&f.giveUp, "give-up", 15*time.Minute, "end so long after the release at the latest")

	output.StringVarP(&f.file, "output", "o", "", "write what was seen to this `file`; of a service when it ends")
	output.BoolVar(&f.quiet, "quiet", false, "a service prints its URL only")
	return []flagGroup{{"Lab:", lab}, {"Service:", service}, {"Clients:", herd}, {"Output:", output}}
}

// check refuses flags that say nothing, or contradict each other.
func (f *nodeFlags) check(c *cobra.Command) error {
	ofHerd, ofService := []string{"tail", "first", "clients", "share", "at", "in", "wait", "give-up"}, []string{"name", "listen", "token", "grace"}
	wrong, cure := ofHerd, "is for clients: add --herd, or leave it out"
	if f.herd {
		wrong, cure = ofService, "is for a service: leave it out, or leave out --herd"
	}
	for _, name := range wrong {
		if _, said := given(c, name); said {
			return fmt.Errorf("--%s %s", name, cure)
		}
	}
	_, in := given(c, "in")
	_, first := given(c, "first")
	_, clients := given(c, "clients")
	switch {
	case !f.herd && f.name == "":
		return errors.New("--name: say which service of the file this is, or --herd for its clients")
	case f.herd && f.file == "":
		return errors.New("-o: say a file for what the clients saw: labctl collect reads it")
	case in && f.at != "":
		return errors.New("--at and --in: say one of them")
	case f.share != "" && (first || clients):
		return errors.New("--share, --first, --clients: say --share, or the others")
	case f.in < 0 || f.wait <= 0 || f.giveUp <= 0 || f.grace < 0:
		return errors.New("--in, --wait, --give-up, --grace: say times such as 10s")
	}
	return nil
}

// service checks that the file has the service, and that it can be a node.
func (f *nodeFlags) service(lab chosen) error {
	t := &lab.topology
	s := t.Service(f.name)
	var names []string
	for _, s := range t.Services[1:] {
		names = append(names, s.Name)
	}
	switch {
	case f.name == t.Services[0].Name:
		return fmt.Errorf("--name %s: these are the clients: say --herd", f.name)
	case s == nil:
		return fmt.Errorf("--name %s: %s has no such service: choose %s", f.name, f.lab.file, strings.Join(names, ", "))
	case live.Refuses(s):
		return fmt.Errorf("--name %s: by its fault program its port is closed: do not start it, and its callers will see that", f.name)
	}
	return nil
}

func (f *nodeFlags) serve(ctx context.Context, s streams, lab chosen) error {
	if err := f.service(lab); err != nil {
		return err
	}
	peers, err := node.NewPeers(&lab.topology, f.name, f.peers)
	if err != nil {
		return fmt.Errorf("--peer %w", err)
	}
	secret := serveFlags{token: f.token, listen: f.listen}
	token, made, err := secret.secret()
	if err != nil {
		return err
	}
	out := output{file: f.file}
	sink, err := out.open(s)
	if err != nil {
		return err
	}
	defer sink.discard()
	server, err := node.New(node.Config{
		Lab: lab.identity, Topology: lab.topology, Service: f.name, Peers: peers, Token: token, AnyHost: !control.Loopback(f.listen),
	})
	if err != nil {
		return err
	}
	defer server.Close()
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return cannotListen(f.listen, err)
	}
	defer l.Close()
	if _, err := fmt.Fprintln(s.out, urlOf(l.Addr(), false)); err != nil {
		return written(err)
	}
	if !f.quiet {
		fmt.Fprintf(s.err, "labctl: %s serves %s\n", f.name, neighbours(urlOf(l.Addr(), false), peers))
	}
	if made != "" {
		fmt.Fprintf(s.err, "labctl: others can reach this: to collect, use the token %s\n", made)
	}
	if err := server.Serve(ctx, l, f.grace); err != nil {
		return environment(fmt.Errorf("the server ended: %w: start it again", err))
	}
	if f.file == "" {
		return nil
	}
	if err := node.WriteResult(sink.w, server.Result()); err != nil {
		return written(err)
	}
	return sink.commit()
}

// neighbours says where a node is, and where what it calls.
func neighbours(url string, peers node.Peers) string {
	text := "at " + url + " until Ctrl-C"
	for _, name := range slices.Sorted(maps.Keys(peers)) {
		text += "; it calls " + name + " at http://" + peers[name]
	}
	return text
}
