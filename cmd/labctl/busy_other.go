//go:build !linux

package main

// busyness is not known here.
func busyness() string { return "" }
