package scenarios_test

import (
	"testing"

	"labctl/scenarios"
)

// The most likely way to explain a count comes first.
func TestReadings(t *testing.T) {
	for _, tt := range []struct {
		count int64
		ways  int
		first string
		note  string
	}{
		{1, 1, "[]", "no layer retries"},
		{2, 1, "[2]", "one layer of 2 attempts (1 retries)"},
		{3, 1, "[3]", "one layer of 3 attempts (2 retries)"},
		{4, 2, "[4]", "one layer of 4 attempts (3 retries)"},
		{9, 2, "[3 3]", "2 layers of 3 attempts each"},
		{12, 4, "[3 4]", "2 layers, in any order"},
		{27, 3, "[3 3 3]", "3 layers of 3 attempts each"},
		{81, 5, "[3 3 3 3]", "4 layers of 3 attempts each"},
		{13, 1, "[13]", "one layer of 13 attempts (12 retries)"}, // a prime has one explanation
		{999_983, 1, "[999983]", "one layer of 999983 attempts (999982 retries)"},
		{1_000_000, 1043, "", ""},
		{907_200, 22_711, "", ""}, // the most that any count has
	} {
		got, err := scenarios.Readings(tt.count)
		if err != nil {
			t.Errorf("%d: %v", tt.count, err)
			continue
		}
		equal(t, text(tt.count)+": ways", len(got), tt.ways)
		if tt.first != "" {
			equal(t, text(tt.count)+": first", text(got[0].Factors), tt.first)
			equal(t, text(tt.count)+": note", got[0].Note, tt.note)
		}
	}
}

// Every reading of every count is a product of factors above 1 that gives the
// count, and none stands twice.
func TestReadingsAreProducts(t *testing.T) {
	for count := int64(1); count <= 2000; count++ {
		readings, err := scenarios.Readings(count)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, r := range readings {
			product := int64(1)
			for _, f := range r.Factors {
				product *= f
				if f < 2 {
					t.Errorf("%d: a factor of %d", count, f)
				}
			}
			if product != count || r.Count != count || r.Layers != len(r.Factors) || seen[text(r.Factors)] {
				t.Errorf("%d: reading %+v", count, r)
			}
			seen[text(r.Factors)] = true
		}
	}
}

func TestReadingsRefuse(t *testing.T) {
	for count, want := range map[int64]string{
		0:         "--count: 0 is not from 1 to 1000000: say how many hits the tail counted for one request",
		-9:        "--count: -9 is not from 1 to 1000000: say how many hits the tail counted for one request",
		1_000_001: "--count: 1000001 is not from 1 to 1000000: say how many hits the tail counted for one request",
	} {
		_, err := scenarios.Readings(count)
		equal(t, text(count), text(err), want)
	}
}
