package faultserver

import (
	"context"
	"time"

	"labctl/faultserver/program"
)

// TB is the part of testing.TB that the helpers use; programs that link this package do
// not link package testing.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// Patience bounds how long [Server.Await] waits. It is for tests that fail, and long enough
// for a busy machine.
const Patience = 10 * time.Second

// Start runs a server with a fault program for the duration of a test.
func Start(t TB, text string) *Server {
	t.Helper()
	p, err := program.Parse(text)
	if err != nil {
		t.Fatalf("%v", err)
		return nil
	}
	return StartConfig(t, Config{Program: p})
}

// StartConfig runs a server for the duration of a test.
func StartConfig(t TB, c Config) *Server {
	t.Helper()
	s, err := Listen(c)
	if err != nil {
		t.Fatalf("%v", err)
		return nil
	}
	t.Cleanup(func() {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatalf("faultserver: close: %v", err)
		}
	})
	return s
}

// Await returns when n hits were counted and fails the test when they do not come within
// [Patience]. It is for clients that work in the background; after a client that has
// returned, ask Hits.
func (s *Server) Await(t TB, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	if err := s.Wait(ctx, n); err != nil {
		t.Fatalf("%v", err)
	}
}
