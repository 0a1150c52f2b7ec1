package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"labctl/report"
	"labctl/topology"
)

// limit is how many retries per bin are judged to be enough.
type limit struct {
	most  int64  // 0: nothing is judged
	share string // of the clients, where it was said so: 25%
}

// limit reads that of a state. A share follows the clients as they are set.
func (s State) limit(t topology.Topology) (limit, error) {
	if s.Limit == "" {
		return limit{}, nil
	}
	share, isShare := strings.CutSuffix(s.Limit, "%")
	if !isShare {
		n, err := strconv.ParseInt(s.Limit, 10, 64)
		if err != nil || n < 1 {
			return limit{}, s.noLimit()
		}
		return limit{most: n}, nil
	}
	percent, err := strconv.ParseFloat(share, 64)
	switch {
	case err != nil || !(percent > 0 && percent <= 1000): // so also where it is no number
		return limit{}, s.noLimit()
	case t.Load.Open():
		return limit{}, fmt.Errorf("limit: %s is a share of the clients, and here requests come at a rate: say a number", short(s.Limit))
	}
	most := math.Round(float64(t.Load.Herd.Clients) * percent / 100)
	return limit{most: max(1, int64(most)), share: s.Limit}, nil
}

func (s State) noLimit() error {
	return fmt.Errorf("limit: %q is not a whole number from 1 on, or a share of the clients such as 25%%: say how many retries per bin are enough, or nothing", short(s.Limit))
}

// String is the limit in a sentence.
func (l limit) String() string {
	text := report.FormatCount(l.most)
	if l.share != "" {
		text += ", " + l.share + " of the clients"
	}
	return text
}
