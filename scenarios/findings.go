package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"labctl/report"
	"labctl/topology"
)

// findings says in plain words what the variants show, by one engine. The cells
// of a grid say it by themselves.
func findings(vs []report.Variant, engine string) []report.Finding {
	var out []report.Finding
	for _, v := range vs {
		if v.Group != "" || v.Engine != engine {
			continue
		}
		if f, ok := multiplies(v); ok {
			out = append(out, f)
		}
		if f, ok := returns(v); ok {
			out = append(out, f)
		}
	}
	return out
}

// multiplies names the layers of a path that retry, and what that comes to.
func multiplies(v report.Variant) (report.Finding, bool) {
	var names, factors []string
	product := int64(1)
	for _, l := range v.Layers {
		if l.Policy == nil || l.Policy.Attempts == 1 || l.Policy.Attempts < 0 {
			continue
		}
		names = append(names, l.Name)
		factors = append(factors, strconv.Itoa(l.Policy.Attempts))
		product = topology.SatMul(product, int64(l.Policy.Attempts))
	}
	if len(names) < 2 {
		return report.Finding{}, false
	}
	both := "both"
	if len(names) > 2 {
		both = "all"
	}
	message := fmt.Sprintf("%s %s retry: %s = %d", andList(names), both, strings.Join(factors, " × "), product)
	if v.Hits != product*v.Requests {
		message += fmt.Sprintf(" at most; %s hits per request were seen", strconv.FormatFloat(v.Amplification, 'g', 4, 64))
	}
	return report.Finding{Code: "layers-multiply", Variant: v.Name, Layer: names[len(names)-1], Message: message}, true
}

// returns says how a herd's retries come back.
func returns(v report.Variant) (report.Finding, bool) {
	if v.Requests < 2 || v.RetryPeak == 0 {
		return report.Finding{}, false
	}
	code, how := "retries-spread", fmt.Sprintf("the retries spread over %d bins, %d in the fullest", nonEmpty(v.RetryBins), v.RetryPeak)
	if v.RetryPeak >= v.Requests {
		code, how = "retries-in-step", fmt.Sprintf("the whole herd comes back at once, %d in one bin", v.RetryPeak)
	}
	message := fmt.Sprintf("%s; the first wave stays at %d, the load at %d hits", how, v.FirstWave, v.Hits)
	return report.Finding{Code: code, Variant: v.Name, Message: message}, true
}

func nonEmpty(bins []int64) int {
	n := 0
	for _, b := range bins {
		if b > 0 {
			n++
		}
	}
	return n
}

func andList(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
