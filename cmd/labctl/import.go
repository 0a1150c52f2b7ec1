package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"labctl/internal/suggest"
	"labctl/topology/file"
	"labctl/topology/imports"
)

func importCommand(s streams) *cobra.Command {
	var o output
	var chain []string
	c := &cobra.Command{
		Use:   "import FORMAT FILES… [FORMAT FILES…]",
		Short: "Make a lab of retry settings that you already have",
		Long: `Read the retry settings of a mesh, a proxy or a client library, YAML or JSON, and
write the lab that they make. The formats are istio (VirtualService and
DestinationRule), envoy (bootstrap, route configurations, /config_dump),
grpc-service-config, and gateway-api (HTTPRoute). A file - is stdin.

Each host that is called becomes a service, and what is set for it the policies of
the call to it. Files do not say who calls whom: --chain does, from the client on;
without it the client calls every host. Where two formats speak of one host, the
one that is named first stands outside.

What the files say and the lab does not is listed in comments at its head; with -o
on stderr as well.`,
		Example: `  labctl import istio mesh.yaml -o lab.yaml
  labctl import grpc-service-config payments.json istio mesh.yaml --chain client,web,payments -o lab.yaml
  labctl bound lab.yaml`,
		GroupID:   groupFile,
		ValidArgs: imports.Formats(),
		RunE: func(_ *cobra.Command, args []string) error {
			return importLab(s, &o, args, chain)
		},
	}
	onceVarP(c.Flags(), &o.file, "output", "o", "`FILE.yaml` to write; stdout without it")
	c.Flags().StringSliceVar(&chain, "chain", nil, "`HOSTS` in the order of calls, such as client,web,orders")
	return c
}

func importLab(s streams, o *output, args, chain []string) error {
	named, err := filesByFormat(args)
	if err != nil {
		return err
	}
	if o.file != "" && o.file != "-" && !isFile(o.file) {
		return fmt.Errorf("%s: the name of a lab ends in .yaml", o.file)
	}
	var files []imports.File
	for _, n := range named {
		f, err := readSettings(s, n)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	lab, notes, err := imports.Build(files, chain)
	if err != nil {
		return err
	}
	if err := putLab(s, o, imports.Write(lab, notes)); err != nil {
		return err
	}
	if o.file != "" && o.file != "-" {
		for _, n := range notes {
			fmt.Fprintln(s.err, oneLine("not in the lab: "+n.String()))
		}
	}
	return nil
}

// ofFormat is a file to import.
type ofFormat struct{ format, name string }

// filesByFormat reads arguments: a format, its files, and perhaps another format.
func filesByFormat(args []string) ([]ofFormat, error) {
	formats := imports.Formats()
	if len(args) == 0 || !slices.Contains(formats, args[0]) {
		hint := ""
		if len(args) > 0 {
			hint = suggest.DidYouMean(args[0], formats)
		}
		return nil, fmt.Errorf("say a format and its files: labctl import istio mesh.yaml; formats are %s%s", strings.Join(formats, ", "), hint)
	}
	var out []ofFormat
	format := ""
	for i, arg := range args {
		if !slices.Contains(formats, arg) {
			out = append(out, ofFormat{format, arg})
			continue
		}
		if format = arg; i+1 == len(args) || slices.Contains(formats, args[i+1]) {
			return nil, fmt.Errorf("%s: say its files: labctl import %s FILE", arg, arg)
		}
	}
	return out, nil
}

func readSettings(s streams, n ofFormat) (imports.File, error) {
	if n.name != "-" {
		data, err := readBounded(n.name, "say a file with settings of "+n.format)
		if err != nil {
			return imports.File{}, err
		}
		return imports.Read(n.format, n.name, data)
	}
	data, err := io.ReadAll(io.LimitReader(s.in, file.MaxBytes+1))
	if err != nil {
		return imports.File{}, environment(fmt.Errorf("cannot read stdin: %w", unwrapPath(err)))
	}
	return imports.Read(n.format, "stdin", data)
}

// putLab writes the whole text, to a file or to stdout.
func putLab(s streams, o *output, text []byte) error {
	sink, err := o.open(s)
	if err != nil {
		return err
	}
	defer sink.discard()
	if _, err := sink.w.Write(text); err != nil {
		return written(err)
	}
	return sink.commit()
}
