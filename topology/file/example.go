package file

import _ "embed"

//go:embed example.yaml
var example []byte

// Example is a file to start from, with comments that say what there is.
func Example() []byte { return append([]byte(nil), example...) }
