package tap

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// notes is a listener that writes down what it is told.
type notes struct {
	log    []string
	length int64
	frame  func(line string, fields []string) (framing, error)
}

func (n *notes) head(line string, fields []string) (framing, error) {
	n.log, n.length = append(n.log, line), 0
	return n.frame(line, fields)
}

func (n *notes) body(more int64) { n.length += more }

func (n *notes) end() { n.log = append(n.log, fmt.Sprint("+", n.length)); n.length = 0 }

func asRequest(line string, fields []string) (framing, error) {
	if _, _, err := requestLine(line); err != nil {
		return 0, err
	}
	return declared(fields, 0)
}

func asAnswer(line string, fields []string) (framing, error) {
	status, err := statusLine(line)
	if err != nil {
		return 0, err
	}
	return answerBody("GET", status, fields)
}

// hear feeds pieces and returns what was understood, and what is left over.
func hear(frame func(string, []string) (framing, error), pieces ...string) string {
	n := &notes{frame: frame}
	r := reader{to: n}
	for _, p := range pieces {
		r.feed([]byte(p))
	}
	if n.length > 0 {
		n.log = append(n.log, fmt.Sprint("…", n.length))
	}
	if r.err != nil {
		n.log = append(n.log, r.err.Error())
	}
	return strings.Join(n.log, "; ")
}

func TestRequestsAreRead(t *testing.T) {
	for _, tt := range []struct{ name, bytes, want string }{
		{"a GET", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1; +0"},
		{"two in one piece", "GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n", "GET /1 HTTP/1.1; +0; GET /2 HTTP/1.1; +0"},
		{"empty lines in front", "\r\n\r\nGET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.0; +0"},
		{"bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1; +0"},
		{"a body with a length", "POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1; +3; GET / HTTP/1.1; +0"},
		{"half a body", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc", "POST / HTTP/1.1; …3"},
		{"chunks", "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n", "PUT / HTTP/1.1; +13"},
		{"no end of a head", "GET / HTTP/1.1\r\nHost: a\r\n", ""},
		{"TLS", "\x16\x03\x01\x02\x00\x01\n\n", "\x16\x03\x01\x02\x00\x01; a request does not begin as in HTTP/1.1"},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "PRI * HTTP/2.0; a request does not begin as in HTTP/1.1"},
		{"a bad length", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", `POST / HTTP/1.1; a Content-Length cannot be read: "-1"`},
		{"two lengths", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", `POST / HTTP/1.1; a Content-Length cannot be read: "2"`},
		{"gzip", "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "POST / HTTP/1.1; a body has an encoding other than chunked"},
		{"a chunk without a size", "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "PUT / HTTP/1.1; a chunk does not begin with its size"},
		{"a chunk that goes on", "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "PUT / HTTP/1.1; …1; a chunk is longer than it says"},
		{"a head without end", strings.Repeat("a", maxHead+1), "a head or chunk line is too long"},
	} {
		if got := hear(asRequest, tt.bytes); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAnswersAreRead(t *testing.T) {
	for _, tt := range []struct{ name, bytes, want string }{
		{"a length", "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno", "HTTP/1.1 503 Busy; +2"},
		{"no reason", "HTTP/1.1 204\r\n\r\n", "HTTP/1.1 204; +0"},
		{"until the end", "HTTP/1.0 200 OK\r\n\r\nabc", "HTTP/1.0 200 OK; …3"},
		{"not modified has none", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\nHTTP/1.1 204 No\r\n\r\n", "HTTP/1.1 304 Not Modified; +0; HTTP/1.1 204 No; +0"},
		{"an interim one", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 100 Continue; +0; HTTP/1.1 200 OK; +0"},
		{"another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n\x00\x01", "HTTP/1.1 101 Switching Protocols"},
		{"malformed", "HTTP/1.1 two hundred\r\n\r\n", "HTTP/1.1 two hundred; an answer does not begin as in HTTP/1.1"},
	} {
		if got := hear(asAnswer, tt.bytes); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// However a stream is cut, the same is read.
func FuzzReader(f *testing.F) {
	f.Add([]byte("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n"), uint16(7))
	f.Add([]byte("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"), uint16(50))
	f.Add([]byte("HTTP/1.1 200 OK\r\n\r\nabc"), uint16(1))
	f.Add([]byte("\r\n\nGET / HTTP/1.1\n\n"), uint16(2))
	f.Fuzz(func(t *testing.T, data []byte, cut uint16) {
		for _, frame := range []func(string, []string) (framing, error){asRequest, asAnswer} {
			whole := hear(frame, string(data))
			at := min(int(cut), len(data))
			if got := hear(frame, string(data[:at]), string(data[at:])); got != whole {
				t.Errorf("cut at %d: %q, whole: %q", at, got, whole)
			}
			if got := hear(frame, strings.Split(string(data), "")...); got != whole {
				t.Errorf("byte by byte: %q, whole: %q", got, whole)
			}
		}
	})
}

// What is read agrees with net/http, for requests as net/http writes them.
func TestReaderAgreesWithNetHTTP(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var stream bytes.Buffer
		for range rapid.IntRange(1, 5).Draw(t, "requests") {
			write(t, &stream)
		}
		var want []string
		for r := bufio.NewReader(bytes.NewReader(stream.Bytes())); ; {
			req, err := http.ReadRequest(r)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			n, _ := io.Copy(io.Discard, req.Body)
			want = append(want, req.Method+" "+req.RequestURI+" HTTP/1.1", fmt.Sprint("+", n))
		}
		if got := hear(asRequest, stream.String()); got != strings.Join(want, "; ") {
			t.Fatalf("got %s, want %s", got, strings.Join(want, "; "))
		}
	})
}

// write appends a request with a body of some size, with a length or in chunks.
func write(t *rapid.T, to io.Writer) {
	method := rapid.SampledFrom([]string{"GET", "POST", "PUT", "DELETE"}).Draw(t, "method")
	path := rapid.StringMatching(`/[a-z0-9]{0,8}(\?q=[a-z%20]{0,3})?`).Draw(t, "path")
	body := rapid.StringOfN(rapid.RuneFrom([]rune("\r\n0aHTTP/")), 0, 40, -1).Draw(t, "body")
	var content io.Reader = strings.NewReader(body)
	if rapid.Bool().Draw(t, "chunked") {
		content = io.MultiReader(content)
	}
	req, err := http.NewRequest(method, "http://tail"+strings.ReplaceAll(path, "%", "%25"), content)
	if err != nil {
		t.Fatal(err)
	}
	if err := req.Write(to); err != nil {
		t.Fatal(err)
	}
}
