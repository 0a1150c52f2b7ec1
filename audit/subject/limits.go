package subject

import "time"

// Limits bound one run.
type Limits struct {
	Time   time.Duration // from start to end; 0: as long as it wants
	Grace  time.Duration // from being asked to end (SIGTERM) to being ended (SIGKILL); 0: [DefaultGrace]
	Output int           // bytes of the end of its output that are kept; 0: [DefaultOutput]
}

// What is used where Limits say 0.
const (
	DefaultGrace  = 500 * time.Millisecond
	DefaultOutput = 2 << 10
)

func (l Limits) orDefaults() Limits {
	if l.Grace <= 0 {
		l.Grace = DefaultGrace
	}
	if l.Output <= 0 {
		l.Output = DefaultOutput
	}
	return l
}

// A Result is how a run went.
type Result struct {
	Started time.Time
	Elapsed time.Duration // to the end of the command itself, whatever it left running

	Code     int    // of its exit; -1 when it did not exit by itself
	Signal   string // that ended it, such as SIGSEGV, where that was not Run's doing
	TimedOut bool   // Limits.Time was over
	Stopped  bool   // the context ended first

	Output string // the end of what it printed, on both streams, in one line: see [Limits]

	// Err says that the command could not be started, and why, in one line with the
	// cure. All the rest is empty then, but for a Code of -1.
	Err error
}
