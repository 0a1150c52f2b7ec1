package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/export"
	"labctl/topology/file"
	"labctl/topology/live"
)

// exportFlags say how a lab is to be run elsewhere.
type exportFlags struct {
	variant          string
	image, namespace string
	clients          int
	hosts            int
	at               string
	sweep            []string
	out              string
}

func exportCommand(s streams) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export kubernetes|compose FILE.yaml",
		Short: "Write manifests that run a file on Kubernetes or Compose",
		Long: `Write what runs a lab on Kubernetes or with Compose: each service as a process of
its own (labctl node), the clients as one or more herds, and a README.md that
says how to start it and how to collect what was seen. The Dockerfile of labctl
builds the image.

Containers run as a user without rights, on a file system that they cannot
change, and talk to those only whom they call. With --sweep each cell of a grid
is an index of one Job instead, and runs in virtual time.

Without -o the manifests go to stdout as one stream; Compose needs a folder.`,
		Example: `  labctl export kubernetes checkout.yaml --image registry.example/labctl:1.2 -o out
  labctl export kubernetes checkout.yaml --clients 2000 --hosts 4 -o out
  labctl export kubernetes checkout.yaml --sweep load.herd.clients=100,1000,10000
  labctl export compose checkout.yaml -o out`,
		GroupID:           groupHosts,
		ValidArgsFunction: completeExport,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 || args[0] != "kubernetes" && args[0] != "compose" {
				return errors.New("say for what, and one file: labctl export kubernetes checkout.yaml, or compose")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return f.export(c, s, args[0], args[1]) },
	}
	groupUsage(c, addGroups(c, f.groups()...))
	return c
}

func (f *exportFlags) groups() []flagGroup {
	lab, hosts, out := newFlags(), newFlags(), newFlags()
	lab.StringVar(&f.variant, "variant", scenarios.Base, "`variant` of the file that is run")
	lab.IntVar(&f.clients, "clients", 0, "`number` of all clients, instead of the file's")
	lab.StringArrayVar(&f.sweep, "sweep", nil, "`parameter=values` to sweep in virtual time, as labctl sweep --over; may stand several times")
	hosts.StringVar(&f.image, "image", "labctl:local", "image of labctl, a `reference`")
	hosts.StringVar(&f.namespace, "namespace", "", "`namespace` of Kubernetes (default that of who applies it)")
	hosts.IntVar(&f.hosts, "hosts", 1, "`number` of herds, which share the clients")
	hosts.StringVar(&f.at, "at", "10m", "with several hosts: when they release their clients, a `time` from now, or an instant as 2026-03-01T12:00:00Z")
	onceVarP(out, &f.out, "output", "o", "`folder` to write to, or a file.yaml for all manifests in one")
	return []flagGroup{{"Lab:", lab}, {"Hosts:", hosts}, {"Output:", out}}
}

func (f *exportFlags) export(c *cobra.Command, s streams, format, name string) error {
	in, err := f.input(c, name)
	if err != nil {
		return err
	}
	manifests := export.Kubernetes
	if format == "compose" {
		manifests = export.Compose
	}
	files, err := manifests(in)
	if err != nil {
		return inFile(name, err)
	}
	return f.write(s, format, files)
}

