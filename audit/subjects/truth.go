package subjects

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed testdata/truth.tsv
var truth string

// A Cell is how often a subject was seen to ask the tail while a fault lasts. Of a Warm
// fault, hits count the warm-up.
type Cell struct {
	Subject, Version string
	Fault, Method    string
	Hits             []int // all numbers that were seen
	Racy             bool  // the number is the kernel's to decide
}

// Truth reads the ground truth: see the head of testdata/truth.tsv.
func Truth() ([]Cell, error) { return readTruth(truth) }

func readTruth(text string) ([]Cell, error) {
	var cells []Cell
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cell, err := readCell(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("truth.tsv: line %d: %w", number, err)
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

func readCell(f []string) (Cell, error) {
	if len(f) != 6 {
		return Cell{}, fmt.Errorf("%d columns, want 6", len(f))
	}
	c := Cell{Subject: f[0], Version: f[1], Fault: f[2], Method: f[3], Racy: f[5] == "racy"}
	if !c.Racy && f[5] != "exact" {
		return Cell{}, fmt.Errorf("count %q is neither exact nor racy", f[5])
	}
	for text := range strings.SplitSeq(f[4], "|") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return Cell{}, fmt.Errorf("hits %q: want whole numbers from 1", f[4])
		}
		c.Hits = append(c.Hits, n)
	}
	return c, nil
}
