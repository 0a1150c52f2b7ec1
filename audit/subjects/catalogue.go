package subjects

import (
	"path/filepath"
	"slices"
)

// All lists the subjects whose own programs were built in dir, which is the folder build
// of this package's. Some may not be installed: ask each.
func All(dir string) []Subject {
	return slices.Concat(curls(), wgets(), goPrograms(dir), nodePrograms(dir), pythonPrograms(dir), javaPrograms(dir), proxies())
}

// Named finds a subject.
func Named(dir, name string) (Subject, bool) {
	all := All(dir)
	i := slices.IndexFunc(all, func(s Subject) bool { return s.Name == name })
	if i < 0 {
		return Subject{}, false
	}
	return all[i], true
}

// What gets a subject.
const (
	fromDebian = "install it: make audits-deps"
	fromMake   = "build it: make subjects"
	fromBoth   = "install it and build it: make audits-deps subjects"
)

// curl is curl with a timeout of a second for each attempt, as most subjects have.
func curl(name, title, truth string, options ...string) Subject {
	return Subject{
		Name: name, Title: title, Truth: truth, Cure: fromDebian,
		Args:     slices.Concat([]string{"curl", "-sS", "-m", "1"}, options, []string{"{url}"}),
		WithBody: []string{"-X", "{method}", "-d", "{body}"},
		WithKey:  []string{"-H", "Idempotency-Key: {key}"},
		WithWarm: []string{"{warm}"},
		Version:  []string{"curl", "--version"},
	}
}

func curls() []Subject {
	return []Subject{
		curl("curl", "curl", "curl"),
		curl("curl-retry", "curl --retry 3", "curl --retry 3", "--retry", "3"),
		curl("curl-retry-f-null", "curl --retry 3 -f -o /dev/null", "curl --retry 3 -f -o /dev/null", "--retry", "3", "-f", "-o", "/dev/null"),
		curl("curl-retry-null", "curl --retry 3 -o /dev/null", "curl --retry 3 -o /dev/null", "--retry", "3", "-o", "/dev/null"),
		curl("curl-retry-all", "curl --retry 3 --retry-all-errors -f", "curl --retry 3 --retry-all-errors -f", "--retry", "3", "--retry-all-errors", "-f"),
		curl("curl-retry-connrefused", "curl --retry 3 --retry-connrefused", "", "--retry", "3", "--retry-connrefused"),
		curl("curl-retry-max-time", "curl --retry 10 --retry-max-time 10", "", "--retry", "10", "--retry-max-time", "10"),
	}
}

func wgets() []Subject {
	return []Subject{{
		Name: "wget", Title: "wget --tries=3", Truth: "wget --tries=3", Cure: fromDebian,
		Args:     []string{"wget", "-q", "-O", "/dev/null", "-T", "1", "--tries=3", "{url}"},
		WithBody: []string{"--method={method}", "--body-data={body}"},
		WithKey:  []string{"--header=Idempotency-Key: {key}"},
		WithWarm: []string{"{warm}"},
		Version:  []string{"wget", "--version"},
	}}
}

// program is one of this folder's: command and client, and the arguments that all of
// them take.
func program(name, title, truth, cure string, command ...string) Subject {
	return Subject{
		Name: name, Title: title, Truth: truth, Cure: cure, own: true,
		Args:    slices.Concat(command, []string{"{method}", "{body}", "{key}", "{warm}", "{url}"}),
		Version: slices.Concat(command, []string{"version"}),
	}
}