// inFile names the file in an error that is about it, and not about a flag.
func inFile(name string, err error) error {
	if strings.HasPrefix(err.Error(), "--") {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// completeExport knows the formats; behind them comes a file.
func completeExport(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return []string{"kubernetes", "compose"}, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// input reads the lab and the flags.
func (f *exportFlags) input(c *cobra.Command, name string) (export.Input, error) {
	in := export.Input{Image: f.image, Namespace: f.namespace, Hosts: f.hosts}
	if !isFile(name) {
		return in, fmt.Errorf("%s: export takes a file: labctl describe --yaml writes a scenario as one", name)
	}
	lab, text, err := f.lab(c, name)
	if err != nil {
		return in, err
	}
	s, err := scenarios.FromFile(name, lab)
	if err != nil {
		return in, err
	}
	in.Name, in.Text = lab.Name, text
	if in.Sweep, err = f.cells(s); err != nil {
		return in, err
	}
	if in.Topology, err = f.topology(s, len(in.Sweep.Cells) > 0); err != nil {
		return in, inFile(name, err)
	}
	if f.variant != scenarios.Base {
		in.Variant = f.variant
	}
	if _, said := given(c, "at"); said || f.hosts > 1 {
		in.At, err = f.release(time.Now())
	}
	return in, err
}

// lab is the file, as it is unless flags change it.
func (f *exportFlags) lab(c *cobra.Command, name string) (file.Lab, []byte, error) {
	lab, err := readLab(name)
	if err != nil {
		return lab, nil, err
	}
	value, said := given(c, "clients")
	switch {
	case said:
	case strings.HasPrefix(name, casePrefix): // no file of the user's
		return lab, file.Write(lab), nil
	default:
		text, err := os.ReadFile(name)
		if err != nil {
			return lab, nil, fmt.Errorf("cannot read %s: %w", name, unwrapPath(err))
		}
		return lab, text, nil
	}
	if err := countUpTo(topology.MaxClients)("--clients", value); err != nil {
		return lab, nil, err
	}
	if err := lab.Topology.Set(topology.Setting{Path: "load.herd.clients", Value: value}); err != nil {
		return lab, nil, fmt.Errorf("--clients: %w", err)
	}
	return lab, file.Write(lab), lab.Topology.Validate()
}

// topology is that of the variant. Cells are simulated, so several processes need not
// be able to run it.
func (f *exportFlags) topology(s scenarios.Scenario, simulated bool) (topology.Topology, error) {
	s, err := s.Only(f.variant)
	if err != nil {
		return topology.Topology{}, fmt.Errorf("--variant: %w", err)
	}
	p, err := scenarios.NewPlan(s, scenarios.Overrides{})
	if err != nil {
		return topology.Topology{}, err
	}
	t := p.Runs[0].For("live")
	switch {
	case f.clients > 0 && t.Load.Herd.Clients != f.clients:
		return t, fmt.Errorf("--clients %d: the variant has %d of its own: leave it out", f.clients, t.Load.Herd.Clients)
	case simulated:
		return t, nil
	}
	return t, live.SupportsNodes(t)
}

// cells works out the whole grid, so that no pod finds out that it cannot be.
func (f *exportFlags) cells(s scenarios.Scenario) (export.Sweep, error) {
	if len(f.sweep) == 0 {
		return export.Sweep{}, nil
	}
	if f.variant != scenarios.Base || f.hosts != 1 {
		return export.Sweep{}, errors.New("--sweep: it runs the file's own topology, each cell on one host: leave out --variant and --hosts")
	}
	out := export.Sweep{Over: f.sweep}
	var axes []scenarios.Axis
	for _, text := range f.sweep {
		a, err := scenarios.ParseAxis(text)
		if err != nil {
			return out, errors.New(strings.Replace(err.Error(), "--over", "--sweep", 1))
		}
		axes, out.Names = append(axes, a), append(out.Names, a.Name)
	}
	sw, err := scenarios.NewSweep(s, scenarios.Overrides{}, axes)
	if err != nil {
		return out, err
	}
	out.Cells = sw.Cells()
	return out, nil
}

// release is when the herds let go, on a whole second.
func (f *exportFlags) release(now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(f.at); err == nil && d > 0 {
		return now.Add(d).Truncate(time.Second), nil
	}
	at, err := time.Parse(time.RFC3339, f.at)
	if err != nil {
		return at, fmt.Errorf("--at %q: write it as 10m from now, or as 2026-03-01T12:00:00Z", f.at)
	}
	return at, nil
}

// write puts the files into a folder, or the manifests into one stream.
func (f *exportFlags) write(s streams, format string, files []export.File) error {
	stream := f.out == "" || f.out == "-" || isFile(f.out)
	switch {
	case stream && format == "compose":
		return errors.New("-o: a Compose file needs the lab beside it: name a folder, such as -o out")
	case stream:
		return f.writeStream(s, files)
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return environment(fmt.Errorf("cannot write %s: %w", f.out, unwrapPath(err)))
	}
	for _, x := range files {
		if err := write(filepath.Join(f.out, x.Name), x.Data); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(s.err, "labctl: %s in %s: README.md says how to start it\n", plural(len(files), "file"), f.out)
	return written(err)
}

func (f *exportFlags) writeStream(s streams, files []export.File) error {
	var all []string
	for _, x := range files {
		if isFile(x.Name) {
			all = append(all, string(x.Data))
		}
	}
	o := output{file: f.out}
	sink, err := o.open(s)
	if err != nil {
		return err
	}
	defer sink.discard()
	if _, err := sink.w.Write([]byte(strings.Join(all, "---\n"))); err != nil {
		return written(err)
	}
	return sink.commit()
}
