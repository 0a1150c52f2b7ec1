package main

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"

	"labctl/audit"
	"labctl/audit/proxy"
	auditrun "labctl/audit/run"
	"labctl/audit/subject"
	"labctl/internal/suggest"
)

// auditFlags say whom to ask, and what.
type auditFlags struct {
	name, post  string
	release     string // of the subject
	faults      []string
	methods     []string
	connections []string
	time        time.Duration
	parallel    int
	repeats     int
	failOn      string

	proxies  []string
	through  string
	upstream []string
	layers   bool
	recipes  bool
}

func (f *auditFlags) subject(c *cobra.Command) flagGroup {
	flags := newFlags()
	flags.StringVar(&f.name, "name", "", "`name` of the subject in the report (default the command)")
	flags.StringVar(&f.release, "subject-version", "", "`version` of the subject in the report (default what an installed program says of itself)")
	flags.StringVar(&f.post, "post", "", "a second `command` in quotes, for the probes with POST and PUT: 'curl -s -d {body} {url}'")
	flags.DurationVar(&f.time, "time", auditrun.DefaultTime, "how long one trial may take, a `time`; a client that waits longer between attempts needs more")
	flags.IntVar(&f.parallel, "parallel", 0, fmt.Sprintf("`number` of trials side by side (default %d; fewer with proxies, and where programs take long to start)", auditrun.DefaultParallel))
	c.Flags().AddFlagSet(flags)
	return flagGroup{"Subject:", flags}
}

func (f *auditFlags) probes(c *cobra.Command) flagGroup {
	flags := newFlags()
	flags.StringArrayVar(&f.faults, "fault", nil, "ask about this `fault` only, a name of the report or a fault program such as 503x3,ok; may stand several times")
	flags.StringSliceVar(&f.methods, "method", nil, "`methods` to ask with: GET, POST, PUT, POST+key (default all that the command has a place for)")
	flags.StringSliceVar(&f.connections, "connection", nil, "`kind` of connections: fresh, reused (default both)")
	flags.IntVar(&f.repeats, "repeats", auditrun.DefaultTrials, "`number` of trials to infer the law of a jitter from, where there is one")
	flags.StringVar(&f.failOn, "fail-on", "", "exit with 1 on a finding of this `severity` or worse: danger, risk or note")
	c.Flags().AddFlagSet(flags)
	return flagGroup{"Probes:", flags}
}

func (f *auditFlags) path(c *cobra.Command) flagGroup {
	flags := newFlags()
	flags.StringArrayVar(&f.proxies, "proxy", nil, "start this `proxy` in between, with options behind a colon: nginx:statuses; several stand outermost first; known are "+strings.Join(proxy.Names(), ", "))
	flags.BoolVar(&f.recipes, "recipes", false, "list the proxies and their options, or print the configuration of those in --proxy, and do nothing else")
	flags.BoolVar(&f.layers, "layers", false, "count in front of each proxy too, alone and together, and say who multiplies")
	flags.StringVar(&f.through, "through", "", "send the requests through a proxy of yours at this `URL`, whose upstreams are those of --upstream")
	flags.StringSliceVar(&f.upstream, "upstream", nil, "`addresses` (host:port) on which the tail listens for --through")
	c.Flags().AddFlagSet(flags)
	return flagGroup{"What lies between (all on this machine):", flags}
}

// job checks everything that can be wrong before anything starts.
func (f *auditFlags) job(c *cobra.Command, args []string) (auditJob, error) {
	path, err := f.between()
	if err != nil {
		return auditJob{}, err
	}
	j := auditJob{repeats: f.repeats, command: args, failOn: audit.Severity(f.failOn)}
	if j.failOn != "" && !j.failOn.Known() {
		return j, fmt.Errorf("--fail-on %q: choose danger, risk or note", f.failOn)
	}
	if f.time <= 0 || f.parallel < 0 || f.repeats < 1 {
		return j, fmt.Errorf("--time, --parallel and --repeats want more than 0")
	}
	j.plan = auditrun.Plan{Path: path, Time: f.time, Parallel: f.parallel}
	methods, err := f.caller(&j, args)
	if err != nil {
		return j, err
	}
	choice, err := f.choice(methods)
	if err != nil {
		return j, err
	}
	j.plan.Probes = choice.Probes()
	j.subject = f.subjectName(args)
	if f.layers {
		j.chains = j.plan.Prefixes()
	}
	j.version = f.versionOf(c, args)
	return j, nil
}

// caller is the command, or the lab itself where there is none but a proxy.
func (f *auditFlags) caller(j *auditJob, args []string) (methods []auditrun.Method, err error) {
	if len(args) == 0 {
		if len(f.proxies) == 0 && f.through == "" {
			return nil, subject.Command{}.Check()
		}
		j.plan.Caller = auditrun.Direct{}
		return []auditrun.Method{{Name: "GET"}, {Name: "POST"}, {Name: "POST", Keyed: true}, {Name: "PUT"}}, nil
	}
	command := auditrun.Program{Command: subject.Command{Args: args}}
	if err := command.Command.Check(); err != nil {
		return nil, err
	}
	if f.post != "" {
		words, err := shellwords.Parse(f.post)
		if err != nil {
			return nil, fmt.Errorf("--post: %w: write the command as in a shell, without pipes or variables", err)
		}
		if command.Post = (subject.Command{Args: words}); command.Post.Check() != nil {
			return nil, fmt.Errorf("--post: %w", command.Post.Check())
		}
	}
	j.plan.Caller = command
	return methodsOf(command), nil
}

