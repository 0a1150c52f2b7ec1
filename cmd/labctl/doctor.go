package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"labctl/topology"
	"labctl/topology/live"
)

func doctorCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine can measure",
		Long: `Say what this machine can measure: how large a herd its descriptors, ports and
memory carry, how many connections a listener holds, and how late timers fire.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return doctor(s.out, live.ThisMachine()) },
	}
}

const (
	slopWaits = 50
	slopWait  = 2 * time.Millisecond
)

func doctor(out io.Writer, m live.Machine) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(what string, n int64, means string) {
		value := fmt.Sprint(n)
		if n == 0 {
			value = "unknown"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", what, value, means)
	}
	line("cores", m.Cores, "clients and services share them; the spread of a herd is clients × the cost of a request")
	line("descriptors", m.Descriptors, "two per client and layer; --net pipe needs none")
	line("accept queue", m.AcceptQueue, "connections opened at once beyond it are tried again after a second")
	line("local ports", m.Ports, "one per client and layer")
	line("memory MiB", m.Memory>>20, "")
	line("largest herd (tcp)", largestHerd(m, live.TCP()), "clients of one layer")
	line("largest herd (pipe)", largestHerd(m, live.Pipe()), "clients of one layer")
	median, worst := live.TimerSlop(slopWaits, slopWait)
	fmt.Fprintf(w, "timer slop\t%v\tmedian lateness of %d timers of %v; the worst was %v late\n",
		median.Round(time.Microsecond), slopWaits, slopWait, worst.Round(time.Microsecond))
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\nLive figures are as sharp as this machine is idle: every live result says how wide its first wave was.")
	return err
}

// largestHerd is the largest number of clients that a live run accepts here.
func largestHerd(m live.Machine, n live.Network) int64 {
	var low, high int64 = 0, topology.MaxClients
	for low < high {
		middle := (low + high + 1) / 2
		t := topology.Topology{Services: topology.Chain(1), Load: topology.Load{Herd: topology.Herd{Clients: int(middle)}}}
		if live.Estimate(t, n).Check(m) == nil {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}
