package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// A guard keeps strangers from the API.
type guard struct {
	token   [sha256.Size]byte
	asks    bool
	anyHost bool
	origin  *http.CrossOriginProtection
}

func newGuard(c Config) guard {
	return guard{
		token: sha256.Sum256([]byte(c.Token)), asks: c.Token != "",
		anyHost: c.AnyHost, origin: http.NewCrossOriginProtection(),
	}
}

// checkBrowser refuses what a page from elsewhere makes a browser send: requests that say
// so, and requests for a name that its owner points to this host.
func (g guard) checkBrowser(r *http.Request) error {
	if !g.anyHost && !loopbackHost(r.Host) {
		return newProblem(http.StatusForbidden, "foreign-host", "this server answers to localhost and 127.0.0.1 only: ask it by one of them")
	}
	if g.origin.Check(r) != nil {
		return newProblem(http.StatusForbidden, "cross-origin", "a browser sent this for a page from elsewhere: use curl, or a page of this server")
	}
	return nil
}

// checkToken compares digests, which are of one length, in constant time.
func (g guard) checkToken(r *http.Request, guarded bool) error {
	if !g.asks || !guarded {
		return nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 {
		return nil
	}
	p := newProblem(http.StatusUnauthorized, "token", "this needs the token that the server was given or printed: send Authorization: Bearer TOKEN")
	p.header.Set("WWW-Authenticate", `Bearer realm="labctl"`)
	return p
}

// loopbackHost reports whether a Host header names this host by a name that nobody else
// can give away. Browsers always send one.
func loopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback()
	}
	return host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// Loopback reports whether an address to listen on, such as 127.0.0.1:8425, can be
// reached from this machine only.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && host != "" && loopbackHost(host)
}
