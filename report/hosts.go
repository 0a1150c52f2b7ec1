package report

import "strings"

// Host is one process of a run over several: how far the tail's clock is ahead of its
// own, and how wrong that can be. Clocks count from when their processes began.
type Host struct {
	Name     string   `json:"name"`
	OffsetMS float64  `json:"offset_ms"`
	ErrorMS  float64  `json:"error_ms"`          // half of the shortest round trip
	LateMS   *float64 `json:"late_ms,omitempty"` // of a herd: how much later than agreed it was let go
}

// hostsText says how well the clocks of a run's hosts are known.
func hostsText(v Variant) string {
	var parts []string
	for _, h := range v.Hosts {
		text := label(h.Name) + " " + millis(h.OffsetMS) + " ±" + millis(h.ErrorMS)
		if h.LateMS != nil {
			text += ", released " + millis(*h.LateMS) + " late"
		}
		parts = append(parts, text)
	}
	return "clocks of " + label(v.Name) + " against the tail's: " + strings.Join(parts, "; ")
}
