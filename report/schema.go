package report

import (
	_ "embed"
	"slices"
)

//go:embed schema/result.v1.json
var schemaJSON []byte

// SchemaJSON is the JSON Schema of both documents, a result and a set.
func SchemaJSON() []byte { return slices.Clone(schemaJSON) }
