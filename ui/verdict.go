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
	Mood string `json:"mood"` // good, warn, bad, or plain
}

// The moods of a sentence.
const (
	plain = "plain"
	good  = "good"
	warn  = "warn"
	bad   = "bad"
)

// verdict says in words what the numbers show. Each sentence has a mood of its own: to
// stay within the limit helps nobody who is not answered.
func verdict(t topology.Topology, r report.Result, most limit) []Sentence {
	v := r.Variants[0]
	out := []Sentence{{multiplied(v), plain}}
	if most.most > 0 {
		out = append(out, judged(v, most))
	} else if v.RetryPeak > 0 {
		out = append(out, Sentence{"the retry peak is " + retryPeak(v), plain})
	}
	if oneWave(t) && v.Requests > 1 {
		out = append(out, firstWave(t, v))
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
func judged(v report.Variant, most limit) Sentence {
	switch {
	case v.RetryPeak == 0:
		return Sentence{fmt.Sprintf("no retries, so none above the limit of %v", most), good}
	case v.RetryPeak > most.most:
		return Sentence{fmt.Sprintf("too many retries at once: the peak is %s, above the limit of %v", retryPeak(v), most), bad}
	}
	return Sentence{fmt.Sprintf("the retries stay within the limit of %v: their peak is %s", most, retryPeak(v)), good}
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

// firstWave says what becomes of the herd: what no jitter changes, and whether it comes
// back as it came.
func firstWave(t topology.Topology, v report.Variant) Sentence {
	wave, smear := "the first wave is "+report.FormatCount(v.FirstWave), t.Load.Herd.Smear
	if smear == 0 {
		wave += " at 0 ms"
	} else {
		wave += fmt.Sprintf(", spread over %v by the start of the clients", smear)
	}
	if n := blocks(t, v); n > 0 {
		return Sentence{fmt.Sprintf("%s, and comes back as a block %s: the retries are not spread", wave, times(n)), warn}
	}
	if smear > 0 {
		return Sentence{wave + ": that does what jitter cannot", plain}
	}
	return Sentence{wave + ": no jitter touches it", plain}
}

// blocks is how often the herd comes back within a bin, where three in four of it count
// as the herd: of a rest of two bins, ±50 % leaves less than two in three in one. Layers
// below the client multiply what comes back, so that no count tells there.
func blocks(t topology.Topology, v report.Variant) int {
	if len(t.Services) != 2 {
		return 0
	}
	n, inside := 0, false
	for _, retries := range v.RetryBins {
		full := 4*retries >= 3*v.Requests
		if full && !inside {
			n++
		}
		inside = full
	}
	return n
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return report.FormatCount(int64(n)) + " times"
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
		return Sentence{text + ": the last client gives up " + end, warn}
	}
	return Sentence{text, plain}
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return report.FormatCount(n) + " " + noun + "s"
}
