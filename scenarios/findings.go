package scenarios

import (
	"fmt"
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
	bins, least := nonEmpty(v.RetryBins)
	places := fmt.Sprintf("%d bins", bins)
	if bins == 1 {
		places = "one bin"
	}
	code, how := "retries-spread", fmt.Sprintf("the retries spread over %s, %d in the fullest", places, v.RetryPeak)
	if least >= v.Requests {
		code, how = "retries-in-step", fmt.Sprintf("the whole herd comes back at once, %d in one bin", v.RetryPeak)
	}
	message := fmt.Sprintf("%s; the first wave stays at %d, the load at %d hits", how, v.FirstWave, v.Hits)
	return report.Finding{Code: code, Variant: v.Name, Message: message}, true
}

// nonEmpty is how many bins hold anything, and the least that one of them holds.
func nonEmpty(bins []int64) (n int, least int64) {
	for _, b := range bins {
		if b == 0 {
			continue
		}
		if n++; n == 1 || b < least {
			least = b
		}
	}
	return n, least
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
