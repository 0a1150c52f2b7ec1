// Package cases carries labs of real faults, taken from public bug reports, papers
// and incident reports, each with the numbers that are right for it as its
// expectations. The files are named by their cases, and each runs as
//
//	labctl run scenarios/cases/a01-mesh-multiplies.yaml --engine sim
//
// Use them to see whether an engine, or a change of one, still behaves as things
// did outside; and as examples of labs that are about one thing.
package cases

import "embed"

// Files holds NAME.yaml, a lab each; a case may have several.
//
//go:embed *.yaml
var Files embed.FS
