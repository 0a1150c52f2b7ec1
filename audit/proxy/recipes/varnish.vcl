vcl 4.1;
# Varnish in front of labctl's tail, written by labctl audit.
{{- if .Has "buffer-request"}}
import std;
{{- end}}
{{- if gt (len .Servers) 1}}
import directors;
{{- end}}
{{range .Servers}}
backend s{{.N}} {
  .host = "{{.Host}}";
  .port = "{{.Port}}";
{{- with $.Milliseconds "read-timeout"}}
  .first_byte_timeout = {{.}}ms;  # for each attempt; 60 s as it comes
{{- end}}
}
{{end}}
{{- if gt (len .Servers) 1}}
sub vcl_init {
  new tail = directors.round_robin();
{{- range .Servers}}
  tail.add_backend(s{{.N}});
{{- end}}
}
{{end}}
sub vcl_recv {
{{- if gt (len .Servers) 1}}
  set req.backend_hint = tail.backend();
{{- end}}
{{- if .Has "buffer-request"}}
  std.cache_req_body(1MB);  # a body that is kept can be sent again
{{- end}}
  return (pass);  # nothing is cached: each request is to reach the tail
}

# As it comes a request is sent again in one case only: it had no body and went out on a
# connection that had been used before, which died before an answer. Varnish does that
# once, by itself, and it does not count as a retry.
{{- if or .Statuses (and (.Has "retries") (not .On))}}
sub vcl_backend_response {
  if ({{range $i, $s := .Statuses}}{{if $i}} || {{end}}beresp.status == {{$s}}{{else}}beresp.status >= 500{{end}}) {
    return (retry);  # up to max_retries times, {{or (.Value "retries") "4 as it comes"}}
  }
}
{{- end}}
{{- if or (.Tries "error") (and (.Has "retries") (not .On))}}
sub vcl_backend_error {
  return (retry);  # up to max_retries times, {{or (.Value "retries") "4 as it comes"}}
}
{{- end}}
