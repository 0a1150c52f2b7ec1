package live

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"labctl/topology/policy"
)

// Network is where services listen and callers dial.
type Network interface {
	Name() string // tcp or pipe
	Listen() (net.Listener, error)
	Dial(ctx context.Context, addr string) (net.Conn, error)
}

// TCP is the loopback interface of this machine.
func TCP() Network { return tcp{} }

type tcp struct{}

func (tcp) Name() string { return "tcp" }

func (tcp) Listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }

func (tcp) Dial(ctx context.Context, addr string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", addr)
}

// classify says how an attempt without an answer ended. What is neither a
// refused dial nor unreadable as HTTP is a connection that died: RST, FIN in the
// wrong place, or a write to a connection that was gone.
func classify(err error) policy.Outcome {
	var op *net.OpError
	switch {
	case errors.Is(err, context.Canceled):
		return policy.Failed(policy.Cancelled)
	case errors.Is(err, syscall.ECONNREFUSED):
		return policy.Failed(policy.Refused)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return policy.Failed(policy.Reset)
	case errors.As(err, &op) && op.Op == "dial":
		return policy.Failed(policy.Refused)
	case silent(err):
		return policy.Failed(policy.Timeout)
	case unreadable(err):
		return policy.Failed(policy.Malformed)
	}
	return policy.Failed(policy.Reset)
}

// silent reports whether a host said nothing for longer than anybody waits: see
// [Patience].
func silent(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// unreadable reports whether an answer, its head or a chunk of its body, is not
// HTTP. net/http has no types for it.
func unreadable(err error) bool {
	text := err.Error()
	return strings.Contains(text, "malformed") || strings.Contains(text, "chunk")
}
