package control_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"labctl/faultserver/control"
)

// serve runs a server on a free port for the duration of a test.
func serve(t *testing.T, c control.Config, secure *tls.Config) (*control.Server, string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := handler(t, c).Serve(l, secure)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, l.Addr().String()
}

func client(t *testing.T, transport *http.Transport) *http.Client {
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// Connections, hits on fresh ones and hits on reused ones are three counts.
func TestThreeLevels(t *testing.T) {
	s, addr := serve(t, control.Config{Program: parse("503")}, nil)
	keeps := client(t, &http.Transport{})
	closes := client(t, &http.Transport{DisableKeepAlives: true})
	for _, path := range []string{"/p/a", "/p/a", "/p/b", "/-/healthz", "/p/a"} {
		fetch(keeps, "http://"+addr+path)
	}
	fetch(closes, "http://"+addr+"/p/a")
	fetch(closes, "http://"+addr+"/-/healthz")
	silent, err := net.Dial("tcp4", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	fetch(keeps, "http://"+addr+"/p/b") // accepted after the silent one

	o := s.Overview()
	equal(t, "accepted, api", fmt.Sprint(o.Connections.Accepted, o.Connections.API), "4 1")
	equal(t, "hits, fresh, reused", fmt.Sprint(o.Hits, o.Fresh, o.Reused), "6 2 4")
	for name, want := range map[string]string{"a": "4 2 2", "b": "2 0 2"} {
		tail := tailNamed(t, s, name)
		equal(t, name+": hits, fresh, reused", fmt.Sprint(tail.Hits, tail.Fresh, tail.Reused), want)
	}
	type arrivals struct {
		Arrivals []struct{ Connection, Turn, Port int }
	}
	var turns []string
	ports := map[int]bool{}
	for _, a := range read[arrivals](t, s, "/-/v1/tails/a/arrivals").Arrivals {
		turns = append(turns, fmt.Sprintf("%d.%d", a.Connection, a.Turn))
		ports[a.Port] = true
	}
	equal(t, "connections and turns of a", strings.Join(turns, " "), "1.1 1.2 1.4 2.1")
	equal(t, "ports", len(ports), 2)
}

// Go's client repeats a GET on a reused connection that dies: it is a hit more on a fresh
// connection, and not one that a policy made.
func TestHiddenReplayIsSeen(t *testing.T) {
	s, addr := serve(t, control.Config{Program: parse("conn:ok,close")}, nil)
	keeps := client(t, &http.Transport{})
	for range 2 {
		if code, err := fetch(keeps, "http://"+addr+"/p/a"); code != 200 || err != nil {
			t.Fatal(code, err)
		}
	}
	a := tailNamed(t, s, "a")
	equal(t, "hits, fresh, reused", fmt.Sprint(a.Hits, a.Fresh, a.Reused), "3 2 1")
	equal(t, "kinds", fmt.Sprint(a.Kinds), "[{ok 2 0} {close 0 1}]")
}

// What TLS, HTTP/2 and HTTP/2 without TLS need is there, and a fault is one.
func TestProtocols(t *testing.T) {
	made, err := control.SelfSigned("tail.example:443", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	root, err := x509.ParseCertificate(made.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	plain := func(p *http.Protocols) *http.Transport { return &http.Transport{Protocols: p} }
	only := func(set func(*http.Protocols, bool)) *http.Protocols {
		p := new(http.Protocols)
		set(p, true)
		return p
	}
	for name, tt := range map[string]struct {
		secure    bool
		transport *http.Transport
		proto     string
	}{
		"http/1.1":    {false, plain(only((*http.Protocols).SetHTTP1)), "HTTP/1.1"},
		"h2c":         {false, plain(only((*http.Protocols).SetUnencryptedHTTP2)), "HTTP/2.0"},
		"TLS":         {true, plain(only((*http.Protocols).SetHTTP1)), "HTTP/1.1"},
		"HTTP/2, TLS": {true, plain(only((*http.Protocols).SetHTTP2)), "HTTP/2.0"},
	} {
		t.Run(name, func(t *testing.T) {
			scheme, config := "http://", (*tls.Config)(nil)
			if tt.secure {
				scheme, config = "https://", &tls.Config{Certificates: []tls.Certificate{made}}
				tt.transport.TLSClientConfig = &tls.Config{RootCAs: pool}
			}
			s, addr := serve(t, control.Config{Program: parse("503,reset")}, config)
			c := client(t, tt.transport)
			res, err := c.Get(scheme + addr + "/p/a")
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
			equal(t, "status, protocol", fmt.Sprint(res.StatusCode, " ", res.Proto), "503 "+tt.proto)
			if _, err := c.Post(scheme+addr+"/p/a", "text/plain", strings.NewReader("body")); err == nil {
				t.Error("a reset gets an answer")
			}
			a := tailNamed(t, s, "a")
			equal(t, "hits, fresh, reused", fmt.Sprint(a.Hits, a.Fresh, a.Reused), "2 1 1")
		})
	}
}

func TestCertificate(t *testing.T) {
	for address, names := range map[string][]string{
		"127.0.0.1:8425":    {"127.0.0.1", "localhost", "::1"},
		":8425":             {"127.0.0.1", "localhost"},
		"192.0.2.7:1":       {"192.0.2.7", "localhost"},
		"tail.example:8425": {"tail.example", "127.0.0.1"},
	} {
		made, err := control.SelfSigned(address, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		c, err := x509.ParseCertificate(made.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := c.VerifyHostname(name); err != nil {
				t.Errorf("%s: %v", address, err)
			}
		}
		if c.VerifyHostname("other.example") == nil {
			t.Errorf("%s: good for any name", address)
		}
		if print := control.Fingerprint(made); len(print) != 95 || strings.Count(print, ":") != 31 {
			t.Errorf("fingerprint %q", print)
		}
	}
}
