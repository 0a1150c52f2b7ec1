// Command expfmt reads metrics with Prometheus' own parser and prints what it understood:
// a module of its own, because the parser brings protobuf along.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

func main() {
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var lines []string
	for name, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			lines = append(lines, fmt.Sprintf("%s %s [%s] %v", strings.ToLower(f.GetType().String()), name, strings.Join(labels, " "), m.GetCounter().GetValue()+m.GetGauge().GetValue()))
		}
	}
	slices.Sort(lines)
	fmt.Println(strings.Join(lines, "\n"))
}
