//go:build js

// Command wasm is what the page asks where no labctl serves it: the simulator in the
// browser. It gives the page's script two functions, which return JSON as the API does.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"labctl/ui"
)

func main() {
	labs := ui.BuiltIn().First("jitter-herd")
	js.Global().Set("labctlLabs", js.FuncOf(func(js.Value, []js.Value) any { return text(labs.Choices()) }))
	js.Global().Set("labctlAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		s, err := ui.ParseState(args[0].String())
		if err != nil {
			return refusal(err)
		}
		a, err := labs.Answer(context.Background(), s)
		if err != nil {
			return refusal(err)
		}
		return text(a)
	}))
	select {} // for as long as the page is there
}

func refusal(err error) string { return text(map[string]string{"error": err.Error()}) }

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return `{"error":"the answer cannot be written as JSON"}`
	}
	return string(data)
}
