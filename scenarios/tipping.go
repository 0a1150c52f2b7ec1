package scenarios

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
)

// Tipping looks for the value of a setting at which a condition tips.
type Tipping struct {
	Over   Over
	Expect report.Expect
	Runs   int // that it takes at most
	// Ends are the runs with the lowest value and the highest, to look over before
	// anything starts.
	Ends [2]Run

	scenario   Scenario
	variant    Variant
	overrides  Overrides
	resolution int64 // in steps
	grid       int64 // of the values that are tried, a round number
}

// NewTipping makes sure that both ends can be run. Resolution is a share of the
// range, as 1%, or an amount of the setting's unit.
func NewTipping(s Scenario, v Variant, o Overrides, over Over, e report.Expect, resolution string) (Tipping, error) {
	t := Tipping{Over: over, Expect: e, scenario: s, variant: v, overrides: o}
	if err := t.resolve(resolution); err != nil {
		return Tipping{}, err
	}
	for i, a := range []Amount{over.Low, over.High} {
		r, err := t.at(a)
		if err != nil {
			return Tipping{}, err
		}
		t.Ends[i] = r
	}
	if whole := over.Low.whole(); t.grid%whole != 0 && !t.fractions() {
		t.resolution = max(t.resolution, whole)
		t.grid = roundDown(t.resolution/whole) * whole
	}
	t.Runs = 2 + bits.Len64(uint64((over.High.Steps-over.Low.Steps-1)/t.grid))
	return t, t.check()
}

// resolve reads the resolution.
func (t *Tipping) resolve(text string) error {
	width := t.Over.High.Steps - t.Over.Low.Steps
	if share, ok := strings.CutSuffix(text, "%"); ok {
		f, err := strconv.ParseFloat(share, 64)
		if err != nil || !(f > 0 && f < 100) {
			return fmt.Errorf("--resolution %q: say a share of the range, such as 1%%", text)
		}
		t.resolution = max(1, int64(f/100*float64(width)))
	} else {
		a, err := parseAmount(text)
		if err != nil || a.Unit != t.Over.Low.Unit || a.Steps < 1 || a.Steps >= width {
			return fmt.Errorf("--resolution %q: say a share of the range, such as 1%%, or a smaller amount of what the setting is made of, %v", text, t.Over.High)
		}
		t.resolution = a.Steps
	}
	t.grid = roundDown(t.resolution)
	return nil
}

// roundDown is the largest of 1, 2, 5, 10, 20, … that n is not below.
func roundDown(n int64) int64 {
	power := int64(1)
	for n/power >= 10 {
		power *= 10
	}
	for _, d := range []int64{5, 2} {
		if n/power >= d {
			return d * power
		}
	}
	return power
}

// fractions reports whether the setting takes numbers that are not whole.
func (t *Tipping) fractions() bool {
	a := t.Over.Low
	a.Steps += a.whole() - a.Steps%a.whole() - 1
	_, err := t.at(a)
	return err == nil
}

// check refuses a condition on what the result will not have.
func (t *Tipping) check() error {
	if err := CheckExpectation(&t.Ends[0].Topology, t.Expect); err != nil {
		return fmt.Errorf("--for: %w", err)
	}
	return nil
}

func (t *Tipping) at(a Amount) (Run, error) {
	r, err := t.scenario.run(t.variant, t.overrides.with(topology.Setting{Path: t.Over.Path, Value: t.Over.Value(a)}))
	r.Name = t.Over.Value(a)
	if err != nil {
		return r, fmt.Errorf("--over %s=%s: %w", t.Over.Path, r.Name, err)
	}
	return r, nil
}

// with adds a setting, which wins.
func (o Overrides) with(s topology.Setting) Overrides {
	o.Set = append(o.Set[:len(o.Set):len(o.Set)], s)
	return o
}

// Probe is what one value gave.
type Probe struct {
	Amount  Amount
	Run     Run
	Verdict report.Verdict
	At      string // when it recovered, where that is what is asked
}

// Tip is where the condition tips: the last value with which it holds and the
// first with which it does not, in whichever direction.
type Tip struct {
	Holds, Fails Probe
	Runs         int
}

