package report

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// The two halves of a bar.
const (
	firstBlock = "█"
	retryBlock = "▒"
)

const (
	maxBar   = 40
	minBar   = 8
	leastBar = 1 // of one series that has no more room
	maxRows  = 40
	mostSkip = 3 // a longer run of empty rows becomes one line
	anyWidth = 100
)

// Histogram draws the bins of variants side by side on one scale, the first
// wave apart from the retries. Variants must share bin width, offset and layer.
func Histogram(w io.Writer, variants []Variant, o Options) error {
	if len(variants) == 0 {
		return nil
	}
	h := newHistogram(variants, maxRows)
	if h.bins == 0 {
		return nil
	}
	_, err := io.WriteString(w, h.text(o))
	return err
}

// text is the whole histogram: as many series side by side as the line has room for.
func (h *histogram) text(o Options) string {
	var b strings.Builder
	for _, line := range h.heading() {
		b.WriteString(o.paintRetries(wrap(line, o.Width, 2)) + "\n")
	}
	for from := 0; from < len(h.series); {
		to := h.together(from, o.Width)
		b.WriteByte('\n')
		h.draw(&b, from, to, o)
		from = to
	}
	return b.String()
}

// machineShaped names the variants whose histogram a warning says not to trust.
func machineShaped(r Result, vs []Variant) string {
	var names []string
	for _, v := range vs {
		for _, w := range r.Warnings {
			about := w.Variant == v.Name && (w.Engine == "" || w.Engine == v.Engine)
			if about && (w.Code == "drift-over-half-bin" || w.Code == "spread-over-half-bin") {
				names = append(names, label(v.Name))
				break
			}
		}
	}
	return strings.Join(names, ", ")
}

// histograms draws herds in groups that share their bins: others cannot stand
// side by side.
func (t *textWriter) histograms(rows []Variant) {
	type key struct {
		bin, offset float64
		at          string
	}
	var order []key
	groups := map[key][]Variant{}
	for _, v := range rows {
		if v.Requests <= 1 || len(v.Bins) == 0 {
			continue
		}
		k := key{v.BinMS, v.BinOffsetMS, v.At}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], v)
	}
	for _, k := range order {
		t.section("")
		if names := machineShaped(t.r, groups[k]); names != "" {
			t.line(t.o.paint(yellow, "the machine, not the policy, shaped the histogram of") + " " + names)
		}
		if t.err == nil {
			t.err = Histogram(&t.buf, groups[k], t.o)
		}
	}
}

// histogram is what is drawn: the bins of each variant, added up in rows.
type histogram struct {
	binMS, offsetMS float64
	at              string
	bins            int // of the longest variant
	per             int // bins in a row
	series          []series
	lines           []rowSpan
	most            int64 // the fullest row of all: the scale
	alone           bool  // no table above names peaks
}

// series is one variant's part.
type series struct {
	name           string
	total, retries []int64
	countWidth     int
}

// rowSpan is a line: one row, or a run of rows in which nobody has a hit.
type rowSpan struct {
	row, rows int
	skipped   bool
}

// newHistogram adds bins up until there are no more than so many rows.
func newHistogram(variants []Variant, rows int) histogram {
	v := variants[0]
	h := histogram{binMS: v.BinMS, offsetMS: v.BinOffsetMS, at: v.At}
	for _, v := range variants {
		h.bins = max(h.bins, len(trimRight(v.Bins)))
	}
	for h.per = 1; ; h.per = nextScale(h.per) {
		h.foldRows(variants)
		if len(h.lines) <= rows {
			break
		}
	}
	for _, s := range h.series {
		h.most = max(h.most, fullest(s.total))
	}
	return h
}

// nextScale climbs 1, 2, 5, 10, 20, 50, … so that rows keep round edges.
func nextScale(n int) int {
	lead := n
	for lead >= 10 {
		lead /= 10
	}
	if lead == 2 {
		return n / 2 * 5
	}
	return n * 2
}

func (h *histogram) foldRows(variants []Variant) {
	rows := (h.bins + h.per - 1) / h.per
	h.series = make([]series, len(variants))
	for i, v := range variants {
		s := series{name: nameAmong(v, variants), total: addUp(v.Bins, h.per, rows), retries: addUp(v.RetryBins, h.per, rows)}
		s.countWidth = textWidth(count(fullest(s.total)))
		h.series[i] = s
	}
	h.lines = h.spans(rows)
}

func addUp(bins []int64, per, rows int) []int64 {
	sums := make([]int64, rows)
	for k, n := range bins[:min(len(bins), rows*per)] {
		sums[k/per] += n
	}
	return sums
}

func (h *histogram) spans(rows int) []rowSpan {
	var lines []rowSpan
	for row := 0; row < rows; {
		end := row
		for end < rows && h.empty(end) {
			end++
		}
		if end-row > mostSkip {
			lines = append(lines, rowSpan{row: row, rows: end - row, skipped: true})
			row = end
			continue
		}
		lines = append(lines, rowSpan{row: row, rows: 1})
		row++
	}
	return lines
}

func (h *histogram) empty(row int) bool {
	for _, s := range h.series {
		if s.total[row] != 0 {
			return false
		}
	}
	return true
}

// heading names the unit and the signs, and says when rows hold several bins.
func (h *histogram) heading() []string {
	where := "at the tail"
	if h.at != "" {
		where = "at " + label(h.at)
	}
	lines := []string{fmt.Sprintf("hits %s per %s   %s first attempts   %s retries",
		where, duration(h.binMS*float64(h.per)), firstBlock, retryBlock)}
	if h.per > 1 {
		note := fmt.Sprintf("(%s bins of %s are added up, %d to a row, to fit", count(int64(h.bins)), duration(h.binMS), h.per)
		if !h.alone {
			note += "; peaks above are those of single bins"
		}
		lines = append(lines, note+")")
	}
	if h.offsetMS > 0 {
		lines = append(lines, fmt.Sprintf("(the release is %s into the first bin; times count from the release)", duration(h.offsetMS)))
	}
	return lines
}

// duration prints a bin width: 50 ms, 1 s.
func duration(ms float64) string {
	if ms >= 1000 && math.Mod(ms, 100) == 0 {
		return number(ms/1000) + " s"
	}
	return number(ms) + " ms"
}

// barLength gives every hit that exists at least one block.
func barLength(n, most int64, width int) int {
	if n <= 0 || most <= 0 {
		return 0
	}
	return max(1, int(math.Round(float64(n)/float64(most)*float64(width))))
}

func clampBar(room int) int { return min(max(room, minBar), maxBar) }
