package main

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labctl/faultserver/control"
)

// check refuses flags that say nothing, or contradict each other.
func (f *serveFlags) check(c *cobra.Command) error {
	_, port, err := net.SplitHostPort(f.listen)
	if _, badPort := strconv.ParseUint(port, 10, 16); err != nil || badPort != nil {
		return fmt.Errorf("--listen %q: write it as host:port, such as %s", f.listen, defaultListen)
	}
	for _, name := range []string{"fault", "tls-cert", "tls-key", "token"} {
		if value, said := given(c, name); said && value == "" {
			return fmt.Errorf("--%s: its value is empty: say one, or leave the flag out", name)
		}
	}
	for name, n := range map[string]int{"ids": f.bounds.IDs, "keep": f.bounds.Keep, "connections": f.bounds.Connections} {
		if n < 1 {
			return fmt.Errorf("--%s: %d is too few: say 1 or more", name, n)
		}
	}
	switch {
	case f.during < 0 || c.Flags().Changed("for") && f.during == 0:
		return fmt.Errorf("--for: %v is no time to serve: say one such as 10s, or leave it out", f.during)
	case f.bounds.MaxHang <= 0:
		return fmt.Errorf("--max-hang: %v would let every request go at once: say a time such as 10m", f.bounds.MaxHang)
	case f.cert != "" && f.key == "":
		return errors.New("--tls-cert: its key is missing: add --tls-key")
	case f.key != "" && f.cert == "":
		return errors.New("--tls-key: its certificate is missing: add --tls-cert")
	}
	return nil
}

// secret finds the token, or makes one where others can reach the server.
func (f *serveFlags) secret() (token, made string, err error) {
	token = cmp.Or(f.token, os.Getenv("LABCTL_TOKEN"))
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", "", errors.New("--token: a header cannot carry it: use visible ASCII without spaces")
	}
	if token == "" && !control.Loopback(f.listen) {
		made = rand.Text()
	}
	return cmp.Or(token, made), made, nil
}

// A certificate is how a server proves itself, with a fingerprint if it made it.
type certificate struct {
	config      *tls.Config // nil: no TLS
	fingerprint string
}

func (f *serveFlags) secure(now time.Time) (certificate, error) {
	switch {
	case f.cert != "":
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return certificate{}, fmt.Errorf("--tls-cert %s, --tls-key %s: %w: give a PEM certificate and its key", f.cert, f.key, err)
		}
		return certificate{config: &tls.Config{Certificates: []tls.Certificate{pair}}}, nil
	case f.tls:
		made, err := control.SelfSigned(f.listen, now)
		if err != nil {
			return certificate{}, environment(err)
		}
		return certificate{&tls.Config{Certificates: []tls.Certificate{made}}, control.Fingerprint(made)}, nil
	}
	return certificate{}, nil
}

// urlOf is where a client on this machine finds the server.
func urlOf(address net.Addr, secure bool) string {
	scheme := "http://"
	if secure {
		scheme = "https://"
	}
	at, ok := address.(*net.TCPAddr)
	if !ok || !at.IP.IsUnspecified() {
		return scheme + address.String()
	}
	return scheme + net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port)) // which all addresses include, also as [::]
}
