package program

import (
	"fmt"
	"strings"
	"time"
)

// delay takes a duration, or a distribution from which every request draws its own.
func (s *Step) delay(text string) error {
	if !strings.Contains(text, "(") {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 || d > MaxDelay {
			return fmt.Errorf("delay %s is not a duration from 0s to %s; write for example delay=60ms, or delay=uniform(10ms..20ms)", quote(text), span(MaxDelay))
		}
		s.Delay = d
		return nil
	}
	d, err := ParseDistribution(text)
	if err != nil {
		return fmt.Errorf("delay: %w", err)
	}
	if err := d.Check("delay"); err != nil {
		return err
	}
	for _, t := range d.times() {
		if t > MaxDelay {
			return fmt.Errorf("delay %s goes beyond %s; write shorter times", quote(text), span(MaxDelay))
		}
	}
	s.Drawn = d
	return nil
}

// drawn is the delay of one request. Its bits are one step of SplitMix64 (Steele,
// Lea, Flood 2014) away from the luck that decides a chance: requests that are lucky
// in one way are not in the other. A long tail ends at MaxDelay.
func (s *Step) drawn(u uint64) time.Duration {
	z := u + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return min(s.Drawn.Draw(z^z>>31), MaxDelay)
}

// delayText returns the option as it stands in a program, or "".
func (s Step) delayText() string {
	switch {
	case s.Drawn.Shape != Constant:
		return "+delay=" + s.Drawn.text(parens, span)
	case s.Delay > 0 || s.Drawn.A > 0:
		return "+delay=" + span(max(s.Delay, s.Drawn.A))
	}
	return ""
}

// parseOver takes how long a slow body takes.
func parseOver(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > MaxDelay {
		return 0, fmt.Errorf("over %s is not a duration above 0s and up to %s; write for example over=2s", quote(text), span(MaxDelay))
	}
	return d, nil
}