// ErrNoTip says that the condition holds at both ends, or at neither.
var ErrNoTip = errors.New("there is no tipping point")

// Find bisects. It takes for granted that the condition tips once.
func (t *Tipping) Find(ctx context.Context, engine Engine) (Tip, error) {
	low, err := t.probe(ctx, engine, t.Over.Low)
	if err != nil {
		return Tip{}, err
	}
	high, err := t.probe(ctx, engine, t.Over.High)
	switch {
	case err != nil:
		return Tip{}, err
	case low.Verdict.Pass && high.Verdict.Pass:
		return Tip{}, fmt.Errorf("%w: %s holds at %s (%s) and at %s (%s): widen the range",
			ErrNoTip, Asked(t.Expect), low.Run.Name, low.Measured(), high.Run.Name, high.Measured())
	case !low.Verdict.Pass && !high.Verdict.Pass:
		return Tip{}, fmt.Errorf("%w: %s holds neither at %s (%s) nor at %s (%s): widen the range",
			ErrNoTip, Asked(t.Expect), low.Run.Name, low.Measured(), high.Run.Name, high.Measured())
	}
	tip := Tip{Runs: 2}
	for high.Amount.Steps-low.Amount.Steps > t.resolution {
		middle, err := t.probe(ctx, engine, t.between(low.Amount, high.Amount))
		if err != nil {
			return Tip{}, err
		}
		tip.Runs++
		if middle.Verdict.Pass == low.Verdict.Pass {
			low = middle
		} else {
			high = middle
		}
	}
	tip.Holds, tip.Fails = low, high
	if high.Verdict.Pass {
		tip.Holds, tip.Fails = high, low
	}
	return tip, nil
}

// between is a round number near the middle of two that are further apart than
// round numbers are.
func (t *Tipping) between(low, high Amount) Amount {
	middle := low
	middle.Steps = (low.Steps + (high.Steps-low.Steps)/2) / t.grid * t.grid
	if middle.Steps <= low.Steps {
		middle.Steps += t.grid
	}
	return middle
}

func (t *Tipping) probe(ctx context.Context, engine Engine, a Amount) (Probe, error) {
	r, err := t.at(a)
	if err != nil {
		return Probe{}, err
	}
	var got report.Result
	if err := runOne(ctx, &got, r, engine); err != nil {
		return Probe{}, err
	}
	if got.Partial {
		return Probe{}, live.ErrInterrupted
	}
	p := Probe{Amount: a, Run: r, Verdict: report.JudgeExpectations(got, []report.Expect{t.Expect})[0]}
	if p.Verdict.Measured == nil && !p.Verdict.Pass {
		return Probe{}, fmt.Errorf("%s with %s=%s: %s", t.Expect.Field, t.Over.Path, r.Name, p.Verdict.Why)
	}
	if t.Expect.Field == "recovered" {
		p.At = report.JudgeExpectations(got, []report.Expect{{Field: "recovered_ms", Condition: ">= 0"}})[0].Shown
	}
	return p, nil
}

// Measured is what the value gave, for people.
func (p Probe) Measured() string {
	if p.At != "" && p.At != "never" {
		return p.Verdict.Shown + ", from " + p.At + " on"
	}
	return p.Verdict.Shown
}

// Asked is a condition as a file writes it.
func Asked(e report.Expect) string { return e.Field + ": " + strings.TrimSpace(e.Condition) }

// Variant is the variant that shows the probe when it is run with this setting; empty:
// none does, or there is no other.
func (t *Tipping) Variant(p Probe) string {
	rows := only(t.scenario.Variants, func(v Variant) bool { return v.Group == "" })
	if t.variant.Name != "" || len(rows) < 2 {
		return t.variant.Name
	}
	o := t.overrides.with(topology.Setting{Path: t.Over.Path, Value: p.Run.Name})
	name := ""
	for _, v := range rows {
		r, err := t.scenario.run(v, o)
		switch {
		case err != nil || !sameLab(r.Topology, p.Run.Topology):
		case r.Published: // of several the one that says most of it
			return v.Name
		case name == "":
			name = v.Name
		}
	}
	return name
}
