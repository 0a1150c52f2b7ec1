package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/file"
)

// layerPolicies reads the files that --policy names, each for one layer.
func layerPolicies(flags []string) ([]scenarios.LayerPolicies, error) {
	var out []scenarios.LayerPolicies
	seen := map[string]string{}
	for _, text := range flags {
		layer, name := layerAndFile(text)
		if other, twice := seen[layer]; twice {
			return nil, fmt.Errorf("--policy %s: %s has that of %s already: keep one file for each layer", text, layer, other)
		}
		seen[layer] = name
		policies, err := readPolicies(name)
		if err != nil {
			return nil, fmt.Errorf("--policy: %w", err)
		}
		short := filepath.Base(name)
		if layer != topology.ClientName {
			short = layer + "=" + short
		}
		out = append(out, scenarios.LayerPolicies{Layer: layer, Policies: policies, Text: short})
	}
	return out, nil
}

// layerAndFile splits LAYER=FILE. No layer has a dot or a slash in its name, so a file
// whose name has a = can be written with its folder in front: ./a=b.yaml.
func layerAndFile(text string) (layer, name string) {
	layer, name, both := strings.Cut(text, "=")
	if !both || strings.ContainsAny(layer, `./\`) {
		return topology.ClientName, text
	}
	return layer, name
}

func readPolicies(name string) ([]topology.Policy, error) {
	if name == "" {
		return nil, fmt.Errorf("the name of a file is missing: write --policy policy.yaml, or --policy a=policy.yaml for another layer than the client")
	}
	data, err := readBounded(name, "labctl audit writes one with -o")
	if err != nil {
		return nil, err
	}
	return file.ReadPolicies(name, data)
}
