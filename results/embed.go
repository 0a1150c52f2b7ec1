// Package results carries the baselines of the built-in scenarios, which
// labctl check compares with, so that a program far from its checkout has them.
// To compare with other numbers, read a result of yours with
// report.ReadJSON.
//
// The files are written by make targets and by labctl check --update only: a
// number in them that nobody can measure again is worth nothing.
package results

import "embed"

// Check holds check/NAME.json, the baseline of each scenario.
//
//go:embed check/*.json
var Check embed.FS
