package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"labctl/audit"
	"labctl/audit/infer"
	"labctl/report"
)

const probeSchema = "labctl/probe/v1"

// probeResult is what one request showed. It is the JSON that probe writes.
type probeResult struct {
	Schema   string        `json:"schema"`
	URL      string        `json:"url"`
	Method   string        `json:"method"`
	Fault    string        `json:"fault"`
	Labctl   string        `json:"labctl"`
	Hits     int           `json:"hits"`               // of one request: the amplification
	AtLeast  bool          `json:"at_least,omitempty"` // something ended the retries before those who make them: hits are a lower bound
	Answer   probeAnswer   `json:"answer"`
	Layers   []probeLayer  `json:"layers,omitempty"`   // outermost first, where there is one answer
	Possible [][]int       `json:"possible,omitempty"` // attempts of layers, outermost first
	Finding  audit.Finding `json:"finding"`
	Doubts   []string      `json:"doubts,omitempty"`
	GapsMS   []float64     `json:"gaps_ms"`

	MaxAmplification int  `json:"max_amplification,omitempty"`
	Partial          bool `json:"partial,omitempty"`

	factors infer.Factors
}

type probeLayer struct {
	Attempts int       `json:"attempts"`
	RestsMS  []float64 `json:"rests_ms"` // before its second, third … attempt
}

func (r *probeResult) doubt(format string, args ...any) {
	r.Doubts = append(r.Doubts, fmt.Sprintf(format, args...))
}

func (r *probeResult) answered() string {
	after := millis(r.Answer.AfterMS).Round(time.Millisecond)
	if r.Answer.Error != "" {
		return fmt.Sprintf("no answer after %v: %s", after, r.Answer.Error)
	}
	return fmt.Sprintf("the answer was %d after %v", r.Answer.Status, after)
}

func (r *probeResult) writeJSON(w io.Writer) error {
	out, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(out, '\n'))
	return err
}

func (r *probeResult) writeText(w io.Writer) error {
	var b bytes.Buffer
	say := func(text string) { b.WriteString(report.Wrap("", oneLine(text), page(w), 2) + "\n") }
	say(fmt.Sprintf("1 request → %s at the tail; %s", plural(r.Hits, "hit"), r.answered()))
	if len(r.Layers) > 0 {
		b.WriteByte('\n')
		if err := report.Rows(&b, r.rows(), terminalWidth(w)); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	say(r.Finding.Message)
	for _, d := range r.Doubts {
		say("doubt: " + d)
	}
	if r.Partial {
		say("partial: it was interrupted")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// rows are the layers. Which is which shows by the rests: they are those of a policy that
// somebody set.
func (r *probeResult) rows() [][]string {
	rows := [][]string{{"layer", "attempts", "rests"}}
	for i, l := range r.Layers {
		name := strconv.Itoa(i + 1)
		switch {
		case len(r.Layers) == 1:
		case i == 0:
			name += ", outermost"
		case i == len(r.Layers)-1:
			name += ", innermost"
		}
		rows = append(rows, []string{name, strconv.Itoa(l.Attempts), restsText(l.RestsMS)})
	}
	return rows
}

func restsText(ms []float64) string {
	var words []string
	for i, m := range ms {
		if i == 6 {
			words = append(words, "…")
			break
		}
		d := millis(m)
		switch {
		case d < probeNoise:
			words = append(words, "none")
		case d < time.Second:
			words = append(words, d.Round(time.Millisecond).String())
		default:
			words = append(words, d.Round(10*time.Millisecond).String())
		}
	}
	return strings.Join(words, " ")
}
