package node

import (
	"context"
	"time"
)

// A Pause is a time in which a process stood still: it was stopped, or got no
// processor.
type Pause struct {
	At  time.Duration `json:"at"` // since its process began
	For time.Duration `json:"for"`
}

const (
	tick = 100 * time.Millisecond
	// leastPause is far above what a busy machine does to a timer.
	leastPause = time.Second
)

// watchPauses notes when this process stood still: its own timer says so.
func (s *Server) watchPauses(ctx context.Context) {
	t := time.NewTicker(tick)
	defer t.Stop()
	last := s.clock.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		now := s.clock.Now()
		if now-last > leastPause {
			s.mu.Lock()
			s.pauses = append(s.pauses, Pause{last, now - last})
			s.mu.Unlock()
		}
		last = now
	}
}
