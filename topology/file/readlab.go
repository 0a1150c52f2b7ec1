package file

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"labctl/topology"
)

var labKeys = []string{"version", "title", "text", "load", "services", "variants", "run", "expect"}

func (r *reader) lab(lab *Lab) error {
	all, err := r.keys(r.root, "", labKeys...)
	if err != nil {
		return err
	}
	if err := r.version(all); err != nil {
		return err
	}
	services := false
	for _, e := range all {
		switch e.key {
		case "title":
			lab.Title, err = r.title(e)
		case "text":
			lab.Text, err = r.value(e.of, e.path)
			lab.Text = strings.TrimSpace(lab.Text)
		case "load":
			err = r.load(&lab.Topology.Load, e)
		case "services":
			services = true
			lab.Topology.Services, err = r.services(e)
		case "variants":
			lab.Variants, err = r.variants(e)
		case "run":
			err = r.run(lab, e)
		case "expect":
			lab.Expect, err = r.expect(e)
		}
		if err != nil {
			return err
		}
	}
	if !services {
		return r.fail(r.root, "services", "there are none: say who calls whom, such as services: {client: {calls: [{to: a}]}, a: {fault: 503}}")
	}
	return nil
}

// version comes first, so that a file of another version is not read as this one.
func (r *reader) version(all []entry) error {
	for _, e := range all {
		if e.key != "version" {
			continue
		}
		if v, err := r.value(e.of, e.path); err != nil || v != "1" {
			return r.fail(e.of, e.path, "%s: this labctl reads version 1", what(e.of))
		}
		return nil
	}
	return r.fail(r.root, "version", "it is missing: start with version: 1")
}

func (r *reader) title(e entry) (string, error) {
	text, err := r.value(e.of, e.path)
	text = strings.TrimSpace(text)
	if err == nil && strings.Contains(text, "\n") {
		return "", r.fail(e.of, e.path, "a title is one line: the rest belongs into text")
	}
	return text, err
}

// run reads how to run; repeats is no field of a topology.
func (r *reader) run(lab *Lab, e entry) error {
	part := lab.Topology.Run.Part()
	fields := part.Fields()
	all, err := r.keys(e.of, e.path, append(names(fields), "repeats")...)
	if err != nil {
		return err
	}
	for _, e := range all {
		if e.key != "repeats" {
			if err := r.set(part, fields, e); err != nil {
				return err
			}
			continue
		}
		text, err := r.value(e.of, e.path)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > MaxRepeats {
			return r.fail(e.of, e.path, "%q is not a whole number from 1 to %d", text, MaxRepeats)
		}
		lab.Repeats = n
	}
	return nil
}

func (r *reader) variants(e entry) ([]Variant, error) {
	all, err := r.entries(e.of, e.path)
	if err != nil {
		return nil, err
	}
	if len(all) > MaxVariants {
		return nil, r.fail(e.of, e.path, "%d are over the limit of %d", len(all), MaxVariants)
	}
	var out []Variant
	for _, e := range all {
		if err := r.goodName(e.name, "variants", e.key); err != nil {
			return nil, err
		}
		r.mark(e.path, e.path, e.name)
		v, err := r.variant(e)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (r *reader) variant(e entry) (Variant, error) {
	v := Variant{Name: e.key}
	all, err := r.keys(e.of, e.path, "services", "set", "expect")
	if err != nil {
		return v, err
	}
	for _, e := range all {
		switch e.key {
		case "services":
			v.Services, err = r.services(e)
		case "set":
			v.Set, err = r.settings(e)
		case "expect":
			v.Expect, err = r.expect(e)
		}
		if err != nil {
			return v, err
		}
	}
	return v, nil
}

// settings reads paths and their values, which are tried when all is read.
func (r *reader) settings(e entry) ([]topology.Setting, error) {
	all, err := r.texts(e, r.values)
	if err != nil {
		return nil, err
	}
	var out []topology.Setting
	for _, t := range all {
		out = append(out, topology.Setting{Path: t.key, Value: t.text})
	}
	return out, nil
}

func (r *reader) expect(e entry) ([]Expectation, error) {
	all, err := r.texts(e, r.value)
	if err != nil {
		return nil, err
	}
	var out []Expectation
	for _, t := range all {
		if strings.TrimSpace(t.text) == "" {
			return nil, r.fail(t.of, t.path, "the condition is empty: say one, such as \"<= 3\"")
		}
		out = append(out, Expectation{Field: t.key, Condition: t.text, Line: t.of.Line, Column: t.of.Column})
	}
	return out, nil
}

type text struct {
	entry
	text string
}

// maxKey keeps keys that are paths on one line, where YAML wants them.
const maxKey = 500

// texts reads a map of paths to values.
func (r *reader) texts(e entry, read func(*yaml.Node, string) (string, error)) ([]text, error) {
	all, err := r.entries(e.of, e.path)
	if err != nil {
		return nil, err
	}
	var out []text
	for _, e := range all {
		if e.key == "" || len(e.key) > maxKey || strings.ContainsAny(e.key, "\n") {
			return nil, r.fail(e.name, e.path, "a key here is the path of a field, on one line")
		}
		r.mark(e.path, e.path, e.name)
		v, err := read(e.of, e.path)
		if err != nil {
			return nil, err
		}
		out = append(out, text{e, v})
	}
	return out, nil
}
