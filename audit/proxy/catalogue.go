package proxy

// recipes lists all of them, in the order of a table.
func recipes() []Recipe {
	return []Recipe{nginx(), haproxy(), apache(), caddy(), squid(), varnish(), envoy()}
}

// serversOption is in every recipe.
var serversOption = Option{servers, Count, "balance over so many servers: the upstreams, again and again"}

func nginx() Recipe {
	return Recipe{
		Name: "nginx", Title: "nginx", Programs: []string{"nginx"}, Servers: 2,
		file: "nginx.conf", args: []string{"-e", "stderr", "-p", "{}", "-c", "{}/nginx.conf"}, version: []string{"-v"},
		words:  map[string]string{"error": "error", "timeout": "timeout", "malformed": "invalid_header"},
		status: "http_%s", between: " ",
		statuses: []string{"error", "timeout", "malformed", "500", "502", "503", "504", "429"},
		Options: []Option{
			serversOption,
			{retries, Count, "proxy_next_upstream_tries, which counts the first attempt too; 0 is no limit"},
			{on, List, "proxy_next_upstream"},
			{statuses, Flag, "proxy_next_upstream error timeout invalid_header http_500 http_502 http_503 http_504 http_429"},
			{nonIdempotent, Flag, "proxy_next_upstream … non_idempotent: a POST is tried again too"},
			{maxFails, Count, "max_fails of each server; 0 never takes one out"},
			{failTimeout, Span, "fail_timeout of each server, in whole seconds"},
			{readTimeout, Span, "proxy_read_timeout"},
			{tryDuration, Span, "proxy_next_upstream_timeout"},
			{keepAlive, Flag, "connections to the servers are used again, with HTTP/1.1"},
		},
	}
}

func haproxy() Recipe {
	return Recipe{
		Name: "haproxy", Title: "HAProxy", Programs: []string{"haproxy"}, Servers: 1,
		file: "haproxy.cfg", args: []string{"-db", "-f", "{}/haproxy.cfg"}, version: []string{"-v"},
		words:  map[string]string{"refused": "conn-failure", "error": "conn-failure empty-response", "timeout": "response-timeout", "malformed": "junk-response", "all": "all-retryable-errors"},
		status: "%s", between: " ",
		statuses: []string{"all"},
		Options: []Option{
			serversOption,
			{retries, Count, "retries"},
			{on, List, "retry-on"},
			{statuses, Flag, "retry-on all-retryable-errors"},
			{idempotentOnly, Flag, "http-request disable-l7-retry for POST and PATCH"},
			{redispatch, Flag, "option redispatch 1: a retry may go to another server"},
			{bufferRequest, Flag, "option http-buffer-request: a POST can be sent again however it came"},
			{readTimeout, Span, "timeout server"},
		},
	}
}

func apache() Recipe {
	return Recipe{
		Name: "apache", Title: "Apache httpd", Programs: []string{"apache2", "httpd"}, Servers: 2,
		file: "apache.conf", args: []string{"-f", "{}/apache.conf", "-D", "FOREGROUND"}, version: []string{"-v"},
		modules: []string{"unixd", "authz_core", "slotmem_shm", "proxy", "proxy_http", "proxy_balancer", "lbmethod_byrequests"},
		status:  "%s", between: ",",
		Options: []Option{
			serversOption,
			{retries, Count, "maxattempts of the balancer"},
			{on, List, "failonstatus: statuses only"},
			{failTimeout, Span, "retry of each member, in whole seconds: how long it is left out"},
			{readTimeout, Span, "timeout of each member, in whole seconds"},
		},
	}
}

func caddy() Recipe {
	return Recipe{
		Name: "caddy", Title: "Caddy", Programs: []string{"caddy"}, Servers: 2,
		file: "Caddyfile", args: []string{"run", "--config", "{}/Caddyfile", "--adapter", "caddyfile"}, version: []string{"version"},
		env: []string{"HOME={}", "XDG_CONFIG_HOME={}", "XDG_DATA_HOME={}"},
		Options: []Option{
			serversOption,
			{retries, Count, "lb_retries"},
			{tryDuration, Span, "lb_try_duration"},
			{nonIdempotent, Flag, "lb_retry_match: any method is tried again"},
			{maxFails, Count, "max_fails of each server; only with a fail-timeout"},
			{failTimeout, Span, "fail_duration"},
			{readTimeout, Span, "response_header_timeout"},
		},
	}
}

func squid() Recipe {
	return Recipe{
		Name: "squid", Title: "Squid", Programs: []string{"squid"}, Servers: 2,
		file: "squid.conf", args: []string{"-N", "-d", "0", "-f", "{}/squid.conf"}, version: []string{"-v"},
		more: squidArgs, abrupt: true, leaves: squidShared,
		Options: []Option{
			serversOption,
			{retries, Count, "forward_max_tries, which counts the first attempt too"},
			{connectRetries, Count, "connect_retries"},
			{statuses, Flag, "retry_on_error on"},
			{readTimeout, Span, "read_timeout, in whole seconds"},
		},
	}
}

func varnish() Recipe {
	return Recipe{
		Name: "varnish", Title: "Varnish", Programs: []string{"varnishd"}, Servers: 1,
		file: "varnish.vcl", version: []string{"-V"},
		args: []string{"-F", "-f", "{}/varnish.vcl", "-n", "{}/work", "-s", "malloc,8m", "-T", "none"}, more: varnishArgs,
		words: map[string]string{"error": "error"}, status: "%s", between: " ",
		Options: []Option{
			serversOption,
			{retries, Count, "return (retry) on errors and statuses from 500, with max_retries"},
			{on, List, "what return (retry) is for: error, statuses"},
			{bufferRequest, Flag, "std.cache_req_body: a body that is kept can be sent again"},
			{readTimeout, Span, "first_byte_timeout"},
		},
	}
}

func envoy() Recipe {
	return Recipe{
		Name: "envoy", Title: "Envoy", Programs: []string{"envoy"}, Servers: 1,
		file: "envoy.yaml", version: []string{"--version"},
		args:   []string{"-c", "{}/envoy.yaml", "--concurrency", "1", "--disable-hot-restart", "--log-level", "warning"},
		words:  map[string]string{"error": "connect-failure,refused-stream,reset", "timeout": "reset"},
		status: "retriable-status-codes", between: ",",
		statuses: []string{"error", "500", "502", "503", "504", "429"},
		Options: []Option{
			serversOption,
			{retries, Count, "num_retries"},
			{on, List, "retry_on"},
			{statuses, Flag, "retry_on connect-failure,refused-stream,reset,retriable-status-codes: 500, 502, 503, 504, 429"},
			{readTimeout, Span, "per_try_timeout; only with retries or on"},
			{tryDuration, Span, "timeout of the route, over all attempts"},
		},
	}
}

// squidArgs name the service, which names its shared memory: that of a Squid that is in
// service on this machine must not be touched.
func squidArgs(f fill) []string { return []string{"-n", "labctl" + f.Port} }

// squidShared is where Squid keeps its shared memory on Linux.
func squidShared(f fill) string { return "/dev/shm/labctl" + f.Port + "-*.shm" }

// varnishArgs depend on options and on who runs it.
func varnishArgs(f fill) []string {
	args := []string{"-a", f.Listen}
	if f.Root {
		args = append(args, "-j", "none") // or its worker could not use the folder
	}
	if f.Has(retries) {
		args = append(args, "-p", "max_retries="+f.Value(retries))
	}
	return args
}
