package main

import (
	"fmt"
	"os"
	"runtime"
)

// busyness says that other work took the processors: gaps are then longer, and less
// regular, than the rests of a client. It is "" where that is not so.
func busyness() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	var load float64
	if _, err := fmt.Sscan(string(data), &load); err != nil || load < 2*float64(runtime.NumCPU()) {
		return ""
	}
	return fmt.Sprintf("the machine was busy (load %.1f on %s): gaps are longer, and less regular, than the rests; measure again when it is quiet before you rely on base and law, or ask less at once with --parallel 2",
		load, plural(runtime.NumCPU(), "processor"))
}
