// Package results carries the baselines of the built-in scenarios, which
// labctl check compares with. The files are written by make targets and by
// labctl check --update only.
package results

import "embed"

// Check holds check/NAME.json, the baseline of each scenario.
//
//go:embed check/*.json
var Check embed.FS
