package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"labctl/faultserver/control"
	"labctl/faultserver/program"
)

// defaultListen is a port that stays the same, so that it can stand in configurations.
const defaultListen = "127.0.0.1:8425"

// serveFlags say what the tail does, where, and to whom.
type serveFlags struct {
	listen, fault, token string
	paths                []string
	tls                  bool
	cert, key            string
	bounds               control.Config
	log, quiet           bool
	during               time.Duration
}

func serveCommand(s streams) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the faulty tail on its own, for any client or proxy",
		Long: `Run the faulty tail on its own: a server that counts every hit and then does to
it what a fault program says. It prints its URL on stdout and serves until
Ctrl-C, SIGTERM or --for; then it prints what it counted and exits 0.

  /p/ID/…   the tail of that id, with counts and turns of its own; the first
            request makes it, with the program of --fault
  /orders…  the tail of a --path, and everything below it
  /-/…      the control API: /-/openapi.json describes it, /-/metrics is for
            Prometheus
  …         the default tail

Each tail counts hits on a fresh connection and on one that carried a hit
before: some HTTP stacks repeat a request by themselves on the latter.

It listens on loopback. Where others can reach it, what changes something and
arrivals ask for a token; anybody may still send hits, and thereby make ids. A
program given as a flag shows in lists of processes, and so does --token:
LABCTL_TOKEN does not.`,
		Example: `  labctl serve --fault 503x2,ok
  curl -s --retry 3 http://127.0.0.1:8425/p/mine/
  curl -s http://127.0.0.1:8425/-/v1/tails/mine
  curl -s http://127.0.0.1:8425/-/v1/tails/mine/arrivals
  curl -s -X PUT --json '{"program": "429+retry-after=2"}' \
    http://127.0.0.1:8425/-/v1/tails/mine
  labctl serve --path /orders=503:30% --path /search=hang --tls`,
		Args:    nothing,
		GroupID: groupAudit,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			return f.serve(c.Context(), s)
		},
	}
	groupUsage(c, addGroups(c, f.groups()...))
	return c
}

func (f *serveFlags) groups() []flagGroup {
	faults, server, bounds, output := newFlags(), newFlags(), newFlags(), newFlags()
	faults.StringVar(&f.fault, "fault", "503", "fault `program` of the default tail and of new ids, e.g. 503x2,ok or 503:30%")
	faults.StringArrayVar(&f.paths, "path", nil, "a tail for a path and everything below it, as `path=program`: /orders=503x2,ok; may stand several times, the longest path counts")

	server.StringVar(&f.listen, "listen", defaultListen, "`address` to listen on; port 0 takes a free one")
	server.StringVar(&f.token, "token", "", "`secret` that the control API asks for (default LABCTL_TOKEN, else none on loopback and a new one elsewhere)")
	server.BoolVar(&f.tls, "tls", false, "serve HTTPS, with a self-made certificate unless --tls-cert gives one")
	server.StringVar(&f.cert, "tls-cert", "", "PEM `file` with a certificate and those between it and its root")
	server.StringVar(&f.key, "tls-key", "", "PEM `file` with its key")

	bounds.IntVar(&f.bounds.IDs, "ids", control.DefaultIDs, "`number` of ids there may be at a time; requests for another get 507")
	bounds.IntVar(&f.bounds.Keep, "keep", control.DefaultKeep, "`number` of hits kept in detail: half for the ids in equal shares, half for the others; later ones are counted only")
	bounds.IntVar(&f.bounds.Connections, "connections", control.DefaultConnections, "`number` of connections open at a time")
	bounds.DurationVar(&f.bounds.MaxHang, "max-hang", control.DefaultMaxHang, "let a request go after this `time`, also one that hangs")

	output.DurationVar(&f.during, "for", 0, "end after this `time`, e.g. 10s")
	output.BoolVar(&f.log, "log", false, "print a line per hit on stderr")
	output.BoolVar(&f.quiet, "quiet", false, "print the URL only")
	return []flagGroup{{"Faults:", faults}, {"Server:", server}, {"Bounds:", bounds}, {"Output:", output}}
}

