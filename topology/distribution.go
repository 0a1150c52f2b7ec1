package topology

import (
	"time"

	"labctl/faultserver/program"
)

// Distribution is a random time: of a service, of a network, of thinking. It is
// the same as in a fault program, whose package says more.
type Distribution = program.Distribution

// The shapes of a distribution.
const (
	Constant    = program.Constant
	UniformTime = program.UniformTime
	Exponential = program.Exponential
	LogNormal   = program.LogNormal
	Empirical   = program.Empirical
)

// Always is the distribution of one value.
func Always(d time.Duration) Distribution { return program.Always(d) }

// ParseDistribution reads "60ms", "uniform:10ms..20ms", "exponential:5ms",
// "lognormal:50ms:0.6" (median and sigma) or "empirical:1ms,2ms,9ms".
func ParseDistribution(s string) (Distribution, error) { return program.ParseDistribution(s) }
