// Package trace reads, writes and judges spans: what a tracing system recorded of
// requests and of the calls that they led to.
//
// Use [Read] for files in OTLP JSON or Jaeger JSON, [Analyze] to learn from spans alone
// how often each service is asked for one request of the outermost and who repeated,
// and [Writer] to write spans as OTLP JSON.
//
// Nothing here knows a tracing SDK: a few structs are all that files need.
package trace
