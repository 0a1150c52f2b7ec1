package main

import (
	"slices"

	"labctl/report"
)

// inCommon cuts a baseline and the run of a changed lab down to what both can
// say: a variant that no flag left room for is not missing, and a figure whose
// setting was changed is not worse.
func inCommon(baseline, now report.Result) (report.Result, report.Result) {
	ran := map[string]bool{}
	for _, v := range now.Variants {
		ran[v.Name] = true
	}
	baseline.Variants = slices.DeleteFunc(slices.Clone(baseline.Variants), func(v report.Variant) bool { return !ran[v.Name] })
	judged := map[string]bool{}
	for _, f := range now.Figures {
		judged[f.ID] = f.Verdict != report.NotComparable
	}
	unjudged := func(f report.Figure) bool { return !judged[f.ID] }
	baseline.Figures = slices.DeleteFunc(slices.Clone(baseline.Figures), unjudged)
	now.Figures = slices.DeleteFunc(slices.Clone(now.Figures), unjudged)
	return baseline, now
}
