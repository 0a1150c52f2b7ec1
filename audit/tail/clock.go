package tail

import "time"

// A clock measures from the beginning of a trial.
type clock struct{ start time.Time }

// now is the time since the beginning.
func (c clock) now() time.Duration { return time.Since(c.start) }
