package page

import (
	"slices"
	"strings"
	"testing"

	"labctl/report"
)

func TestLayPutsEveryCallDownwards(t *testing.T) {
	for name, g := range map[string]graph{
		"chain":    {4, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		"diamond":  {4, [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}}},
		"shortcut": {4, [][2]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}}},
		"late":     {5, [][2]int{{3, 4}, {2, 3}, {1, 2}, {0, 1}, {0, 4}}}, // calls in any order
		"crossing": {7, [][2]int{{0, 1}, {0, 2}, {1, 4}, {2, 3}, {3, 5}, {4, 6}, {5, 6}}},
	} {
		t.Run(name, func(t *testing.T) {
			at := lay(g)
			taken := map[place]bool{}
			for i, c := range g.calls {
				from, to := at.nodes[c[0]], at.nodes[c[1]]
				if from.row >= to.row {
					t.Errorf("%v leads from row %d to %d", c, from.row, to.row)
				}
				if want := to.row - from.row - 1; len(at.bends[i]) != want {
					t.Errorf("%v has %d bends, want one in each of %d rows", c, len(at.bends[i]), want)
				}
				for _, b := range at.bends[i] {
					if taken[b] {
						t.Errorf("%v bends where something else is", c)
					}
					taken[b] = true
				}
			}
			for n, p := range at.nodes {
				if taken[p] {
					t.Errorf("service %d stands on something else", n)
				}
				taken[p] = true
			}
		})
	}
}

func TestRowsAreOrderedSoThatCallsDoNotCross(t *testing.T) {
	// 1 and 2 call 4 and 3: as numbered, the calls cross.
	at := lay(graph{6, [][2]int{{0, 1}, {0, 2}, {1, 4}, {2, 3}, {3, 5}, {4, 5}}})
	if (at.nodes[1].x < at.nodes[2].x) != (at.nodes[4].x < at.nodes[3].x) {
		t.Errorf("places %v: the calls cross", at.nodes)
	}
}

func TestDrawingsOfVariantsThatCameOutAlikeAreOne(t *testing.T) {
	live, sim := herd("fixed", "live", []int64{4, 4}, []int64{0, 4}), herd("fixed", "sim", []int64{4, 4}, []int64{0, 4})
	same, other := herd("jitter", "sim", []int64{4, 3, 1}, []int64{0, 3, 1}), herd("other", "live", []int64{4, 8}, []int64{0, 8})
	twin := herd("other", "sim", []int64{4, 9}, []int64{0, 9})
	var names []string
	for _, d := range drawingsOf("x", []report.Variant{live, sim, same, other, twin}) {
		names = append(names, d.Names)
	}
	if want := []string{"fixed, jitter", "other (live)", "other (virtual time)"}; !slices.Equal(names, want) {
		t.Errorf("drawings %q, want %q", names, want)
	}
}

func TestADrawingSaysWhatEachCallMultiplies(t *testing.T) {
	d := draw(outage().Variants[0])
	var got []string
	for _, c := range d.Calls {
		got = append(got, strings.Join([]string{c.Class, c.Factor, c.Attempts, c.Of}, " | "))
	}
	want := []string{
		"more | × 3 | 300 attempts | for 100 requests", "less | × 0.8 | 240 attempts | for 300 requests",
		"calm | × 1 | 300 attempts | for 300 requests", "more | × 2 | 480 attempts | for 240 requests",
	}
	if !slices.Equal(got, want) {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if want := "client sends 300 attempts for 100 requests to web (× 3); "; !strings.HasPrefix(d.Describe, want) {
		t.Errorf("described as %q, want it to begin with %q", d.Describe, want)
	}
}

// A result of an older version does not say which calls there are: layers that branch
// would be drawn as a chain.
func TestABranchingGraphWithoutEdgesIsNotDrawn(t *testing.T) {
	v := outage().Variants[0]
	v.Edges = nil
	v.Layers[1].Calls = []report.Call{{To: "cart"}, {To: "db"}}
	if n := len(drawingsOf("x", []report.Variant{v})); n != 0 {
		t.Errorf("%d drawings, want none", n)
	}
}