// serve runs the tail. Everything that can be refused is refused before it listens.
func (f *serveFlags) serve(ctx context.Context, s streams) error {
	token, made, err := f.secret()
	if err != nil {
		return err
	}
	config, err := f.config(s, token)
	if err != nil {
		return err
	}
	h, err := control.New(config)
	if err != nil {
		return f.byFlag(err)
	}
	secure, err := f.secure(time.Now())
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return cannotListen(f.listen, err)
	}
	server := h.Serve(l, secure.config)
	defer server.Close()

	url := urlOf(l.Addr(), secure.config != nil)
	if _, err := fmt.Fprintln(s.out, url); err != nil {
		return written(err)
	}
	f.hint(s.err, url, made, secure)
	if err := f.wait(ctx, server); err != nil {
		return environment(fmt.Errorf("the server ended: %w: start it again", err))
	}
	if err := server.Close(); err != nil {
		return environment(err)
	}
	if f.quiet {
		return nil
	}
	return written(serveSummary(s.out, server.Overview(), server.Tails()))
}

// wait returns when it is time to end, or with what ended the server.
func (f *serveFlags) wait(ctx context.Context, server *control.Server) error {
	if f.during > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.during)
		defer cancel()
	}
	return server.Wait(ctx)
}

// config reads the programs.
func (f *serveFlags) config(s streams, token string) (control.Config, error) {
	c := f.bounds
	c.Token, c.AnyHost = token, !control.Loopback(f.listen)
	if f.log {
		c.Log = logTo(s.err)
	}
	var err error
	if c.Program, err = program.Parse(f.fault); err != nil {
		return c, fmt.Errorf("--fault: %w", err)
	}
	for _, text := range f.paths {
		prefix, fault, ok := strings.Cut(text, "=")
		if !ok || fault == "" {
			return c, fmt.Errorf("--path %q: write it as path=program, such as /orders=503x2,ok", text)
		}
		p, err := program.Parse(fault)
		if err != nil {
			return c, fmt.Errorf("--path %s: %w", prefix, err)
		}
		c.Paths = append(c.Paths, control.PathProgram{Prefix: prefix, Program: p})
	}
	return c, nil
}

// byFlag names the flag that an error of the configuration is about.
func (f *serveFlags) byFlag(err error) error {
	text := err.Error()
	switch {
	case strings.HasPrefix(text, "fault program: "):
		return errors.New("--fault: " + text)
	case strings.HasPrefix(text, "path "):
		return errors.New("--" + text)
	case strings.Contains(text, "arrivals are too few"):
		return errors.New("--keep, --ids: " + text)
	}
	return err
}

// logTo prints a line per hit. Hits end at the same time on many connections.
func logTo(w io.Writer) func(control.Hit) {
	var mu sync.Mutex
	return func(h control.Hit) {
		connection := "fresh"
		if h.Reused {
			connection = "reused"
		}
		line := fmt.Sprintf("%s: %s %s → %s (%s connection, %s)", h.Tail, h.Method, h.Target, h.Action, connection, h.Remote)
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(w, oneLine(line))
	}
}

// hint says on stderr what is not for machines.
func (f *serveFlags) hint(w io.Writer, url, token string, secure certificate) {
	if token != "" {
		fmt.Fprintf(w, "labctl: others can reach this: to change something, or to see arrivals, send Authorization: Bearer %s\n", token)
	}
	if f.quiet {
		return
	}
	if secure.fingerprint != "" {
		fmt.Fprintf(w, "labctl: self-made certificate, SHA-256 %s\n", secure.fingerprint)
	}
	trust := ""
	if secure.fingerprint != "" {
		trust = "-k "
	}
	fmt.Fprintf(w, "labctl: serving until Ctrl-C; try: curl -s %s--retry 2 %s/p/mine/ ; curl -s %s%s/-/v1/tails/mine\n", trust, url, trust, url)
}

// cannotListen words why the port could not be had.
func cannotListen(address string, err error) error {
	var system *os.SyscallError
	if errors.As(err, &system) {
		err = system.Err
	}
	return environment(fmt.Errorf("cannot listen on %s: %w: choose another address with --listen, or a free port with --listen 127.0.0.1:0", address, err))
}
