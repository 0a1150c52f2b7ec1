package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"labctl/audit/subject"
)

// A Running proxy serves until it is stopped.
type Running struct {
	URL  string // http://127.0.0.1:port, without a slash at the end
	Addr string // the same as host:port

	dir    string
	leaves string // see [Config]
	end    context.CancelFunc
	ended  chan struct{} // closed when result is there
	result subject.Result
}

const (
	patience = 20 * time.Second // to start: Varnish calls a C compiler
	grace    = time.Second      // to end by itself
	starts   = 3                // with another port each, as one may be taken meanwhile
)

// Start runs a recipe and returns when the proxy answers. Setup.Listen may
// be empty: a free port of 127.0.0.1 then. The context bounds the start only.
func Start(ctx context.Context, r Recipe, s Setup) (*Running, error) {
	path, ok := Installed(r)
	if !ok {
		return nil, fmt.Errorf("proxy %s: no program %s on this machine: install %s, or leave the layer out", r.Name, strings.Join(r.Programs, " or "), r.Title)
	}
	for try := 1; ; try++ {
		running, err := startOnce(ctx, r, path, s)
		var failed *startError
		if s.Listen != "" || try == starts || !errors.As(err, &failed) || !failed.portTaken() {
			return running, err
		}
	}
}

func startOnce(ctx context.Context, r Recipe, path string, s Setup) (*Running, error) {
	if s.Listen == "" {
		s.Listen = freeAddr()
	} else if err := isFree(s.Listen); err != nil {
		return nil, fmt.Errorf("proxy %s: cannot listen on %s: %w; choose another port", r.Name, s.Listen, err)
	}
	dir, err := os.MkdirTemp("", "labctl-"+r.Name+"-")
	if err != nil {
		return nil, fmt.Errorf("proxy %s: no folder for its files: %w", r.Name, err)
	}
	p, err := launch(r, path, dir, s)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	if err := p.await(ctx, r); err != nil {
		p.Stop()
		return nil, err
	}
	return p, nil
}

// launch writes the files and starts the program.
func launch(r Recipe, path, dir string, s Setup) (*Running, error) {
	s.Dir, s.Root, s.ModuleDir = dir, os.Geteuid() == 0, moduleDir()
	c, err := r.Config(s)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // the superuser's workers are somebody else
		return nil, fmt.Errorf("proxy %s: its folder: %w", r.Name, err)
	}
	for name, text := range c.Files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, fmt.Errorf("proxy %s: its configuration: %w", r.Name, err)
		}
	}
	ctx, end := context.WithCancel(context.Background())
	p := &Running{URL: "http://" + s.Listen, Addr: s.Listen, dir: dir, leaves: c.Leaves, end: end, ended: make(chan struct{})}
	limits := subject.Limits{Grace: grace}
	if r.abrupt {
		limits.Grace = time.Millisecond
	}
	command := subject.Command{Args: append([]string{path}, c.Args...), Env: c.Env, Dir: dir}
	go func() {
		defer close(p.ended)
		p.result = subject.Run(ctx, command, nil, limits)
	}()
	return p, nil
}

// await returns when the proxy is up.
func (p *Running) await(ctx context.Context, r Recipe) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	pause := time.Millisecond
	for !knock(ctx, p.Addr) {
		select {
		case <-p.ended:
			return &startError{name: r.Name, dir: p.dir, result: p.result}
		case <-ctx.Done():
			return fmt.Errorf("proxy %s: it does not answer at %s: %w", r.Name, p.Addr, context.Cause(ctx))
		case <-time.After(pause):
			pause = min(2*pause, 50*time.Millisecond)
		}
	}
	return nil
}

// noRequest is answered by a proxy itself, with 400 or a close, and never passed on.
const noRequest = "?\r\n\r\n"

// knock reports whether somebody answers. A connection alone would not say so: the system
// accepts it as soon as there is a socket, and a proxy that is stopped before it is up
// leaves things behind.
func knock(ctx context.Context, addr string) bool {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return false
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	if _, err := io.WriteString(c, noRequest); err != nil {
		return false
	}
	_, err = c.Read(make([]byte, 1))
	return err == nil || err == io.EOF
}

// Stop ends the proxy with its workers and removes its files. Stopping again does
// nothing.
func (p *Running) Stop() {
	p.end()
	<-p.ended
	os.RemoveAll(p.dir)
	if p.leaves != "" {
		left, _ := filepath.Glob(p.leaves)
		for _, file := range left {
			os.Remove(file)
		}
	}
}

// freeAddr is an address of loopback that nobody has. Its port is below those that
// systems hand out to clients and to listeners that do not care, so that none of these
// takes it before the proxy does.
func freeAddr() string {
	const lowest, number = 20000, 10000
	for {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(lowest+rand.IntN(number)))
		if isFree(addr) == nil {
			return addr
		}
	}
}

// isFree asks before the proxy is started: somebody else who accepts there would be taken
// for it.
func isFree(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return l.Close()
}
