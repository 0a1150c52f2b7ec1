package tap

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxTarget is how much of a request's target is kept, in bytes.
const MaxTarget = 1024

// maxMethod is longer than any method that is registered.
const maxMethod = 32

// requestLine reads "GET /path HTTP/1.1".
func requestLine(line string) (method, target string, err error) {
	method, rest, _ := strings.Cut(line, " ")
	target, version, _ := strings.Cut(rest, " ")
	if method == "" || len(method) > maxMethod || target == "" || !strings.HasPrefix(version, "HTTP/1.") {
		return "", "", errors.New("a request does not begin as in HTTP/1.1")
	}
	return method, target, nil
}

// statusLine reads "HTTP/1.1 200 OK".
func statusLine(line string) (int, error) {
	version, rest, _ := strings.Cut(line, " ")
	digits, _, _ := strings.Cut(rest, " ")
	status, err := strconv.Atoi(digits)
	if err != nil || len(digits) != 3 || status < 100 || !strings.HasPrefix(version, "HTTP/1.") {
		return 0, errors.New("an answer does not begin as in HTTP/1.1")
	}
	return status, nil
}

// declared returns how fields frame a body, or otherwise where they do not say.
func declared(fields []string, otherwise framing) (framing, error) {
	length := otherwise
	for _, field := range fields {
		name, value, _ := strings.Cut(field, ":")
		value = strings.Trim(value, " \t")
		switch strings.ToLower(name) {
		case "transfer-encoding":
			if !strings.HasSuffix(strings.ToLower(value), "chunked") {
				return 0, errors.New("a body has an encoding other than chunked")
			}
			return chunked, nil // also where a length is given: RFC 9112, 6.3
		case "content-length":
			n, err := strconv.ParseUint(value, 10, 62)
			if err != nil || (length != otherwise && length != framing(n)) {
				return 0, fmt.Errorf("a Content-Length cannot be read: %.40q", value)
			}
			length = framing(n)
		}
	}
	return length, nil
}

// answerBody returns how the body of an answer to a method is framed: RFC 9112, 6.3.
func answerBody(method string, status int, fields []string) (framing, error) {
	switch {
	case status == 101, method == "CONNECT" && status/100 == 2:
		return opaque, nil
	case status/100 == 1, status == 204, status == 304, method == "HEAD":
		return 0, nil
	}
	return declared(fields, untilClose)
}
