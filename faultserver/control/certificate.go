package control

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"strings"
	"time"
)

// validity of a self-made certificate: it lives in memory, and its server not for ever.
const validity = 30 * 24 * time.Hour

// SelfSigned makes a certificate for an address to listen on, for localhost and for the
// loopback addresses. Its key is in memory only.
func SelfSigned(address string, now time.Time) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cannot make a key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cannot make a serial number: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber:          serial.Add(serial, big.NewInt(1)), // never 0
		Subject:               pkix.Name{CommonName: "labctl serve"},
		NotBefore:             now.Add(-time.Hour), // for clients whose clock is behind
		NotAfter:              now.Add(validity),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true, // so that a client may be told to trust it
		DNSNames:              []string{"localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	addName(template, address)
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cannot make a certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// addName adds the host of an address, unless that stands for all of them.
func addName(c *x509.Certificate, address string) {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	switch {
	case err != nil || host == "" || ip.IsUnspecified() || ip.IsLoopback() || host == "localhost":
	case ip != nil:
		c.IPAddresses = append(c.IPAddresses, ip)
	default:
		c.DNSNames = append(c.DNSNames, host)
	}
}

// Fingerprint is the SHA-256 of a certificate, as openssl and browsers show it.
func Fingerprint(c tls.Certificate) string {
	return strings.ReplaceAll(fmt.Sprintf("% X", sha256.Sum256(c.Certificate[0])), " ", ":")
}
