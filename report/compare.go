package report

import (
	"fmt"
	"slices"
)

// Difference is one thing that is not as it was. Message says it in a line;
// where a layer caused it, the layer is named.
type Difference struct {
	Variant string `json:"variant,omitempty"`
	Layer   string `json:"layer,omitempty"`
	Field   string `json:"field"`
	Was     any    `json:"was"`
	Now     any    `json:"now"`
	Message string `json:"message"`
	// Informational ones are shown by diff and never fail a check.
	Informational bool `json:"informational,omitempty"`
}

// variantKey tells variants apart: `--engine both` has each name twice.
type variantKey struct{ name, engine string }

func keyOf(v Variant) variantKey { return variantKey{v.Name, v.Engine} }

// Compare lists what differs between a baseline and a new run of the same
// scenario: counts that do not depend on when a hit happens, verdicts of
// figures, and in virtual time the bins as well. Fewer hits are a difference
// too. In every variant the layer that caused the others comes first.
func Compare(baseline, now Result) []Difference {
	c := comparison{scenario: clean(now.Scenario), both: now.Engine == "both"}
	c.field("scenario", baseline.Scenario, now.Scenario, "compare runs of one scenario")
	c.field("engine", baseline.Engine, now.Engine, "run with --engine "+clean(baseline.Engine)+", or renew the baseline with --update")
	if len(c.found) > 0 {
		return c.found
	}
	if now.Partial {
		c.add(Difference{Field: "partial", Was: baseline.Partial, Now: true,
			Message: c.scenario + ": the run was interrupted, so its counts are incomplete: run it again"})
	}
	c.variants(baseline.Variants, now.Variants)
	c.figures(baseline, now)
	return c.found
}

type comparison struct {
	scenario string
	both     bool // names alone do not tell variants apart
	found    []Difference
}

func (c *comparison) add(d Difference) { c.found = append(c.found, d) }

func (c *comparison) field(name, was, now, cure string) {
	if was != now {
		c.add(Difference{Field: name, Was: was, Now: now,
			Message: fmt.Sprintf("%s: %s is %s, was %s: %s", c.scenario, name, clean(now), clean(was), cure)})
	}
}

func (c *comparison) variants(was, now []Variant) {
	old := map[variantKey]Variant{}
	for _, v := range was {
		old[keyOf(v)] = v
	}
	for _, v := range now {
		o, ok := old[keyOf(v)]
		if !ok {
			c.add(Difference{Variant: v.Name, Field: "variant", Now: v.Name, Message: c.path(v) + " is new"})
			continue
		}
		delete(old, keyOf(v))
		c.found = append(c.found, variantDifferences(c.path(v), o, v)...)
	}
	for _, v := range was {
		if _, left := old[keyOf(v)]; left {
			c.add(Difference{Variant: v.Name, Field: "variant", Was: v.Name, Message: c.path(v) + " is missing"})
		}
	}
}

// path names a variant in a message.
func (c *comparison) path(v Variant) string {
	path := c.scenario + "/" + label(v.Name)
	if c.both {
		path += " (" + v.Engine + ")"
	}
	return path
}

// figures compares verdicts. What depends on when hits arrive is left out of
// live runs: there the machine has a say.
func (c *comparison) figures(baseline, now Result) {
	old := figuresByID(baseline)
	for _, f := range comparable(now) {
		same := old[f.ID]
		if len(same) == 0 {
			c.add(Difference{Field: "figure", Now: f.Verdict, Message: fmt.Sprintf("figure %s is new, and %s", clean(f.ID), f.Verdict)})
			continue
		}
		old[f.ID] = same[1:]
		if was := same[0].Verdict; was != f.Verdict {
			c.add(Difference{Field: "verdict", Was: was, Now: f.Verdict, Message: verdictMessage(f, was)})
		}
	}
	for _, f := range comparable(baseline) {
		if left := old[f.ID]; len(left) > 0 {
			old[f.ID] = left[1:]
			c.add(Difference{Field: "figure", Was: f.Verdict, Message: fmt.Sprintf("figure %s is missing", clean(f.ID))})
		}
	}
}

func verdictMessage(f Figure, was string) string {
	text := fmt.Sprintf("figure %s is now %s, was %s", clean(f.ID), f.Verdict, was)
	if f.Why != "" {
		text += ": " + clean(f.Why)
	}
	return text
}

func comparable(r Result) []Figure {
	return slices.DeleteFunc(slices.Clone(r.Figures), func(f Figure) bool { return f.Timing && r.Engine != "sim" })
}

// figuresByID keeps the order of figures that share an id, as those of two
// engines do.
func figuresByID(r Result) map[string][]Figure {
	m := map[string][]Figure{}
	for _, f := range comparable(r) {
		m[f.ID] = append(m[f.ID], f)
	}
	return m
}
