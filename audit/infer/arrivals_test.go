package infer_test

import (
	"strconv"
	"strings"
	"time"

	"labctl/audit"
)

// An arrival is what the tail saw of one trial, as short as a test can say it.
type arrival struct {
	fault  string
	method string // GET unless said
	key    bool
	reused bool // with a warm-up in front, where the fault is that of a connection

	gaps  []float64 // ms between the attempts, of which there is one more
	none  bool      // no attempt at all
	takes float64   // ms that each attempt lasts
	turns []int     // which request on its connection each attempt is; 1 unless said

	bodies []int64
	ranged bool // all attempts but the first ask for a part
	exit   int
	signal string
	late   bool    // the time of the probe was over
	after  float64 // ms from the last attempt to the end of the command

	uncounted string
	times     int // repeated so often, alike; once unless said
}

func (a arrival) trials() []audit.Trial {
	var all []audit.Trial
	for range max(a.times, 1) {
		all = append(all, a.trial())
	}
	return all
}

func (a arrival) trial() audit.Trial {
	fault, known := audit.FaultNamed(a.fault)
	if !known {
		panic("no fault " + a.fault)
	}
	p := audit.Probe{Fault: fault, Method: "GET", Keyed: a.key, Connection: audit.Fresh}
	if a.method != "" {
		p.Method = a.method
	}
	t := audit.Trial{Probe: p, Uncounted: a.uncounted, Exit: audit.Exit{Code: a.exit, Signal: a.signal, TimedOut: a.late}}
	if a.late || a.signal != "" {
		t.Exit.Code = -1
	}
	now := 5 * time.Millisecond
	if a.reused {
		t.Probe.Connection = audit.Reused
		if fault.Group == audit.Transport {
			t.Hits = append(t.Hits, audit.Hit{At: now, End: now, Conn: 1, Turn: 1, Warm: true, Method: p.Method, Complete: true})
		}
	}
	if !a.none {
		now = a.attempts(&t, now)
	}
	t.Elapsed = now + inMS(a.after)
	return t
}

func (a arrival) attempts(t *audit.Trial, now time.Duration) time.Duration {
	conn := len(t.Hits)
	for i := range len(a.gaps) + 1 {
		if i > 0 {
			now += inMS(a.gaps[i-1])
		}
		h := audit.Hit{At: now, Turn: 1, Method: t.Probe.Method, Complete: true, Target: "/", Status: statusOf(t.Probe.Fault, i)}
		if i < len(a.turns) {
			h.Turn = a.turns[i]
		}
		if h.Turn == 1 {
			conn++
		}
		h.Conn = conn
		if i < len(a.bodies) {
			h.Body = a.bodies[i]
		}
		if a.ranged && i > 0 {
			h.Range = "bytes=10-"
		}
		now += inMS(a.takes)
		h.End = now
		t.Hits = append(t.Hits, h)
	}
	return now
}

// statusOf is the answer to an attempt, from 0, where there is one.
func statusOf(f audit.Fault, attempt int) int {
	first, _, _ := strings.Cut(f.Name, " ")
	over := map[string]int{"503 twice, then ok": 2, "reset once, then ok": 1}
	switch {
	case f.Name == "redirect loop":
		return 302
	case f.Group == audit.Control || f.Group == audit.Recovery && attempt >= over[f.Name]:
		return 200
	}
	status, _ := strconv.Atoi(first)
	return status
}

func inMS(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// alike is the same arrival for several faults.
func alike(a arrival, faults ...string) []arrival {
	var all []arrival
	for _, f := range faults {
		a.fault = f
		all = append(all, a)
	}
	return all
}

func trialsOf(lists ...[]arrival) []audit.Trial {
	var all []audit.Trial
	for _, list := range lists {
		for _, a := range list {
			all = append(all, a.trials()...)
		}
	}
	return all
}
