package live

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Machine is what this machine allows a live run. A number that could not be
// found out is 0.
type Machine struct {
	Cores       int64
	Descriptors int64 // that a process may open
	Memory      int64 // bytes that are free
	AcceptQueue int64 // connections that a listener holds before they are accepted
	Ports       int64 // local ports for outgoing connections to one address
}

// ThisMachine asks the machine.
func ThisMachine() Machine {
	return Machine{
		Cores:       int64(runtime.GOMAXPROCS(0)),
		Descriptors: descriptorLimit(),
		Memory:      1024 * field("/proc/meminfo", "MemAvailable:"),
		AcceptQueue: number("/proc/sys/net/core/somaxconn", 0),
		Ports:       max(number("/proc/sys/net/ipv4/ip_local_port_range", 1)-number("/proc/sys/net/ipv4/ip_local_port_range", 0), 0),
	}
}

// number reads the nth number of a file, 0 where there is none.
func number(file string, n int) int64 {
	data, err := os.ReadFile(file)
	words := strings.Fields(string(data))
	if err != nil || n >= len(words) {
		return 0
	}
	v, _ := strconv.ParseInt(words[n], 10, 64)
	return v
}

// field reads the number behind a name in a file.
func field(file, name string) int64 {
	data, _ := os.ReadFile(file)
	words := strings.Fields(string(data))
	if i := slices.Index(words, name); i >= 0 && i+1 < len(words) {
		v, _ := strconv.ParseInt(words[i+1], 10, 64)
		return v
	}
	return 0
}

// TimerSlop measures how late timers of this machine fire: the median and the
// largest of so many waits.
func TimerSlop(waits int, wait time.Duration) (median, largest time.Duration) {
	late := make([]time.Duration, waits)
	for i := range late {
		start := time.Now()
		<-time.After(wait)
		late[i] = time.Since(start) - wait
	}
	slices.Sort(late)
	return late[waits/2], late[waits-1]
}