// methodsOf are those that the words of a command have a place for.
func methodsOf(p auditrun.Program) []auditrun.Method {
	has := func(name string) bool { return p.Command.Has(name) || p.Post.Has(name) }
	switch {
	case p.Command.Has(subject.Method):
		methods := []auditrun.Method{{Name: "GET"}, {Name: "POST"}}
		if has(subject.Key) {
			methods = append(methods, auditrun.Method{Name: "POST", Keyed: true})
		}
		return append(methods, auditrun.Method{Name: "PUT"})
	case len(p.Post.Args) > 0 && has(subject.Key):
		return []auditrun.Method{{Name: "GET"}, {Name: "POST"}, {Name: "POST", Keyed: true}}
	case len(p.Post.Args) > 0:
		return []auditrun.Method{{Name: "GET"}, {Name: "POST"}}
	}
	return []auditrun.Method{{}}
}

// choice is which probes there will be.
func (f *auditFlags) choice(methods []auditrun.Method) (auditrun.Choice, error) {
	c := auditrun.Choice{Methods: methods}
	for _, name := range f.faults {
		fault, err := faultOf(name)
		if err != nil {
			return c, err
		}
		c.Faults = append(c.Faults, fault)
	}
	for _, word := range f.connections {
		on := audit.Connection(word)
		if on != audit.Fresh && on != audit.Reused {
			return c, fmt.Errorf("--connection %q: choose fresh or reused", word)
		}
		c.Connections = append(c.Connections, on)
	}
	if len(f.methods) == 0 {
		return c, nil
	}
	c.Methods = nil
	for _, word := range f.methods {
		name, keyed := strings.CutSuffix(strings.ToUpper(word), "+KEY")
		m := auditrun.Method{Name: name, Keyed: keyed}
		if own := (auditrun.Method{}); m.Name == "GET" && slices.Contains(methods, own) {
			m = own // its own method is what it sends, and most likely this one
		}
		if !slices.Contains(methods, m) {
			return c, fmt.Errorf("--method %s: the command has no place for it: write {method} (and {key}) in it, or give --post", word)
		}
		c.Methods = append(c.Methods, m)
	}
	return c, nil
}

// faultOf reads a name of the catalogue, or a fault program.
func faultOf(text string) (audit.Fault, error) {
	if f, known := audit.FaultNamed(text); known {
		return f, nil
	}
	f, err := auditrun.FaultOf(text)
	if err != nil {
		var names []string
		for _, known := range audit.Catalogue() {
			names = append(names, known.Name)
		}
		if hint := suggest.DidYouMean(text, names); hint != "" {
			return f, fmt.Errorf("--fault %q: no such fault%s", text, hint)
		}
		return f, fmt.Errorf("--fault %q is no fault of the report, such as refused, and no fault program: %w", text, err)
	}
	return f, nil
}

// between is what lies between the subject and the tail.
func (f *auditFlags) between() (auditrun.Path, error) {
	switch {
	case f.through != "" && len(f.proxies) > 0:
		return auditrun.Path{}, fmt.Errorf("--through and --proxy are two ways to put a proxy in between: keep one")
	case f.through != "":
		return f.ownProxy()
	case len(f.upstream) > 0:
		return auditrun.Path{}, fmt.Errorf("--upstream says where the tail listens for a proxy of yours: add --through URL")
	case f.layers && len(f.proxies) == 0:
		return auditrun.Path{}, fmt.Errorf("--layers counts in front of each proxy: add --proxy, outermost first")
	}
	var path auditrun.Path
	for _, text := range f.proxies {
		recipe, options, err := proxy.Parse(text)
		if err != nil {
			return path, fmt.Errorf("--proxy %s: %w", text, err)
		}
		if _, found := proxy.Installed(recipe); !found {
			return path, environment(fmt.Errorf("--proxy %s: it is not installed: install it, or start it yourself and use --through", text))
		}
		path.Proxies = append(path.Proxies, auditrun.Proxy{Recipe: recipe, Options: options})
	}
	return path, nil
}

func (f *auditFlags) ownProxy() (auditrun.Path, error) {
	u, err := url.Parse(f.through)
	if err != nil || u.Host == "" || u.Scheme != "http" {
		return auditrun.Path{}, fmt.Errorf("--through %q: write it as http://host:port/path", f.through)
	}
	if f.layers {
		return auditrun.Path{}, fmt.Errorf("--layers starts the proxies itself: use --proxy in place of --through")
	}
	if len(f.upstream) == 0 {
		return auditrun.Path{}, fmt.Errorf("--through needs the addresses that the proxy sends to: add --upstream 127.0.0.1:9001")
	}
	for _, address := range f.upstream {
		if _, _, err := net.SplitHostPort(address); err != nil {
			return auditrun.Path{}, fmt.Errorf("--upstream %q: write it as host:port", address)
		}
	}
	return auditrun.Path{Through: f.through, Upstreams: f.upstream}, nil
}

// subjectName is how the report calls the subject.
func (f *auditFlags) subjectName(args []string) string {
	if f.name != "" {
		return f.name
	}
	var words []string
	for i, word := range args {
		if i == 0 {
			word = filepath.Base(word)
		}
		if !strings.Contains(word, "{"+subject.URL+"}") && !strings.Contains(word, "{"+subject.Warm+"}") {
			words = append(words, word)
		}
	}
	words = append(words, f.proxies...)
	if f.through != "" {
		words = append(words, "proxy at "+f.through)
	}
	return strings.Join(words, " ")
}

// versionOf asks the program which version it is, where nobody said it; a proxy where that
// is the subject.
func (f *auditFlags) versionOf(c *cobra.Command, args []string) string {
	switch {
	case f.release != "":
		return f.release
	case len(args) > 0:
		return subject.Version(c.Context(), args)
	}
	if len(f.proxies) == 1 {
		if recipe, _, err := proxy.Parse(f.proxies[0]); err == nil {
			return proxy.Version(c.Context(), recipe)
		}
	}
	return ""
}
