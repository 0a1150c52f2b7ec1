package program_test

import (
	"fmt"
	"time"

	"labctl/faultserver/program"
)

func Example() {
	p, err := program.Parse("503@0s..2s,429+retry-after=1x2,ok")
	if err != nil {
		fmt.Println(err)
		return
	}
	service := program.NewState(p)
	for _, at := range []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second} {
		fmt.Println(at, service.Next("", at, 0))
	}
	// Output:
	// 0s 503
	// 1s 503
	// 2s 429+retry-after=1
	// 3s 429+retry-after=1
	// 4s ok
}

func ExampleParse_error() {
	_, err := program.Parse("503x2,rest")
	fmt.Println(err)
	// Output:
	// fault program: step 2 "rest": unknown action "rest"; known are ok, a status such as 503, reset, close, hang, refuse, truncate, halfreset, malformed, badchunk, slow, stall, lost, throttle=10/s; did you mean reset?
}

func ExampleProgram_String() {
	fmt.Println(program.MustParse("delay=1500ms+503, delay=60m"))
	// Output:
	// 503+delay=1.5s,ok+delay=1h
}
