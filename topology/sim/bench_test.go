package sim

import (
	"context"
	"testing"
)

func BenchmarkStraight(b *testing.B) {
	for b.Loop() {
		Run(context.Background(), herd(1_000_000), Options{})
	}
	b.ReportMetric(3e6*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mhits/s")
}
