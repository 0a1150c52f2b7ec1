package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/bound"
)

// findings says in plain words what the variants show, by one engine. The cells
// of a grid say it by themselves.
func (p Plan) findings(vs []report.Variant, engine string) []report.Finding {
	var out []report.Finding
	for _, v := range vs {
		if v.Group != "" || v.Engine != engine {
			continue
		}
		if f, ok := p.multiplies(v); ok {
			out = append(out, f)
		}
		if f, ok := returns(v); ok && p.releases(v.Name) {
			out = append(out, f)
		}
	}
	return append(out, p.alike(vs)...)
}

// alike says which variants a run stands for that are no longer told apart.
func (p Plan) alike(vs []report.Variant) []report.Finding {
	var out []report.Finding
	for _, r := range p.Runs {
		ran := slices.ContainsFunc(vs, func(v report.Variant) bool { return v.Name == r.Name })
		if r.Alike == nil || !ran {
			continue
		}
		message := andList(r.Alike) + " are alike with these flags, and run once"
		out = append(out, report.Finding{Code: "variants-alike", Variant: r.Name, Message: message})
	}
	return out
}

// multiplies names the layers of a path that retry, and what that comes to.
func (p Plan) multiplies(v report.Variant) (report.Finding, bool) {
	var names, factors []string
	product := int64(1)
	for _, l := range p.worstWay(v.Name) {
		if l.Attempts < 2 {
			continue
		}
		names = append(names, l.Name)
		factors = append(factors, strconv.FormatInt(l.Attempts, 10))
		product = topology.SatMul(product, l.Attempts)
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

// worstWay is the layers that retry on the way to the tail which multiplies most.
func (p Plan) worstWay(variant string) []bound.Layer {
	for _, r := range p.Runs {
		if r.Name == variant {
			services := bound.Of(&r.Topology).Services
			return services[len(services)-1].Layers
		}
	}
	return nil
}

// returns says how a herd's retries come back.
func returns(v report.Variant) (report.Finding, bool) {
	if v.Requests < 2 || v.RetryPeak == 0 {
		return report.Finding{}, false
	}
	code, how := "retries-spread", fmt.Sprintf("the retries spread over %s, %d in the fullest", binsWord(v.RetryBins), v.RetryPeak)
	if inStep(v.RetryBins, v.Requests) {
		herd := "the whole herd"
		if v.RetryPeak < v.Requests {
			herd = "nearly the whole herd"
		}
		code, how = "retries-in-step", fmt.Sprintf("%s comes back at once, %d in one bin", herd, v.RetryPeak)
	}
	message := fmt.Sprintf("%s; the first wave stays at %d, the load at %d hits", how, v.FirstWave, v.Hits)
	return report.Finding{Code: code, Variant: v.Name, Message: message}, true
}

// inStep reports whether more than half of the retries come in bins that hold the
// herd. Not all need to: the last wave of a run that ends in its middle is a part of
// the herd, and at the edge of a bin a live one is cut in two. A tenth may be missing,
// of clients that are through or late.
func inStep(bins []int64, herd int64) bool {
	waves, retries := int64(0), int64(0)
	for _, b := range bins {
		waves += (b + herd/10) / herd
		retries += b
	}
	return 2*waves*herd > retries
}

// binsWord is how many bins hold anything.
func binsWord(bins []int64) string {
	n := 0
	for _, b := range bins {
		if b > 0 {
			n++
		}
	}
	if n == 1 {
		return "one bin"
	}
	return fmt.Sprintf("%d bins", n)
}

// releases reports whether a variant releases a herd that asks once: of other loads
// nothing comes back at once.
func (p Plan) releases(variant string) bool {
	for _, r := range p.Runs {
		if r.Name == variant {
			load := r.Topology.Load
			return !load.Open() && load.Clients() > 1 && load.PerClient(load.Herd) == 1
		}
	}
	return false
}

func andList(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
