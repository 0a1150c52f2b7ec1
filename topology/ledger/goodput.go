package ledger

import (
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// goodput is how many requests were answered well, by when they began: what an
// outage does to the clients, and when it is over.
type goodput struct {
	begun, good *report.Bins
}

func newGoodput(r topology.Run) *goodput {
	return &goodput{report.NewBins(r.Bin, r.BinOffset), report.NewBins(r.Bin, r.BinOffset)}
}

func (g *goodput) ended(from policy.Instant, ok bool) {
	g.begun.Add(time.Duration(from), true)
	if ok {
		g.good.Add(time.Duration(from), true)
	}
}

func (g *goodput) merge(o *goodput) {
	g.begun.Merge(o.begun)
	g.good.Merge(o.good)
}

// enough is the share of good answers, in tenths, with which a service counts as
// recovered, in part at least: with less most of its clients would say it is down.
const enough = 4

// fill puts the good answers into the variant, and the start of the first bin from
// which on there were enough of them.
func (g *goodput) fill(v *report.Variant, r topology.Run) {
	begun, good := g.begun.All(), g.good.All()
	v.Goodput = make([]int64, len(begun))
	copy(v.Goodput, good)
	for i := len(begun) - 1; i >= 0; i-- {
		if 10*v.Goodput[i] >= enough*begun[i] {
			continue
		}
		v.RecoveredMS = report.Milliseconds(time.Duration(i+1)*r.Bin - r.BinOffset)
		if i == len(begun)-1 {
			v.RecoveredMS = -1
		}
		return
	}
}
