package report

import "strings"

// Underway is a run that goes on, as far as it has come.
type Underway struct {
	Title      string  // which run it is
	ElapsedMS  float64 // since the release
	ExpectedMS float64 // how long it takes in virtual time; 0: unknown
	InFlight   int64   // hits that have not been answered yet
	Variant    Variant // hits and bins so far
}

// The frame of a terminal that does not say how big it is.
const (
	frameWidth = 80
	frameLines = 24
)

// Frame is what to show of a run that goes on: its lines, none of which is wider than
// Options.Width nor are there more than Options.Lines. The histogram is that of the
// report, with more bins to a row where the screen is low.
func Frame(u Underway, o Options) []string {
	if o.Width <= 0 {
		o.Width = frameWidth
	}
	if o.Lines <= 0 {
		o.Lines = frameLines
	}
	var lines []string
	for _, text := range []string{clean(u.Title), u.state(), u.waves()} {
		if text != "" {
			lines = append(lines, strings.Split(Wrap("", text, o.Width, 2), "\n")...)
		}
	}
	if bars := histogramWithin(u.Variant, o, o.Lines-len(lines)-1); bars != nil {
		lines = append(append(lines, ""), bars...)
	}
	lines = lines[:min(len(lines), o.Lines)]
	for i, line := range lines {
		lines[i] = o.paintRetries(cut(line, o.Width))
	}
	return lines
}

// state is time and numbers. Before the first hit nobody knows when the release was.
func (u Underway) state() string {
	if u.Variant.Hits == 0 {
		return "no hit yet"
	}
	time := millis(u.ElapsedMS)
	if u.ExpectedMS > 0 {
		time += " of about " + millis(u.ExpectedMS)
	}
	return time + "   " + plural(u.Variant.Hits, "hit") + "   " + count(u.InFlight) + " in flight"
}

// waves are the first wave and those of the retries, the last of which may still grow.
func (u Underway) waves() string {
	v := u.Variant
	if v.Hits == 0 {
		return ""
	}
	text := "first wave " + count(v.FirstWave)
	if len(v.Waves) > 0 {
		text += "   waves " + list(v.Waves, maxList)
	}
	return text
}

// histogramWithin is the histogram of one variant in so many lines at most, nil where
// there is no room for one.
func histogramWithin(v Variant, o Options, room int) []string {
	o.Color = false // a line that is cut must not lose the end of a colour
	for rows := min(maxRows, room-leastHead); rows > 0; rows-- {
		h := newHistogram([]Variant{v}, rows)
		h.alone = true
		if h.bins == 0 {
			return nil
		}
		lines := strings.Split(strings.TrimSuffix(h.text(o), "\n"), "\n")
		if len(lines) <= room {
			return lines
		}
	}
	return nil
}

// leastHead is what a histogram has above its first row: unit, empty line, name.
const leastHead = 3
