package live

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// A deadline is the same at both ends, but for what topology.Carry says that it
// moves by.
func TestDeadlinesTravel(t *testing.T) {
	ahead, behind := &topology.Service{}, &topology.Service{}
	ahead.Skew, behind.Skew = 70*time.Millisecond, -30*time.Millisecond
	for _, tt := range []struct {
		sent policy.Deadline
		text string
	}{
		{policy.Deadline{Mode: policy.Absolute, Value: int64(1230 * time.Millisecond)}, "absolute 1.3s"},
		{policy.Deadline{Mode: policy.Absolute, Value: -int64(time.Second)}, "absolute -930ms"},
		{policy.Deadline{Mode: policy.Absolute, Value: 1}, "absolute 70.000001ms"},
		{policy.Deadline{Mode: policy.Remaining, Value: int64(240 * time.Millisecond)}, "remaining 240ms"},
		{policy.Deadline{Mode: policy.Remaining}, "remaining 0s"},
		{policy.Deadline{Mode: policy.PerHop, Value: int64(300 * time.Millisecond)}, "per-hop 300ms"},
	} {
		text := formatDeadline(sentBy(ahead, tt.sent))
		if text != tt.text {
			t.Errorf("%+v: %q, want %q", tt.sent, text, tt.text)
		}
		d, ok := parseDeadline(text)
		if got, want := receivedBy(behind, d), topology.Carry(tt.sent, ahead, behind); !ok || got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"", "absolute", "absolute ", "absolute 5", "remaining -1ms", "per-hop -1ms", "per hop 1s", "remaining  1s", "kept 1s", "1s", "absolute 1s "} {
		if d, ok := parseDeadline(text); ok {
			t.Errorf("%q: %+v", text, d)
		}
	}
}

func FuzzDeadline(f *testing.F) {
	for _, text := range []string{"absolute 1.3s", "remaining 240ms", "per-hop 300ms", "absolute -2562047h47m16.854775808s", "remaining -1s", "per-hop 1e9s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := parseDeadline(text)
		if !ok {
			return
		}
		if again, ok := parseDeadline(formatDeadline(d)); !ok || again != d {
			t.Errorf("%q: %+v, and then %+v", text, d, again)
		}
		if d.Mode == policy.Kept || d.Mode != policy.Absolute && d.Value < 0 {
			t.Errorf("%q: %+v", text, d)
		}
	})
}

// A service reads a path as package policy does.
func FuzzTrail(f *testing.F) {
	for _, path := range []string{"17.0/client>a#1/a>b#3", "0.0", "1.2/x>y#1", "", "1", "1.2/", "1.2/a>b", "1.2/a>#1", "1.2/a>b#0", "-1.0", "1.2/a>b#1/a>b#1"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		got, ok := follow(path, 7)
		want, err := policy.ParsePath(path)
		if ok != (err == nil) {
			t.Fatalf("%q: ok %v, error %v", path, ok, err)
		}
		if ok && (got.luck != want.Luck(7) || got.first != want.IsFirst()) {
			t.Errorf("%q: %+v, want %v %v", path, got, want.Luck(7), want.IsFirst())
		}
	})
}

// The list keeps all that is added, in order.
func TestRecords(t *testing.T) {
	var r records[int]
	for i := range 3000 {
		r.add(i)
	}
	n := 0
	r.each(func(v *int) {
		if *v != n {
			t.Fatalf("record %d is %d", n, *v)
		}
		n++
	})
	if n != 3000 {
		t.Errorf("%d records", n)
	}
}

// What a connection did not survive, in the words of policies.
func TestClassify(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want policy.Kind
	}{
		{context.Canceled, policy.Cancelled},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, policy.Refused},
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, policy.Refused},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, policy.Reset},
		{io.ErrUnexpectedEOF, policy.Reset},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, policy.Timeout},
		{errors.New("malformed HTTP response"), policy.Malformed},
		{errors.New("something else"), policy.Reset},
	} {
		if got := classify(tt.err).Kind; got != tt.want {
			t.Errorf("%v: %v, want %v", tt.err, got, tt.want)
		}
	}
}
