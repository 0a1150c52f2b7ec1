package faultserver_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// Close ends what hangs without an answer, and not as a caller that left.
func TestCloseEndsHangs(t *testing.T) {
	tail, err := faultserver.Listen(faultserver.Config{Program: program.MustParse("hang,delay=1h")})
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan error)
	for range 2 {
		go func() {
			_, _, err := get(newClient(t), tail.URL)
			answers <- err
		}()
	}
	tail.Await(t, 2)
	if err := tail.Close(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-answers; err == nil {
			t.Error("a hung request was answered")
		}
	}
	equal(t, "hits, cut short", fmt.Sprint(tail.Hits(), tail.CutShort()), "2 0")
}

// Close returns after the last handler did: what a hit leaves behind can be read then.
func TestCloseWaitsForHandlers(t *testing.T) {
	var ended atomic.Bool
	tail := faultserver.StartConfig(t, faultserver.Config{
		Next: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			for range 1000 { // give a Close that does not wait every chance to be first
				runtime.Gosched()
			}
			ended.Store(true)
		}),
	})
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		get(newClient(t), tail.URL)
	}()
	tail.Await(t, 1)
	if err := tail.Close(); err != nil {
		t.Error(err)
	}
	if !ended.Load() {
		t.Error("Close returned before the handler")
	}
	<-answered
}

// A connection that never said a word does not hold up Close, where Shutdown would wait.
func TestCloseWithSilentConnection(t *testing.T) {
	tail := faultserver.Start(t, "503")
	silent, err := net.Dial("tcp", strings.TrimPrefix(tail.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	get(newClient(t), tail.URL) // by now the first connection was accepted
	for range 2 {
		if err := tail.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Two tails that refuse have different ports, and keep them: no server of the same test is
// given one.
func TestRefusedPortIsKept(t *testing.T) {
	first, second := faultserver.Start(t, "refuse"), faultserver.Start(t, "refuse")
	if first.URL == second.URL {
		t.Fatalf("both on %s", first.URL)
	}
	addr := strings.TrimPrefix(first.URL, "http://")
	if l, err := net.Listen("tcp4", addr); err == nil {
		l.Close()
		t.Skip("this system lets others have the port")
	} else if !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("listening on a kept port: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	l, err := net.Listen("tcp4", addr)
	if err != nil {
		t.Fatalf("the port is still kept after Close: %v", err)
	}
	l.Close()
}

// tb is a test as the helpers see it, for failures that are wanted.
type tb struct {
	failure string
	cleanup []func()
}

func (t *tb) Helper()                      {}
func (t *tb) Cleanup(f func())             { t.cleanup = append(t.cleanup, f) }
func (t *tb) Fatalf(f string, args ...any) { t.failure = fmt.Sprintf(f, args...) }

func TestStartWithBadProgram(t *testing.T) {
	var fake tb
	faultserver.Start(&fake, "503,rest")
	if !strings.Contains(fake.failure, "did you mean reset?") || len(fake.cleanup) > 0 {
		t.Errorf("failed with %q and %d cleanups", fake.failure, len(fake.cleanup))
	}
}

func TestStartCleansUp(t *testing.T) {
	var fake tb
	tail := faultserver.Start(&fake, "503")
	for _, f := range fake.cleanup {
		f()
	}
	if _, _, err := get(newClient(t), tail.URL); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("after the test: %v", err)
	}
	equal(t, "failure", fake.failure, "")
}
