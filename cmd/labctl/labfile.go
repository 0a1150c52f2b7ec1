package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labctl/report"
	"labctl/scenarios"
	"labctl/scenarios/cases"
	"labctl/topology/file"
)

// isFile reports whether a name is that of a file and not of a built-in scenario.
func isFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// readLab reads a lab from a file.
func readLab(name string) (file.Lab, error) {
	if data, err := cases.Files.ReadFile(strings.TrimPrefix(name, casePrefix)); err == nil && strings.HasPrefix(name, casePrefix) {
		return file.Read(name, data)
	}
	data, err := readBounded(name, "labctl init writes one to start from")
	if err != nil {
		return file.Lab{}, err
	}
	return file.Read(name, data)
}

// readBounded reads a file of a size that a lab may have. The cure is for one that is
// not there.
func readBounded(name, cure string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w: %s", name, unwrapPath(err), cure)
	case info.Size() > file.MaxBytes:
		return nil, fmt.Errorf("%s: %d bytes are over the limit of %d", name, info.Size(), file.MaxBytes)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, unwrapPath(err))
	}
	return data, nil
}

// casePrefix begins the names of the cases that the program brings along.
const casePrefix = "cases/"

// caseNames lists them.
func caseNames() []string {
	entries, _ := cases.Files.ReadDir(".") // embedded: it is there
	var names []string
	for _, e := range entries {
		names = append(names, casePrefix+e.Name())
	}
	return names
}

// scenarioOf makes the lab of a file a scenario.
func scenarioOf(name string) (scenarios.Scenario, error) {
	lab, err := readLab(name)
	if err != nil {
		return scenarios.Scenario{}, err
	}
	return scenarios.FromFile(name, lab)
}

// baselineBeside is where the baseline of a file lies.
func baselineBeside(name string) string {
	return strings.TrimSuffix(name, filepath.Ext(name)) + ".baseline.json"
}

// expectationsFail says that some expectation of a file does not hold.
func expectationsFail(results []report.Result) error {
	bad, all := 0, 0
	for _, r := range results {
		all += len(r.Expectations)
		for _, v := range r.Expectations {
			if !v.Pass {
				bad++
			}
		}
	}
	if bad == 0 {
		return nil
	}
	return failed("%d of %s %s not hold", bad, plural(all, "expectation"), map[bool]string{true: "does", false: "do"}[bad == 1])
}

// allFiles reports whether only files are named.
func allFiles(names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return !isFile(n) })
}
