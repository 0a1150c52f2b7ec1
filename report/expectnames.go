package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labctl/internal/suggest"
)

// unknownField says that a name is none, and which is near.
func unknownField(layers, routes []string, name string) error {
	if owner, rest, ok := strings.Cut(name, "."); ok && owner != "outcomes" {
		owners := slices.Concat(layers, routes, []string{"tail"})
		message := fmt.Sprintf("%s: there is no layer or route %s", quoted(name), quoted(owner))
		if near := suggest.Nearest(owner, owners); near != "" {
			return fmt.Errorf("%s: did you mean %s.%s?", message, near, label(rest))
		}
		return fmt.Errorf("%s: choose %s", message, some(owners))
	}
	known := append(variantFields.sorted(), "orphans", "duplicates", "recovered_at")
	return choose(quoted(name)+" is no number of a result", strings.TrimPrefix(name, "outcomes."), "", known)
}

// noField says that a layer or route has no such number, and what there is.
func noField(layers, routes []string, name, owner, rest string) error {
	i := slices.Index(layers, owner)
	if i < 0 && slices.Contains(routes, owner) {
		return choose(fmt.Sprintf("%s: route %s has no %s", quoted(name), owner, label(rest)), rest, owner+".", routeFields.sorted())
	}
	if f, ok := variantFields.named(rest); ok && among(latencyNames, f.name) {
		return fmt.Errorf("%s: only the latency of whole requests is recorded, not that of %s: write %s.%s, or %s.time.total for the mean wait for it",
			quoted(name), owner, layers[0], label(rest), owner)
	} else if ok {
		return fmt.Errorf("%s: %s is of the whole run or its tail, not of %s: write %s, or choose %s of this layer",
			quoted(name), label(rest), owner, label(rest), strings.Join(layerFields.sorted(), ", "))
	}
	if kind, last, ok := strings.Cut(rest, "."); ok {
		if known := signalFields[kind]; known != nil {
			return choose(fmt.Sprintf("%s: a %s has no %s", quoted(name), kind, label(last)), last, owner+"."+kind+".", known.sorted())
		}
		var kinds []string
		for kind := range signalFields {
			kinds = append(kinds, kind)
		}
		slices.Sort(kinds)
		return choose(fmt.Sprintf("%s: %s is nothing that a layer is watched by", quoted(name), quoted(kind)), kind, owner+".", kinds)
	}
	known := slices.Concat(layerFields.sorted(), strings.Fields(binFields))
	if i < 0 || i == len(layers)-1 {
		known = slices.Concat(known, strings.Fields(tailFields), []string{"orphans", "duplicates"})
	}
	if i == 0 {
		known = slices.Concat(known, strings.Fields(latencyNames))
	}
	return choose(fmt.Sprintf("%s: %s has no %s", quoted(name), owner, label(rest)), rest, owner+".", known)
}

// choose ends an error with the near name, or with all there are.
func choose(message, word, prefix string, known []string) error {
	if near := suggest.Nearest(word, known); near != "" {
		return fmt.Errorf("%s: did you mean %s%s?", message, prefix, near)
	}
	return fmt.Errorf("%s: choose %s", message, some(known))
}

// some lists names as far as a line has room.
func some(names []string) string {
	const most = 40
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "…")
	}
	return strings.Join(names, ", ")
}

// quoted is foreign text in a message: harmless, and of bounded length.
func quoted(s string) string { return strconv.Quote(label(s)) }
