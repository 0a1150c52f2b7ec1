package imports

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// object is a map of a file. Who reads it takes its keys one by one, and in the
// end [object.rest] lists those that nobody took.
type object struct {
	value
	keys []key
}

// key is one key of a map. Protocol buffers in JSON may spell a field in camel or
// in snake case; its name here is in camel case, its path as the file has it.
type key struct {
	name  string
	at    *yaml.Node
	value value
	taken *bool
}

// object is the value as a map.
func (v value) object() object {
	o := object{value: v}
	if !v.there() {
		return o
	}
	if v.n.Kind != yaml.MappingNode {
		v.fail("%s stands where keys are needed", v.what())
		return o
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(v.n.Content); i += 2 {
		k, of := v.n.Content[i], v.n.Content[i+1]
		if k.Kind != yaml.ScalarNode {
			v.fail("%s cannot be a key", value{v.s, k, ""}.what())
			return o
		}
		name := camel(k.Value)
		entry := value{v.s, of, join(v.path, k.Value)}
		if line, twice := lines[name]; twice {
			value{v.s, k, entry.path}.fail("the key stands twice, also on line %d: keep one", line)
		}
		lines[name] = k.Line
		if of.Kind == yaml.ScalarNode && of.Tag == "!!null" {
			continue // as good as not said
		}
		o.keys = append(o.keys, key{name, k, entry, new(bool)})
	}
	return o
}

// get takes a key.
func (o object) get(name string) value {
	for _, k := range o.keys {
		if k.name == name {
			*k.taken = true
			return k.value
		}
	}
	return value{s: o.s, path: join(o.path, name)}
}

// has looks for a key and leaves it.
func (o object) has(name string) bool {
	for _, k := range o.keys {
		if k.name == name {
			return true
		}
	}
	return false
}

// pass takes keys that have no bearing on what a lab is about.
func (o object) pass(names ...string) {
	for _, name := range names {
		o.get(name)
	}
}

// cannot takes keys that a lab has no place for, and says why.
func (o object) cannot(why string, names ...string) {
	for _, name := range names {
		if v := o.get(name); v.there() {
			v.note("%s", why)
		}
	}
}

// rest lists what nobody took.
func (o object) rest() {
	for _, k := range o.keys {
		if !*k.taken {
			*k.taken = true
			o.s.note(k.at, k.value.path, "not read")
		}
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// camel spells a name as JSON usually does.
func camel(name string) string {
	if !strings.Contains(name, "_") {
		return name
	}
	var b strings.Builder
	up := false
	for i, r := range name {
		switch {
		case r == '_' && i > 0:
			up = true
		case up && r >= 'a' && r <= 'z':
			b.WriteRune(r - 'a' + 'A')
			up = false
		default:
			b.WriteRune(r)
			up = false
		}
	}
	return b.String()
}
