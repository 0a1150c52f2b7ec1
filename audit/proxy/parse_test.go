package proxy

import (
	"fmt"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"nginx", "nginx map[] <nil>"},
		{"nginx:statuses,max-fails=0", "nginx map[max-fails:0 statuses:] <nil>"},
		{"haproxy:on=refused+503,read-timeout=1s", "haproxy map[on:refused+503 read-timeout:1s] <nil>"},
		{"ngnix", ` map[] no recipe for the proxy "ngnix": there are nginx, haproxy, apache, caddy, squid, varnish, envoy`},
		{"", ` map[] no recipe for the proxy "": there are nginx, haproxy, apache, caddy, squid, varnish, envoy`},
		{"squid:", `squid map[:] proxy squid has no option "": it knows servers=N, retries=N, connect-retries=N, statuses, read-timeout=1s`},
		{"varnish:on=timeout", `varnish map[on:timeout] proxy varnish: option on: "timeout" is nothing that it can try again: it knows error+503`},
		{"varnish:max-fails=3", `varnish map[max-fails:3] proxy varnish has no option "max-fails": it knows servers=N, retries=N, on=error+503, buffer-request, read-timeout=1s`},
		{"nginx:statuses=1", `nginx map[statuses:1] proxy nginx: option statuses: it takes no value, and has "1"`},
		{"nginx:retries", `nginx map[retries:] proxy nginx: option retries: "" is not a number from 0 to 100`},
		{"nginx:retries=101", `nginx map[retries:101] proxy nginx: option retries: "101" is not a number from 0 to 100`},
		{"nginx:servers=0", `nginx map[servers:0] proxy nginx: option servers: "0" is not a number from 1 to 100`},
		{"nginx:read-timeout=1", `nginx map[read-timeout:1] proxy nginx: option read-timeout: "1" is not a duration from 1ms to 1h`},
		{"nginx:on=503,statuses", `nginx map[on:503 statuses:] proxy nginx: on and statuses say the same thing: use one`},
		{"nginx:on=200", `nginx map[on:200] proxy nginx: option on: "200" is nothing that it can try again: it knows error+malformed+timeout+503`},
		{"nginx:retries=1,retries=2", ` map[] proxy nginx: the option retries is there twice: leave one out`},
	} {
		r, options, err := Parse(tt.text)
		if got := fmt.Sprint(r.Name, " ", options, " ", err); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// Options that two recipes share are of one kind, and every recipe is complete.
func TestOneVocabulary(t *testing.T) {
	kinds := map[string]Kind{}
	for _, r := range recipes() {
		if r.Title == "" || len(r.Programs) == 0 || r.Servers == 0 || templates.Lookup(r.file) == nil {
			t.Errorf("%s is not complete", r.Name)
		}
		for _, o := range r.Options {
			if first, ok := kinds[o.Name]; ok && first != o.Kind || o.Doc == "" {
				t.Errorf("%s: option %s is %s here and %s elsewhere, and means %q", r.Name, o.Name, o.Kind, first, o.Doc)
			}
			kinds[o.Name] = o.Kind
		}
	}
}
