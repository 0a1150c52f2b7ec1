package ui

import (
	"fmt"
	"slices"
	"strconv"

	"labctl/report"
	"labctl/topology"
)

// Sentence is a part of the verdict.
type Sentence struct {
	Text string `json:"text"`
	Mood string `json:"mood"` // good, bad, or plain
}

// The moods of a sentence.
const (
	plain = "plain"
	good  = "good"
	bad   = "bad"
)

// verdict says in words what the numbers show.
func verdict(t topology.Topology, r report.Result, limit int64) []Sentence {
	v := r.Variants[0]
	out := []Sentence{{multiplied(v), plain}}
	if limit > 0 {
		out = append(out, judged(v, limit))
	} else if v.RetryPeak > 0 {
		out = append(out, Sentence{"the retry peak is " + retryPeak(v), plain})
	}
	if text := firstWave(t, v); text != "" {
		out = append(out, Sentence{text, plain})
	}
	return append(out, answered(v))
}

// multiplied says how many hits a request becomes.
func multiplied(v report.Variant) string {
	hits := plural(v.Hits, "hit")
	if v.Requests == 1 {
		return hits + " for one click"
	}
	return fmt.Sprintf("%s for %s: %s each", hits, plural(v.Requests, "request"), strconv.FormatFloat(v.Amplification, 'g', 4, 64))
}

// judged holds the retry peak against the limit.
func judged(v report.Variant, limit int64) Sentence {
	text := report.FormatCount(limit) + " per " + report.FormatBin(v.BinMS)
	switch {
	case v.RetryPeak == 0:
		return Sentence{"no retries, so none above the limit of " + text, good}
	case v.RetryPeak > limit:
		return Sentence{fmt.Sprintf("too many retries at once: the peak is %s, above the limit of %s", retryPeak(v), report.FormatCount(limit)), bad}
	}
	return Sentence{fmt.Sprintf("the retries stay within the limit of %s: their peak is %s", report.FormatCount(limit), retryPeak(v)), good}
}

// retryPeak says how much the fullest bin of the retries holds, and when that is.
func retryPeak(v report.Variant) string {
	text := report.FormatCount(v.RetryPeak) + " per " + report.FormatBin(v.BinMS)
	if i := slices.Index(v.RetryBins, v.RetryPeak); i >= 0 {
		text += " at " + at(i, v)
	}
	return text
}

// oneWave reports whether all first attempts belong together. Arrivals at a rate do
// not, and clients that ask again and again send first attempts all the time.
func oneWave(t topology.Topology) bool {
	return !t.Load.Open() && t.Load.PerClient(t.Load.Herd) == 1 && len(t.Load.Others) == 0
}

// firstWave says what no jitter changes.
func firstWave(t topology.Topology, v report.Variant) string {
	if !oneWave(t) || v.Requests < 2 {
		return ""
	}
	wave := "the first wave is " + report.FormatCount(v.FirstWave)
	if t.Load.Herd.Smear > 0 {
		return fmt.Sprintf("%s, spread over %v by the start of the clients: that does what jitter cannot", wave, t.Load.Herd.Smear)
	}
	return wave + " at 0 ms: no jitter touches it"
}

// answered says how the clients fared.
func answered(v report.Variant) Sentence {
	ok := v.Outcomes.OK + v.Outcomes.Degraded
	end := "after " + report.FormatMillis(v.ElapsedMS)
	if v.ElapsedMS == 0 {
		end = "at once"
	}
	text := fmt.Sprintf("%s of %s answered well", report.FormatCount(ok), plural(v.Requests, "request"))
	switch {
	case v.RecoveredMS < 0:
		return Sentence{text + ", and at the end of the run it has not recovered", bad}
	case v.RecoveredMS > 0:
		return Sentence{text + "; recovered after " + report.FormatMillis(v.RecoveredMS), plain}
	case ok == v.Requests:
		return Sentence{text + ", the last " + end, good}
	case ok == 0:
		return Sentence{text + ": the last client gives up " + end, plain}
	}
	return Sentence{text, plain}
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return report.FormatCount(n) + " " + noun + "s"
}
