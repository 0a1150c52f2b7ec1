package subject

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// An output reads what a command prints on both streams and keeps the end of it.
type output struct {
	read, write *os.File
	kept        ring
	done        chan struct{} // closed when nothing is read any more; nil before begin
}

// capture gives the command one pipe for both streams, so that its lines stay in order.
func capture(cmd *exec.Cmd, keep int) (*output, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("no pipe for the output of a command: %w: allow more open files (ulimit -n), or run fewer at a time", err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	return &output{read: r, write: w, kept: ring{limit: keep}}, nil
}

// begin reads from now on: a command that is not read from would wait.
func (o *output) begin() {
	o.write.Close() // the command has its own
	o.done = make(chan struct{})
	go func() {
		defer close(o.done)
		io.Copy(&o.kept, onlyReader{o.read})
	}()
}

// onlyReader hides the other methods of a file: copying from one must not try to be
// clever with it.
type onlyReader struct{ io.Reader }

// lastWords is how long the end of the output may take once its writers have ended. It
// is there for a writer that got away.
const lastWords = 200 * time.Millisecond

// end returns what was kept. It waits for what is still in the pipe, but not for a
// process that got away with the pipe open.
func (o *output) end() string {
	defer o.read.Close()
	if o.done == nil {
		o.write.Close()
		return ""
	}
	if err := o.read.SetReadDeadline(time.Now().Add(lastWords)); err != nil {
		time.AfterFunc(lastWords, func() { o.read.Close() }) // a system without deadlines for pipes
	}
	<-o.done
	return clean(o.kept.end())
}

// A ring keeps the last bytes of what is written to it.
type ring struct {
	limit int
	bytes []byte
}

// Write keeps up to twice the limit, so that bytes move once in a while only.
func (r *ring) Write(p []byte) (int, error) {
	n := len(p)
	p = p[max(0, n-r.limit):]
	if len(r.bytes)+len(p) > 2*r.limit {
		r.bytes = append(r.bytes[:0], r.end()...)
	}
	r.bytes = append(r.bytes, p...)
	return n, nil
}

func (r *ring) end() []byte { return r.bytes[max(0, len(r.bytes)-r.limit):] }
