package subject_test

import (
	"slices"
	"strings"
	"testing"

	"labctl/audit/subject"
)

func TestWith(t *testing.T) {
	values := map[string]string{"url": "http://127.0.0.1:1/", "method": "POST", "body": `{"a":"{url}"}`, "key": ""}
	for _, tt := range []struct{ word, want string }{
		{"{url}", "http://127.0.0.1:1/"},
		{"--url={url}path", "--url=http://127.0.0.1:1/path"},
		{"{method}{method}", "POSTPOST"},
		{"{body}", `{"a":"{url}"}`},
		{"Idempotency-Key: {key}", "Idempotency-Key: "},
		{"{warm}", "{warm}"},
		{"{}{{url}}{ url }{URL}", "{}{http://127.0.0.1:1/}{ url }{URL}"},
		{"${url} $url {url", "${url} $url {url"},
		{`{"url": {"url"}}`, `{"url": {"url"}}`},
		{"", ""},
	} {
		c := subject.Command{Args: []string{"x", tt.word}}
		if got := c.With(values); !slices.Equal(got, []string{"x", tt.want}) {
			t.Errorf("%q: got %q, want %q", tt.word, got, tt.want)
		}
	}
}

func TestHas(t *testing.T) {
	for _, tt := range []struct{ command, want string }{
		{"curl {url}", "url"},
		{"curl -X{method} {warm} {url}x{url} -d{body}", "url warm method body"},
		{"curl ${url} {URL} {other}", ""},
		{"sh ${url}{url}", "url"},
		{"x {key}", "key"},
	} {
		c := subject.Command{Args: strings.Fields(tt.command)}
		for _, name := range []string{subject.URL, subject.Warm, subject.Method, subject.Body, subject.Key} {
			if got, want := c.Has(name), slices.Contains(strings.Fields(tt.want), name); got != want {
				t.Errorf("%s: {%s}: got %v, want %v", tt.command, name, got, want)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"curl", "{url}"}, ""},
		{[]string{"sh", "-c", "curl -s '{url}' >x"}, ""},
		{[]string{"env", "URL={url}", "./client"}, ""},
		{nil, "no command: write it behind two dashes, as in labctl audit -- curl -s {url}"},
		{[]string{""}, "no command: write it behind two dashes, as in labctl audit -- curl -s {url}"},
		{[]string{"curl -s {url}"}, "the command 'curl -s {url}' is one word with spaces in it: write its words without the quotes around all, or a shell line as sh -c 'curl -s {url}'"},
		{[]string{"curl", "-s"}, "the command has no {url}, so it would never reach the tail: write {url} where the address goes, as in labctl audit -- curl -s {url}; for a program that reads it from a variable, env NAME={url} curl"},
		{[]string{"sh", "-c", "curl ${url}"}, "the command has no {url}, and ${url} is the shell's: write {url} where the address goes, in single quotes"},
	} {
		got := ""
		if err := (subject.Command{Args: tt.args}).Check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.args, got, tt.want)
		}
	}
}
