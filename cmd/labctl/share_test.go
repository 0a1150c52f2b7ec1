package main

import "testing"

// Shares of hosts are all clients, and none twice.
func TestShares(t *testing.T) {
	for _, tt := range []struct {
		text           string
		all            int
		first, clients int
		ok             bool
	}{
		{"0/1", 7, 0, 7, true},
		{"0/2", 200, 0, 100, true},
		{"1/2", 200, 100, 100, true},
		{"0/3", 7, 0, 2, true},
		{"1/3", 7, 2, 2, true},
		{"2/3", 7, 4, 3, true},
		{"6/7", 7, 6, 1, true},
		{"3/3", 7, 0, 0, false},
		{"-1/3", 7, 0, 0, false},
		{"0/8", 7, 0, 0, false},
		{"0/0", 7, 0, 0, false},
		{"1", 7, 0, 0, false},
		{"", 7, 0, 0, false},
	} {
		first, clients, err := shareOf(tt.text, tt.all)
		if first != tt.first || clients != tt.clients || (err == nil) != tt.ok {
			t.Errorf("%s of %d: %d from %d, %v", tt.text, tt.all, clients, first, err)
		}
	}
}
