package export_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes properties try the same cases every time; make fuzz tries others.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
