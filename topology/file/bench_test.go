package file_test

import (
	"bytes"
	"fmt"
	"testing"

	"labctl/topology/file"
)

// A company's call graph loads in well under a second.
func BenchmarkRead(b *testing.B) {
	data := wide(1000, 10)
	lab, err := file.Read("x.yaml", data)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := file.Read("x.yaml", data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			file.Write(lab)
		}
	})
}

// wide is services in layers, each of which calls so many of the next layer.
func wide(services, calls int) []byte {
	const layers = 20
	width := services / layers
	var out bytes.Buffer
	out.WriteString("version: 1\nservices:\n  client: {calls: [")
	for i := range width {
		fmt.Fprintf(&out, "{to: s%d}, ", i)
	}
	out.WriteString("]}\n")
	for i := range services {
		fmt.Fprintf(&out, "  s%d: {time: 1ms, calls: [", i)
		layer, place := i/width, i%width
		for j := 0; j < calls && layer+1 < layers; j++ {
			fmt.Fprintf(&out, "{to: s%d, policies: [{retry: {attempts: 3, rest: 10ms}}, {timeout: 1s}]}, ", (layer+1)*width+(place+j)%width)
		}
		out.WriteString("]}\n")
	}
	return out.Bytes()
}
