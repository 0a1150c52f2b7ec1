package tail

import "time"

// Began is the instant from which hits are measured.
func (t *Tail) Began() time.Time { return t.clock.start }
