package main

import (
	"fmt"
	"io"
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
		Args:    nothing,
		GroupID: groupLook,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(s.out, doctor(live.ThisMachine(), page(s.out)))
			return written(err)
		},
	}
}

const (
	slopWaits = 50
	slopWait  = 2 * time.Millisecond
)

func doctor(m live.Machine, width int) string {
	rows := [][]string{
		{"cores", known(m.Cores), "clients and services share them; the spread of a herd is clients × the cost of a request"},
		{"descriptors", known(m.Descriptors), "two per client and layer; --net pipe needs none"},
		{"accept queue", known(m.AcceptQueue), "connections opened at once beyond it are tried again after a second"},
		{"local ports", known(m.Ports), "one per client and layer"},
		{"free memory, MiB", known(m.Memory >> 20), "each client takes some in every layer"},
		{"largest herd, tcp", known(largestHerd(m, live.TCP())), "clients of one layer"},
		{"largest herd, pipe", known(largestHerd(m, live.Pipe())), "clients of one layer"},
	}
	median, worst := live.TimerSlop(slopWaits, slopWait)
	rows = append(rows, []string{"timer slop", median.Round(time.Microsecond).String(),
		fmt.Sprintf("median lateness of %d timers of %v; the worst was %v late", slopWaits, slopWait, worst.Round(time.Microsecond))})
	return columns(0, rows, width) + "\n" +
		hang("", "Live figures are as sharp as this machine is idle: every live result says how wide its first wave was.", width)
}

// known is a number of the machine, which may not tell it.
func known(n int64) string {
	if n == 0 {
		return "unknown"
	}
	return fmt.Sprint(n)
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
