package report

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
)

// csvFields are the columns after scenario, variant and engine; layers and lists
// come last. A new column is only ever added at the end.
var csvFields = []string{
	"requests", "hits", "amplification", "effects", "elapsed_ms",
	"ok", "failed", "timeout", "rejected", "cancelled", "degraded",
	"first_wave", "peak", "retry_peak", "peak_100ms", "orphan_hits", "duplicate_hits", "abandoned",
	"p50_ms", "p95_ms", "p99_ms", "max_ms",
}

// WriteCSV writes one row per variant, for spreadsheets and data frames. A list
// is one cell with spaces between its numbers; layers are one cell of
// name:requests:attempts, client first. Numbers are plain. Names that a
// spreadsheet would run as a formula start with an apostrophe.
func WriteCSV(w io.Writer, results ...Result) error {
	c := csv.NewWriter(w)
	head := slices.Concat([]string{"scenario", "variant", "engine", "net", "seed"}, csvFields,
		[]string{"bin_ms", "bin_offset_ms", "bins", "retry_bins", "waves", "layers"})
	if err := c.Write(head); err != nil {
		return err
	}
	for _, r := range results {
		for _, v := range r.Variants {
			if err := c.Write(csvRow(r, v)); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

func csvRow(r Result, v Variant) []string {
	row := []string{csvText(r.Scenario), csvText(v.Name), csvText(v.Engine), csvText(r.Net), strconv.FormatUint(r.Seed, 10)}
	for _, field := range csvFields {
		n, _ := Measure(v, field)
		row = append(row, plainNumber(n))
	}
	return append(row, plainNumber(v.BinMS), plainNumber(v.BinOffsetMS),
		plainList(v.Bins), plainList(v.RetryBins), plainList(v.Waves), csvLayers(v.Layers))
}

func plainNumber(n any) string {
	switch n := n.(type) {
	case int64:
		return strconv.FormatInt(n, 10)
	case float64:
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return ""
}

func plainList(ns []int64) string {
	words := make([]string, len(ns))
	for i, n := range ns {
		words[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(words, " ")
}

func csvLayers(layers []Layer) string {
	words := make([]string, len(layers))
	for i, l := range layers {
		words[i] = clean(l.Name) + ":" + strconv.FormatInt(l.Requests, 10) + ":" + strconv.FormatInt(l.Attempts, 10)
	}
	return csvText(strings.Join(words, " "))
}

func csvText(s string) string {
	s = clean(s)
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}
