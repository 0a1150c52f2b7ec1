package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"labctl/topology/file"
)

func initCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE.yaml]",
		Short: "Write an example lab to start from",
		Long: `Write a lab with comments, to be changed into your own system. Without a name it
goes to stdout; a file that exists is left alone.`,
		Example: `  labctl init checkout.yaml
  labctl run checkout.yaml --engine sim`,
		GroupID: groupFile,
		Args:    atMostOne("say one file to write: labctl init checkout.yaml"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := s.out.Write(file.Example())
				return written(err)
			}
			if !isFile(args[0]) {
				return fmt.Errorf("%s: the name of a lab ends in .yaml", args[0])
			}
			if _, err := os.Stat(args[0]); err == nil {
				return fmt.Errorf("%s exists already: choose another name, or remove it first", args[0])
			}
			return write(args[0], file.Example())
		},
	}
}

func fmtCommand(s streams) *cobra.Command {
	var list bool
	c := &cobra.Command{
		Use:   "fmt FILE.yaml …",
		Short: "Write labs and policy files in their canonical form",
		Long: `Write labs and policy files in their canonical form, comments included. With --list it writes
nothing, names the files that would change, and ends with exit code 1 when there
are any.`,
		GroupID: groupFile,
		Args:    someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			changed := 0
			for _, name := range args {
				differs, err := format(s.out, name, list)
				if err != nil {
					return err
				}
				if differs {
					changed++
				}
			}
			if list && changed > 0 {
				return failed("%d of %s %s in canonical form: run labctl fmt", changed, plural(len(args), "file"), "not")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&list, "list", false, "only name the files that would change")
	return c
}

// format writes one file anew where that changes it.
func format(out io.Writer, name string, list bool) (changed bool, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return false, fmt.Errorf("cannot read %s: %w", name, unwrapPath(err))
	}
	formatted, err := file.Format(name, data)
	if err != nil || bytes.Equal(data, formatted) {
		return false, err
	}
	if list {
		_, err := fmt.Fprintln(out, name)
		return true, written(err)
	}
	return true, write(name, formatted)
}

func schemaCommand(s streams) *cobra.Command {
	schemas := map[string]func() []byte{"lab": file.Schema, "policy": file.PolicySchema}
	return &cobra.Command{
		Use:   "schema [lab|policy]",
		Short: "Print the JSON Schema of a lab, or of a policy file, for editors",
		Example: `  labctl schema > lab.schema.json
  labctl schema policy > policy.schema.json
  # yaml-language-server: $schema=lab.schema.json`,
		GroupID:   groupFile,
		ValidArgs: []string{"lab", "policy"},
		RunE: func(_ *cobra.Command, args []string) error {
			schema := file.Schema
			if len(args) > 0 {
				schema = schemas[args[0]]
			}
			if len(args) > 1 || schema == nil {
				return fmt.Errorf("no schema %q: labctl schema lab is that of a lab, labctl schema policy that of a policy file", strings.Join(args, " "))
			}
			_, err := s.out.Write(schema())
			return written(err)
		},
	}
}

// write puts a whole file in place, or nothing.
func write(name string, data []byte) error {
	o := output{file: name}
	sink, err := o.open(streams{})
	if err != nil {
		return err
	}
	defer sink.discard()
	if _, err := sink.w.Write(data); err != nil {
		return written(err)
	}
	return sink.commit()
}

func atMostOne(cure string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return errors.New(cure)
		}
		return nil
	}
}

func someFiles(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("say which files: labctl %s checkout.yaml", c.Name())
	}
	for _, name := range args {
		if !isFile(name) {
			return fmt.Errorf("%s: the name of a lab ends in .yaml", name)
		}
	}
	return nil
}