func goPrograms(dir string) []Subject {
	now, before := filepath.Join(dir, "subjects"), filepath.Join(dir, "subjects-before")
	library := func(name, title, truth, binary, client string) Subject {
		return program(name, title, truth, fromMake, binary, client)
	}
	keyed := library("go-net-http-key", "Go net/http, Idempotency-Key", "go net/http + Idempotency-Key", now, "net/http")
	keyed.Args[slices.Index(keyed.Args, "{key}")] = "a-key-of-its-own"
	return []Subject{
		library("go-net-http", "Go net/http", "go net/http", now, "net/http"),
		keyed,
		library("go-retryablehttp", "hashicorp/go-retryablehttp, RetryMax 3, 100 to 400 ms", "go go-retryablehttp RetryMax=3 100..400ms", now, "retryablehttp"),
		library("go-backoff", "cenkalti/backoff, 3 retries", "go cenkalti/backoff + net/http", now, "backoff"),
		library("go-retry-go", "avast/retry-go, 4 attempts", "", now, "retry-go"),
		library("go-failsafe", "failsafe-go, its policy for HTTP", "go failsafehttp NewRetryPolicyBuilder()", now, "failsafe"),
		library("go-dynamodb", "aws-sdk-go-v2 dynamodb", "go aws-sdk-go-v2 dynamodb", now, "dynamodb"),
		library("go-dynamodb-before", "aws-sdk-go-v2 dynamodb, before November 2026", "", before, "dynamodb"),
		library("go-rewind", "a loop that makes each request anew", "", now, "rewind"),
		library("go-no-rewind", "a loop that sends one request again", "", now, "no-rewind"),
	}
}

func nodePrograms(dir string) []Subject {
	script := func(name, title, truth string) Subject {
		return program("node-"+name, title, truth, fromBoth, "node", filepath.Join(dir, "node", name+".mjs"))
	}
	return []Subject{
		script("undici", "undici RetryAgent", "node undici RetryAgent"),
		script("got", "got", "node got"),
		script("axios", "axios-retry", "node axios-retry (default)"),
	}
}

// pythonPrograms are those of Debian, which are for Debian's interpreter whatever python3
// comes first in the PATH, and one for that one.
func pythonPrograms(dir string) []Subject {
	const debian, first = "/usr/bin/python3", "python3"
	script := func(name, title, truth, python, file string) Subject {
		return program("python-"+name, title, truth, fromBoth, python, filepath.Join(dir, "python", file+".py"))
	}
	return []Subject{
		script("urllib3", "urllib3 PoolManager", "python urllib3 PoolManager (default Retry(3))", debian, "urllib3_default"),
		script("urllib3-retry", "urllib3 Retry(3), backoff .2, statuses", "python urllib3 Retry(3,backoff .2,status_forcelist)", first, "urllib3_retry"),
		script("requests", "requests HTTPAdapter(max_retries=3)", "python requests HTTPAdapter(max_retries=3)", debian, "requests_adapter"),
	}
}

func javaPrograms(dir string) []Subject {
	class := func(name, title, truth, class string) Subject {
		return program("java-"+name, title, truth, fromBoth, "java", "-cp", filepath.Join(dir, "java"), class)
	}
	return []Subject{
		class("urlconnection", "java HttpURLConnection", "java HttpURLConnection", "UrlConnection"),
		class("httpclient", "java.net.http.HttpClient", "java HttpClient", "JdkClient"),
	}
}

// proxies have a curl in front that does not retry and waits longer than they do.
func proxies() []Subject {
	proxy := func(name, recipe, title, truth string, version ...string) Subject {
		s := curl(name, title, truth)
		s.Args = []string{"curl", "-sS", "{url}"}
		s.Proxy, s.Version = recipe, version
		return s
	}
	return []Subject{
		proxy("nginx", "nginx:read-timeout=1s", "nginx, 2 upstreams", "nginx 2 upstreams (default)", "nginx", "-v"),
		proxy("nginx-statuses", "nginx:statuses,read-timeout=1s", "nginx, 2 upstreams, statuses", "nginx 2 upstreams + statuses", "nginx", "-v"),
		proxy("haproxy", "haproxy:retries=3,statuses,read-timeout=1s", "HAProxy, retries 3, all-retryable-errors", "haproxy retries 3 all-retryable-errors", "haproxy", "-v"),
		proxy("caddy", "caddy:retries=3,read-timeout=1s", "Caddy, 2 upstreams, lb_retries 3", "caddy 2 upstreams lb_retries 3", "caddy", "version"),
	}
}
