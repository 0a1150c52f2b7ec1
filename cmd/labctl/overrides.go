package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/policy"
)

// given returns the value of a flag that was given.
func given(c *cobra.Command, name string) (string, bool) {
	f := c.Flags().Lookup(name)
	if f == nil || !f.Changed {
		return "", false
	}
	return f.Value.String(), true
}

// givenFlags names the flags that change the lab, of those that were given.
func givenFlags(c *cobra.Command) []string {
	changes := map[string]bool{"attempts": true, "policy": true, "fault": true, "set": true}
	for _, p := range perLayerFlags {
		changes[p.name] = true
	}
	for _, p := range plainFlags {
		changes[p.name] = true
	}
	var names []string
	c.Flags().Visit(func(f *pflag.Flag) {
		if changes[f.Name] {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// overrides turns the flags that were given into changes of a scenario.
func (f *labFlags) overrides(c *cobra.Command, s scenarios.Scenario) (scenarios.Overrides, error) {
	o := scenarios.Overrides{Grid: f.grid}
	if text, ok := given(c, "attempts"); ok {
		attempts, err := parseAttempts(text)
		if err != nil {
			return o, err
		}
		o.Attempts = attempts
	}
	policies, err := layerPolicies(f.policy)
	if err != nil {
		return o, err
	}
	o.Policies = policies
	for _, p := range perLayerFlags {
		if text, ok := given(c, p.name); ok {
			o.PerLayer = append(o.PerLayer, scenarios.LayerSetting{Flag: "--" + p.name, Field: p.name, Values: layerValues(text)})
		}
	}
	if err := plainSettings(c, &o); err != nil {
		return o, err
	}
	if program, ok := given(c, "fault"); ok {
		if strings.TrimSpace(program) == "" {
			return o, errors.New(`--fault "": say a fault program such as 503, or ok for a tail that works`)
		}
		o.Set = append(o.Set, topology.Setting{Path: "services." + tailName(s, o) + ".fault", Value: program})
	}
	for _, s := range f.set {
		path, value, ok := strings.Cut(s, "=")
		if !ok || path == "" {
			return o, fmt.Errorf("--set %q: write it as path=value, e.g. run.bin=10ms", s)
		}
		value, err := fileValue(value)
		if err != nil {
			return o, fmt.Errorf("--set %s: %w", path, err)
		}
		o.Set = append(o.Set, topology.Setting{Path: path, Value: value})
	}
	return o, nil
}

// fileValue is the content of a file for a value @FILE, such as a long list of
// arrivals, and any other value as it is.
func fileValue(value string) (string, error) {
	name, is := strings.CutPrefix(value, "@")
	if !is {
		return value, nil
	}
	info, err := os.Stat(name)
	if err == nil && info.Size() > maxValueFile {
		return "", fmt.Errorf("%s is over the limit of %d MiB", name, maxValueFile>>20)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", name, unwrapPath(err))
	}
	return string(data), nil
}

// maxValueFile bounds a file that a value is read from: some ten million
// arrivals.
const maxValueFile = 128 << 20

func plainSettings(c *cobra.Command, o *scenarios.Overrides) error {
	for _, p := range plainFlags {
		value, ok := given(c, p.name)
		if !ok {
			continue
		}
		if p.check != nil {
			if err := p.check("--"+p.name, value); err != nil {
				return err
			}
		}
		o.Set = append(o.Set, topology.Setting{Path: p.path, Value: value})
	}
	return nil
}

// layerValues splits a value per layer. Spaces are what a list gets when it is
// written in quotes.
func layerValues(text string) []string {
	values := strings.Split(text, ",")
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	return values
}

// tailName is the tail of the chain that will be run.
func tailName(s scenarios.Scenario, o scenarios.Overrides) string {
	if o.Attempts != nil {
		return topology.LayerName(len(o.Attempts))
	}
	return s.Topology.Tail().Name
}

// parseAttempts reads --attempts 3,3,3.
func parseAttempts(text string) ([]int, error) {
	var out []int
	for _, word := range layerValues(text) {
		if word == "unlimited" {
			out = append(out, policy.Unlimited)
			continue
		}
		n, err := strconv.Atoi(word)
		switch {
		case word == "":
			return nil, fmt.Errorf("--attempts %q: a number is missing: write attempts per layer, outermost first, such as 3,3,3", text)
		case errors.Is(err, strconv.ErrRange) && word[0] != '-', n > topology.MaxAttempts:
			return nil, fmt.Errorf("--attempts %q: %s is over the limit of %d: say unlimited, and when the run ends with --until", text, word, topology.MaxAttempts)
		case err != nil && !errors.Is(err, strconv.ErrRange):
			return nil, fmt.Errorf("--attempts %q: %q is not a whole number: write attempts per layer, outermost first, such as 3,3,3", text, word)
		case n < 1:
			return nil, fmt.Errorf("--attempts %q: %s would never call: say 1 for a single try (0 retries)", text, word)
		}
		out = append(out, n)
	}
	return out, nil
}

// countUpTo checks a count, and says how to write what is one in disguise.
func countUpTo(limit int64) func(flag, value string) error {
	return func(flag, value string) error {
		n, err := strconv.ParseInt(value, 10, 64)
		tooLarge := errors.Is(err, strconv.ErrRange) && n > 0
		switch {
		case tooLarge, err == nil && n > limit:
			return fmt.Errorf("%s: %s is over the limit of %d", flag, value, limit)
		case err == nil && n < 1:
			return fmt.Errorf("%s: %d would send nothing: say 1 or more", flag, n)
		case err == nil:
			return nil
		}
		plain := strings.NewReplacer(",", "", "_", "", " ", "", "'", "").Replace(value)
		if f, err := strconv.ParseFloat(plain, 64); err == nil && f >= 1 && f <= float64(limit) && f == math.Trunc(f) {
			return fmt.Errorf("%s: %q is not a whole number: write %d", flag, value, int64(f))
		}
		return fmt.Errorf("%s: %q is not a whole number: say 1 or more", flag, value)
	}
}

func seedNumber(flag, value string) error {
	if _, err := strconv.ParseUint(value, 10, 64); err != nil {
		return fmt.Errorf("%s: %q is no seed: say a whole number from 0 to %d", flag, value, uint64(1<<64-1))
	}
	return nil
}
