//go:build race

package scenarios_test

const underRace = true
