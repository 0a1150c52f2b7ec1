package lab_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// TestMain makes properties try the same cases every time.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
