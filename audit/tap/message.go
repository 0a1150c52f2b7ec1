package tap

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Limits of what the side reader keeps, since it reads what strangers send.
const (
	maxHead  = 64 << 10 // of a head, in bytes; servers take 8 to 64 KiB
	maxChunk = 1 << 10  // of the line in front of a chunk
)

// errTooLong ends the reading of a direction whose head or chunk line has no end.
var errTooLong = errors.New("a head or chunk line is too long")

// A framing says how the end of a body is found.
type framing int64

const (
	chunked    framing = -1 // in chunks that carry their sizes
	untilClose framing = -2 // the end of the connection is the end of the body
	opaque     framing = -3 // what follows is no HTTP any more: a tunnel or another protocol
)

// A listener is told what a reader comes upon.
type listener interface {
	head(line string, fields []string) (framing, error) // and says how the body is framed
	body(n int64)                                       // so many bytes more
	end()                                               // the message is complete
}

// A stage is what a reader expects next.
type stage uint8

const (
	inHead stage = iota
	inBody
	inSize    // the line in front of a chunk
	inChunk   // its bytes
	inBreak   // the line end after them
	inTrailer // lines after the last chunk, until an empty one
	inClose   // a body that lasts as long as the connection
	deaf      // nothing is read any more
)

// A reader finds the messages in one direction of a connection, from pieces of any
// size. It keeps at most a head and counts bodies.
type reader struct {
	to    listener
	stage stage
	lines []string // of the head so far
	line  []byte   // so far
	kept  int      // bytes of the head so far
	left  int64    // of a body or chunk
	err   error    // why it is deaf, if it is for a bad reason
}

// feed reads one piece. After an error it ignores all others.
func (r *reader) feed(data []byte) {
	for len(data) > 0 && r.stage != deaf {
		switch r.stage {
		case inBody, inChunk:
			data = r.count(data)
		case inClose:
			r.to.body(int64(len(data)))
			return
		default:
			data = r.collect(data)
		}
	}
}

// count takes what belongs to a body, or to a chunk of it.
func (r *reader) count(data []byte) []byte {
	n := min(int64(len(data)), r.left)
	r.to.body(n)
	r.left -= n
	if r.left == 0 && r.stage == inChunk {
		r.stage = inBreak
	} else if r.left == 0 {
		r.finish()
	}
	return data[n:]
}

// collect takes bytes up to the end of a line, and the line when it is whole.
func (r *reader) collect(data []byte) []byte {
	rest := []byte(nil)
	piece, whole := data, false
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		piece, rest, whole = data[:i], data[i+1:], true
	}
	r.kept += len(piece) + 1
	if r.kept > maxHead || (r.stage != inHead && r.stage != inTrailer && len(r.line)+len(piece) > maxChunk) {
		r.fail(errTooLong)
		return nil
	}
	r.line = append(r.line, piece...)
	if !whole {
		return nil
	}
	line := strings.TrimSuffix(string(r.line), "\r")
	r.line = r.line[:0]
	r.take(line)
	return rest
}

// take decides what a line means where it stands.
func (r *reader) take(line string) {
	switch {
	case r.stage == inSize:
		r.size(line)
	case r.stage == inBreak && line != "":
		r.fail(errors.New("a chunk is longer than it says"))
	case r.stage == inBreak:
		r.stage, r.kept = inSize, 0
	case r.stage == inTrailer && line == "":
		r.finish()
	case r.stage == inTrailer:
	case line != "":
		r.lines = append(r.lines, line)
	case len(r.lines) > 0: // empty lines in front of a head are ignored: RFC 9112, 2.2
		r.open()
	}
}

func (r *reader) open() {
	body, err := r.to.head(r.lines[0], r.lines[1:])
	r.lines, r.kept = nil, 0
	switch {
	case err != nil:
		r.fail(err)
	case body == chunked:
		r.stage = inSize
	case body == untilClose:
		r.stage = inClose
	case body == opaque:
		r.stage = deaf
	case body == 0:
		r.finish()
	default:
		r.stage, r.left = inBody, int64(body)
	}
}

func (r *reader) size(line string) {
	digits, _, _ := strings.Cut(line, ";")
	n, err := strconv.ParseUint(strings.TrimRight(digits, " \t"), 16, 62)
	switch {
	case err != nil:
		r.fail(errors.New("a chunk does not begin with its size"))
	case n == 0:
		r.stage, r.kept = inTrailer, 0
	default:
		r.stage, r.left = inChunk, int64(n)
	}
}

func (r *reader) finish() {
	r.stage, r.kept = inHead, 0
	r.to.end()
}

func (r *reader) fail(err error) {
	r.stage, r.err = deaf, err
	r.lines, r.line = nil, nil
}
