package file

import (
	"encoding/json"
	"strings"

	"labctl/topology"
)

// object is a piece of a JSON Schema.
type object = map[string]any

// Schema is the JSON Schema of a file, for editors that complete and check while
// one types. It is made from the tables of fields that Read uses. It says what a
// file should look like; Read also accepts other notations of the same, and knows
// what no schema can say, such as cycles.
func Schema() []byte {
	var load topology.Load
	var herd topology.Herd
	var run topology.Run
	texts := object{"type": "object", "additionalProperties": object{"type": []string{"string", "number", "boolean"}}}
	root := closed(object{
		"version":  object{"const": 1},
		"title":    object{"type": "string", "description": "one sentence: what the lab shows"},
		"text":     object{"type": "string", "description": "what the reader should see"},
		"load":     loadSchema(&load),
		"services": object{"$ref": "#/$defs/services"},
		"variants": object{"type": "object", "additionalProperties": closed(object{
			"services": object{"$ref": "#/$defs/services"},
			"set":      object{"type": "object", "additionalProperties": anyOf(scalarSchema, listOf(scalarSchema))},
			"expect":   texts,
		})},
		"run":    closed(withFields(object{"repeats": object{"type": "integer", "minimum": 1, "maximum": MaxRepeats}}, run.Part())),
		"expect": texts,
	})
	root["required"] = []string{"version", "services"}
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = "labctl/lab/v1"
	root["title"] = "labctl: a lab"
	root["$defs"] = object{
		"herd":     closed(withFields(object{}, herd.Part())),
		"services": object{"type": "object", "required": []string{topology.ClientName}, "additionalProperties": serviceSchema()},
		"call":     callSchema(),
		"policy":   policySchema(),
		"duration": durationSchema,
	}
	return indented(root)
}

// PolicySchema is the JSON Schema of a policy file.
func PolicySchema() []byte {
	root := closed(object{
		"version":  object{"const": 1},
		"policies": stackSchema(),
	})
	root["required"] = policyKeys
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = "labctl/policy/v1"
	root["title"] = "labctl: the policies of a call"
	root["$defs"] = object{"policy": policySchema(), "duration": durationSchema}
	return indented(root)
}

func indented(root object) []byte {
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // of maps and strings
	}
	return append(out, '\n')
}

func stackSchema() object {
	return object{"type": "array", "items": object{"$ref": "#/$defs/policy"}, "description": "outermost first"}
}

var durationSchema = anyOf(object{"type": "string", "pattern": `^-?([0-9]*\.?[0-9]+(ns|us|µs|ms|s|m|h))+$`}, object{"const": 0})

var scalarSchema = object{"type": []string{"string", "number", "boolean"}}

func anyOf(of ...any) object { return object{"anyOf": of} }

func listOf(of any) object { return object{"type": "array", "items": of, "minItems": 1} }

// closed is a map with these keys and no others.
func closed(properties object) object {
	return object{"type": "object", "properties": properties, "additionalProperties": false}
}

// withFields adds the fields of a part that have a name of their own.
func withFields(properties object, p topology.Part) object {
	for _, f := range p.Fields() {
		if f.Name != "" && !strings.Contains(f.Name, ".") {
			properties[f.Name] = shapeSchema(f.Shape)
		}
	}
	return properties
}

func loadSchema(l *topology.Load) object {
	herd := object{"$ref": "#/$defs/herd"}
	properties := withFields(object{
		"herd": herd, "loop": herd,
		"others": anyOf(object{"type": "object", "additionalProperties": herd}, listOf(herd)),
	}, l.Part())
	rate := object{}
	for _, f := range l.Part().Fields() {
		if name, is := strings.CutPrefix(f.Name, "rate."); is {
			rate[name] = shapeSchema(f.Shape)
		}
	}
	properties["rate"] = anyOf(properties["rate"], closed(rate))
	return closed(properties)
}

func serviceSchema() object {
	var s topology.Service
	var route topology.RouteOf
	var replica topology.ReplicaOf
	call := object{"$ref": "#/$defs/call"}
	return closed(withFields(object{
		"calls": anyOf(
			object{"type": "array", "items": object{"allOf": []any{call}, "required": []string{"to"}}},
			object{"type": "object", "additionalProperties": call}),
		"routes": object{"type": "object", "additionalProperties": closed(withFields(object{}, route.Part()))},
		"replica": object{"type": "object", "patternProperties": object{"^[0-9]+$": closed(withFields(object{}, replica.Part()))},
			"additionalProperties": false},
	}, s.Part()))
}

func callSchema() object {
	var c topology.Call
	properties := withFields(object{
		"to":       object{"type": "string", "description": "the service that is called"},
		"policies": stackSchema(),
	}, c.Part())
	for _, kind := range topology.Kinds() {
		properties[kind] = object{"$ref": "#/$defs/policy/properties/" + kind}
	}
	return closed(properties)
}

// policySchema is one entry of a stack: one kind, and maybe a name and a route.
func policySchema() object {
	properties := object{"name": object{"type": "string"}, "route": object{"type": "string"}}
	var one []any
	for _, kind := range topology.Kinds() {
		p, _ := topology.NewPolicy(kind)
		of := closed(withFields(object{}, p.Part()))
		if kind == "retry" {
			of["oneOf"] = []any{object{"required": []string{"attempts"}}, object{"required": []string{"retries"}}}
		}
		for _, f := range p.Part().Fields() {
			if f.Name == "" {
				of = anyOf(shapeSchema(f.Shape), of)
			}
		}
		properties[kind] = of
		one = append(one, object{"required": []string{kind}})
	}
	out := closed(properties)
	out["oneOf"] = one
	return out
}

func shapeSchema(s topology.Shape) any {
	one := oneSchema(s)
	if s.Many {
		return anyOf(one, listOf(one))
	}
	return one
}

func oneSchema(s topology.Shape) any {
	var of any
	switch s.Of {
	case topology.Whole:
		of = object{"type": "integer", "minimum": 0}
	case topology.Boolean:
		of = object{"type": "boolean"}
	case topology.Duration:
		return object{"$ref": "#/$defs/duration"}
	case topology.Times:
		return anyOf(object{"$ref": "#/$defs/duration"}, object{"type": "string", "pattern": `^(uniform|exponential|lognormal|empirical)[:(]`})
	case topology.Percent:
		of = object{"type": "string", "pattern": `^[0-9]+(\.[0-9]+)?%$`}
	default:
		if len(s.Words) > 0 && !s.Open {
			return object{"enum": s.Words}
		}
		of = object{"type": []string{"string", "integer"}}
	}
	if len(s.Words) > 0 {
		return anyOf(object{"enum": s.Words}, of)
	}
	return of
}
