package trace

import (
	"encoding/hex"
	"strconv"
)

// TraceID names a trace, SpanID a span in it. The zero value is none.
type (
	TraceID [16]byte
	SpanID  [8]byte
)

func (t TraceID) String() string { return hex.EncodeToString(t[:]) }
func (s SpanID) String() string  { return hex.EncodeToString(s[:]) }

// Kind is the side of a call that a span shows.
type Kind uint8

// The kinds, with the numbers that OTLP gives them.
const (
	Unspecified Kind = iota
	Internal         // work inside a service
	Server           // a request, as who serves it sees it
	Client           // a request, as who makes it sees it
	Producer         // a message sent
	Consumer         // a message received
)

// Status is what a span says of its own end.
type Status uint8

// The statuses, with the numbers that OTLP gives them.
const (
	Unset Status = iota
	OK
	Error
)

// Span is one span.
type Span struct {
	Trace      TraceID
	ID, Parent SpanID // Parent is zero for the root of a trace
	Name       string
	Service    string // service.name of the resource
	Kind       Kind
	Status     Status
	Start, End int64 // nanoseconds since 1970
	Attributes []Attribute
}

// Attribute is a name with a value: a string, int64, float64 or bool.
type Attribute struct {
	Key   string
	Value any
}

// Names of attributes, of the OpenTelemetry conventions where nothing else is said.
// What is read keeps these and no others.
const (
	HTTPMethod    = "http.request.method"
	HTTPStatus    = "http.response.status_code"
	ErrorType     = "error.type"
	ResendCount   = "http.request.resend_count" // absent on the first attempt
	ServerAddress = "server.address"
	ServerPort    = "server.port"
	URLPath       = "url.path"

	oldStatusCode  = "http.status_code" // before 1.21, as the next ones
	oldResendCount = "http.resend_count"
	oldAddress     = "net.peer.name"
	oldPort        = "net.peer.port"
	oldURL         = "http.url"
	fullURL        = "url.full"
	peerService    = "peer.service"
	rpcStatus      = "rpc.grpc.status_code"
	grpcAttempts   = "previous-rpc-attempts" // of gRPC's own spans
	envoyRetries   = "retry.count"           // of Envoy's upstream spans
)

var kept = map[string]bool{
	HTTPMethod: true, HTTPStatus: true, ErrorType: true, ResendCount: true, ServerAddress: true, ServerPort: true, URLPath: true,
	oldStatusCode: true, oldResendCount: true, oldAddress: true, oldPort: true, oldURL: true, fullURL: true,
	peerService: true, rpcStatus: true, grpcAttempts: true, envoyRetries: true,
}

// text is the first of some attributes that a span has, as text.
func (s *Span) text(keys ...string) string {
	for _, key := range keys {
		for _, a := range s.Attributes {
			if a.Key != key {
				continue
			}
			switch v := a.Value.(type) {
			case string:
				return v
			case int64:
				return strconv.FormatInt(v, 10)
			}
		}
	}
	return ""
}

// number is the same as a number. Some exporters write numbers as text.
func (s *Span) number(keys ...string) (n int64, is bool) {
	n, err := strconv.ParseInt(s.text(keys...), 10, 64)
	return n, err == nil
}
