// Command audits audits every subject of the catalogue that is installed, with the labctl
// that it is given, and writes what was found to a folder: a policy, a report and the JSON
// of each, and an index of all.
//
// Run it by make audits, which builds what it needs. It takes about a minute for each
// subject, of which it asks a few at a time.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"labctl/audit"
	"labctl/audit/card"
	"labctl/audit/subjects"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	j := job{}
	flag.StringVar(&j.labctl, "labctl", "./labctl", "the program that audits")
	flag.StringVar(&j.build, "build", "audit/subjects/build", "where the subjects' programs were built")
	flag.StringVar(&j.out, "o", "results/audits", "where the results go")
	atOnce := flag.Int("at-once", 2, "how many subjects are audited side by side")
	flag.Parse()
	if err := j.all(ctx, flag.Args(), *atOnce); err != nil {
		fmt.Fprintln(os.Stderr, "audits:", err)
		os.Exit(1)
	}
}

type job struct{ labctl, build, out string }

// all audits the subjects with these names, or every one.
func (j job) all(ctx context.Context, names []string, atOnce int) error {
	if err := os.MkdirAll(j.out, 0o777); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, s := range subjects.All(j.build) {
		if len(names) > 0 && !slices.Contains(names, s.Name) {
			continue
		}
		version, installed := s.Installed()
		if !installed {
			fmt.Printf("skipped  %s: %s\n", s.Title, s.Cure)
			continue
		}
		group.Go(func() error { return j.one(ctx, s, version) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return j.index()
}

// one audits a subject.
func (j job) one(ctx context.Context, s subjects.Subject, version string) error {
	base := filepath.Join(j.out, card.FileName(audit.Audit{Subject: s.Title, Version: version}))
	args := []string{
		"audit", "--quiet", "--name", s.Title, "--subject-version", version,
		"-o", base + ".json", "-o", base + ".md", "-o", base + ".yaml",
	}
	if s.Proxy != "" {
		args = append(args, "--proxy", s.Proxy)
	} else {
		argv := s.Argv(placeholders(s))
		args = append(append(append(args, methods(argv)...), "--"), argv...)
	}
	if err := j.run(ctx, args...); err != nil {
		return fmt.Errorf("%s: %w", s.Title, err)
	}
	fmt.Printf("audited  %s %s\n", s.Title, version)
	return nil
}

// methods are those that the words have a place for, but for PUT: it tells little that a
// POST does not.
func methods(argv []string) []string {
	words := strings.Join(argv, " ")
	switch {
	case !strings.Contains(words, "{method}"):
		return nil
	case strings.Contains(words, "{key}"):
		return []string{"--method", "GET,POST,POST+key"}
	}
	return []string{"--method", "GET,POST"}
}

// placeholders asks for a command line with all that the subject has a place for. curl
// takes -o for its first URL only, so that with a warm-up it would be another command.
func placeholders(s subjects.Subject) subjects.Call {
	c := subjects.Call{Method: "{method}", Body: "{body}", Key: "{key}", Warm: "{warm}", URL: "{url}"}
	if slices.Contains(s.Args, "-o") {
		c.Warm = ""
	}
	return c
}

// index writes the table of all audits in the folder.
func (j job) index() error {
	files, err := filepath.Glob(filepath.Join(j.out, "*.json"))
	if err != nil {
		return err
	}
	var all []audit.Audit
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		a, err := card.Read(data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, a)
	}
	var table bytes.Buffer
	if err := card.Index(&table, all); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(j.out, "README.md"), table.Bytes(), 0o666)
}

func (j job) run(ctx context.Context, args ...string) error {
	var said bytes.Buffer
	c := exec.CommandContext(ctx, j.labctl, args...)
	c.Stdout, c.Stderr = &said, &said
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	if err := c.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}
