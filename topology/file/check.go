package file

import (
	"fmt"
	"strings"

	"labctl/topology"
)

// check validates the lab and each of its variants, and puts the place in front
// of what is wrong.
func (r *reader) check(lab *Lab) error {
	if err := lab.Topology.Validate(); err != nil {
		return r.named(lab, err)
	}
	if len(lab.Variants) == 0 {
		if err := r.ignored(&lab.Topology.Load); err != nil {
			return err
		}
	}
	calls := 0
	for _, s := range lab.Topology.Services {
		calls += 1 + len(s.Calls)
	}
	if n := len(lab.Variants) * calls; n > maxWork {
		return r.at("variants", "%d variants of %d services and calls are over the limit of %d in all: leave some out", len(lab.Variants), calls, maxWork)
	}
	for _, v := range lab.Variants {
		if _, err := lab.Variant(v); err != nil {
			return r.ofVariant(lab, v, err)
		}
	}
	return nil
}

func (r *reader) named(lab *Lab, err error) error {
	path, _, _ := strings.Cut(err.Error(), ": ")
	line, column := lab.Position(path)
	if line == 0 {
		line, column = r.root.Line, r.root.Column
	}
	return &Error{r.name, line, column, clip(err.Error())}
}

// ofVariant finds the setting that an error is about: the one of that path, or
// the one that changed something inside of it, or else the variant.
func (r *reader) ofVariant(lab *Lab, v Variant, err error) error {
	path, _, _ := strings.Cut(err.Error(), ": ")
	at := "variants." + v.Name
	for _, s := range v.Set {
		if s.Path == path || strings.HasPrefix(s.Path, path+".") || strings.HasPrefix(path, s.Path+".") {
			at = at + ".set." + s.Path
			break
		}
	}
	if _, known := r.where[at+"."+path]; known {
		at += "." + path // of services of its own
	}
	line, column := lab.Position(at)
	return &Error{r.name, line, column, clip(fmt.Sprintf("variants.%s: %v", v.Name, err))}
}

// ignored refuses what would do nothing: with a rate requests come from nobody in
// particular. Variants may make use of it, so it is only for labs without.
func (r *reader) ignored(l *topology.Load) error {
	said := func(path string) bool { _, ok := r.where[path]; return ok }
	if !l.Open() && said("load.rate") {
		return r.at("load.rate", "there is no rate: say steps, such as steps: 280/s, or at")
	}
	if !l.Open() {
		return nil
	}
	for _, herd := range []string{"load.herd", "load.loop"} {
		for _, f := range l.Herd.Part().Fields() {
			if path := herd + "." + f.Name; f.Name != "route" && said(path) && l.Herd.Part().Get(f.Name) != "0" {
				return r.at(path, "requests at a rate come from no clients: leave it out, or the rate")
			}
		}
	}
	return nil
}
