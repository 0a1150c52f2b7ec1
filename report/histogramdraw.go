package report

import (
	"math"
	"strings"
)

// together says up to which series a line has room, starting at from. One
// always has.
func (h *histogram) together(from, width int) (to int) {
	room := lineWidth(width) - h.labelWidth()
	for to = from; to < len(h.series); to++ {
		room -= columnGap + h.series[to].width(minBar)
		if room < 0 && to > from {
			return to
		}
	}
	return to
}

func lineWidth(width int) int {
	if width <= 0 {
		return anyWidth
	}
	return width
}

// width of a series' column: its name stands above count and bar.
func (s series) width(bar int) int { return max(s.countWidth+1+bar, textWidth(s.name)) }

// draw prints series from..to-1 side by side.
func (h *histogram) draw(b *strings.Builder, from, to int, o Options) {
	bar := h.barWidth(from, to, o.Width)
	lw := h.labelWidth()
	gap := strings.Repeat(" ", columnGap)
	head := padLeft("", lw)
	for _, s := range h.series[from:to] {
		head += gap + padRight(s.name, s.width(bar))
	}
	b.WriteString(strings.TrimRight(head, " ") + "\n")
	for _, line := range h.lines {
		if line.skipped {
			b.WriteString(padLeft("⋮", lw) + gap + plural(int64(line.rows), "empty row") + "\n")
			continue
		}
		text := padLeft(h.label(line.row), lw)
		for _, s := range h.series[from:to] {
			text += gap + padRight(s.cell(line.row, h.most, bar), s.width(bar))
		}
		b.WriteString(o.paintRetries(strings.TrimRight(text, " ")) + "\n")
	}
}

// cell is a count and its bar.
func (s series) cell(row int, most int64, bar int) string {
	total, retries := s.total[row], s.retries[row]
	drawn := barLength(total, most, bar)
	first := share(total-retries, retries, drawn)
	return padLeft(count(total), s.countWidth) + " " +
		strings.Repeat(firstBlock, first) + strings.Repeat(retryBlock, drawn-first)
}

// share divides a bar; a kind that exists keeps a block while there are two.
func share(first, retries int64, drawn int) int {
	switch {
	case first <= 0:
		return 0
	case retries <= 0:
		return drawn
	}
	n := int(math.Round(float64(first) / float64(first+retries) * float64(drawn)))
	return min(max(n, 1), max(drawn-1, 1))
}

// barWidth shares the line out evenly.
func (h *histogram) barWidth(from, to, width int) int {
	room := lineWidth(width) - h.labelWidth()
	for _, s := range h.series[from:to] {
		room -= columnGap + s.countWidth + 1
	}
	least := minBar
	if to-from == 1 {
		least = leastBar
	}
	bar := min(max(room/(to-from), least), maxBar)
	for bar > least && h.lineWidth(from, to, bar) > lineWidth(width) {
		bar-- // a name wider than its bars takes room from them all
	}
	return bar
}

func (h *histogram) lineWidth(from, to, bar int) int {
	w := h.labelWidth()
	for _, s := range h.series[from:to] {
		w += columnGap + s.width(bar)
	}
	return w
}

func (h *histogram) labelWidth() int {
	w := 0
	for _, line := range h.lines {
		w = max(w, textWidth(h.label(line.row)))
	}
	return w
}

// label is the row's span after the release, its end not included.
func (h *histogram) label(row int) string {
	width := h.binMS * float64(h.per)
	from := float64(row)*width - h.offsetMS
	if width >= 1000 && math.Mod(width, 100) == 0 && math.Mod(h.offsetMS, 10) == 0 {
		return number(from/1000) + "–" + number((from+width)/1000) + " s"
	}
	return number(from) + "–" + number(from+width) + " ms"
}
