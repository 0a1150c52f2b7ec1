package proxy

import (
	"embed"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// A Setup is what a proxy is to do.
type Setup struct {
	Listen    string            // host:port
	Upstreams []string          // host:port, one or several
	Options   map[string]string // of the recipe; see [Parse]

	// Dir is the folder of the files, and where the program keeps its own. [Start] makes
	// one.
	Dir string
	// Root says that it is the superuser who runs the program. Start knows.
	Root bool
	// ModuleDir is where Apache keeps its modules. Start finds it.
	ModuleDir string
}

// A Config is what a program needs to run as the setup says.
type Config struct {
	Files map[string]string // by their names in the folder
	Args  []string
	Env   []string

	// Leaves is a pattern of files that the program may leave outside of the folder, or "".
	Leaves string
}

//go:embed recipes
var texts embed.FS

var templates = template.Must(template.ParseFS(texts, "recipes/*"))

// Config writes the configuration. It depends on the setup alone and touches nothing.
func (r Recipe) Config(s Setup) (Config, error) {
	if err := r.check(s.Options); err != nil {
		return Config{}, err
	}
	f, err := newFill(r, s)
	if err != nil {
		return Config{}, fmt.Errorf("proxy %s: %w", r.Name, err)
	}
	var text strings.Builder
	if err := templates.ExecuteTemplate(&text, r.file, f); err != nil {
		return Config{}, fmt.Errorf("proxy %s: %w", r.Name, err)
	}
	c := Config{Files: map[string]string{r.file: text.String()}, Args: inDir(r.args, s.Dir), Env: inDir(r.env, s.Dir)}
	if r.more != nil {
		c.Args = append(c.Args, r.more(f)...)
	}
	if r.leaves != nil {
		c.Leaves = r.leaves(f)
	}
	return c, nil
}

// inDir puts the folder in its places.
func inDir(words []string, dir string) []string {
	var out []string
	for _, w := range words {
		out = append(out, strings.ReplaceAll(w, "{}", dir))
	}
	return out
}

// A server is one that the proxy balances over.
type server struct {
	N                int // from 1
	Addr, Host, Port string
	Alias            string // the address, written so that each server's is another
}

// A fill is what the templates see.
type fill struct {
	Setup
	Host, Port string // of Listen
	Servers    []server
	Modules    []string
	On         []string // what is tried again, in words of on=; none where the program's default holds

	recipe Recipe
}

func newFill(r Recipe, s Setup) (fill, error) {
	f := fill{Setup: s, Modules: r.modules, recipe: r}
	var err error
	if f.Host, f.Port, err = net.SplitHostPort(s.Listen); err != nil {
		return f, fmt.Errorf("where to listen must be host:port: %w", err)
	}
	if len(s.Upstreams) == 0 {
		return f, fmt.Errorf("no upstream: name one host:port at least")
	}
	n := max(r.Servers, len(s.Upstreams))
	if f.Has(servers) {
		n, _ = strconv.Atoi(f.Value(servers)) // checked
	}
	for i := range n {
		one, err := newServer(i, s.Upstreams)
		if err != nil {
			return f, err
		}
		f.Servers = append(f.Servers, one)
	}
	switch {
	case f.Has(on):
		f.On = strings.Split(f.Value(on), "+")
	case f.Has(statuses):
		f.On = r.statuses
	}
	return f, nil
}

// aliases are ways to write 127.0.0.1. Apache takes two members with one address for one.
var aliases = []string{"127.0.0.1", "127.1", "127.0.1", "127.000.000.001"}

func newServer(i int, upstreams []string) (server, error) {
	addr := upstreams[i%len(upstreams)]
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return server{}, fmt.Errorf("an upstream must be host:port: %w", err)
	}
	s := server{N: i + 1, Addr: addr, Host: host, Port: port, Alias: addr}
	if round := i / len(upstreams); host == aliases[0] && round < len(aliases) {
		s.Alias = net.JoinHostPort(aliases[round], port)
	}
	return s, nil
}

// Has reports whether an option is set.
func (f fill) Has(option string) bool {
	_, set := f.Options[option]
	return set
}

// Value is that of an option, or "".
func (f fill) Value(option string) string { return f.Options[option] }

// Plus is the value of a count and n more.
func (f fill) Plus(option string, n int) int {
	value, _ := strconv.Atoi(f.Value(option)) // checked
	return value + n
}

// Words are what is tried again, in the program's language.
func (f fill) Words() string {
	var own []string
	for _, w := range f.On {
		word, _ := f.recipe.word(w) // checked
		if !slices.Contains(own, word) {
			own = append(own, word)
		}
	}
	return strings.Join(own, f.recipe.between)
}

// Statuses are those among what is tried again.
func (f fill) Statuses() []string {
	return slices.DeleteFunc(slices.Clone(f.On), func(w string) bool {
		_, err := strconv.Atoi(w)
		return err != nil
	})
}

// Tries reports whether a word is among what is tried again.
func (f fill) Tries(word string) bool { return slices.Contains(f.On, word) }

// Milliseconds is a duration that an option gives, or "".
func (f fill) Milliseconds(option string) string {
	return f.in(option, time.Millisecond)
}

// Seconds is the same in whole seconds, and one at least.
func (f fill) Seconds(option string) string { return f.in(option, time.Second) }

func (f fill) in(option string, unit time.Duration) string {
	d, err := time.ParseDuration(f.Value(option))
	if err != nil {
		return "" // not set: the others were checked
	}
	return strconv.FormatInt(int64((d+unit-1)/unit), 10)
}

// Span is the same as YAML has durations of protocol buffers: "1.5s".
func (f fill) Span(option string) string {
	d, err := time.ParseDuration(f.Value(option))
	if err != nil {
		return ""
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}
