package subjects

import (
	"context"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Subject is a client, or a proxy with a client that does not retry in front.
type Subject struct {
	Name  string // for files: "go-retryablehttp"
	Title string // for people: "hashicorp/go-retryablehttp, RetryMax 3, 100 to 400 ms"

	// Args is the command. {url} is its last argument, and {method}, {body}, {key} and
	// {warm} stand in it where the command takes them in any case, empty or not.
	Args []string

	// WithBody, WithKey and WithWarm are options in front of the URL that the command
	// takes only when there is such a thing.
	WithBody, WithKey, WithWarm []string

	// Version is a command that prints the version.
	Version []string

	Cure  string // how to get it
	Truth string // its name in the ground truth; "" when it has none
	Proxy string // the recipe of the proxy between Args and the tail; "" for none

	own bool // a program of this folder: it prints its version and nothing else
}

// A Call is what a subject is asked for.
type Call struct {
	Method, URL string
	Body, Key   string // "" for none
	Warm        string // where a first request goes, by the same client; "" for none
}

// Argv is the command line of a call. A Call of placeholders, {method} for the method and
// so on, gives a command line with all of them in it.
func (s Subject) Argv(c Call) []string {
	last := len(s.Args) - 1
	argv := slices.Clone(s.Args[:last])
	for _, option := range []struct {
		value string
		args  []string
	}{{c.Body, s.WithBody}, {c.Key, s.WithKey}, {c.Warm, s.WithWarm}} {
		if option.value != "" {
			argv = append(argv, option.args...)
		}
	}
	argv = append(argv, s.Args[last])
	values := strings.NewReplacer("{method}", c.Method, "{body}", c.Body, "{key}", c.Key, "{warm}", c.Warm, "{url}", c.URL)
	for i, arg := range argv {
		argv[i] = values.Replace(arg)
	}
	return argv
}

// patience is more than a Java or Node needs to say its version on a busy machine.
const patience = 20 * time.Second

// number finds a version among the words that programs put around theirs.
var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

// Installed asks the subject for its version. It is not installed when it cannot tell;
// Cure says what to do then.
func (s Subject) Installed() (version string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, s.Version[0], s.Version[1:]...).CombinedOutput()
	if err != nil {
		return "", false
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if s.own {
		return line, line != ""
	}
	version = number.FindString(line)
	return version, version != ""
}
