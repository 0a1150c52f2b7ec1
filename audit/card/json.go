package card

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"labctl/audit"
	"labctl/report"
)

//go:embed schema/audit.v1.json
var schemaJSON []byte

// SchemaJSON is the JSON Schema of an audit.
func SchemaJSON() []byte { return slices.Clone(schemaJSON) }

// JSON writes the audit so that the same audit gives the same bytes, with an empty list
// and never null where the schema requires one.
func JSON(w io.Writer, a audit.Audit) error { return report.WriteDocument(w, complete(a)) }

// complete changes a copy: what it fills in, the audit that was given keeps as it is.
func complete(a audit.Audit) audit.Audit {
	a.Schema = audit.Schema
	a.Probes, a.Findings, a.Chains = full(a.Probes), full(a.Findings), slices.Clone(a.Chains)
	for i := range a.Probes {
		a.Probes[i].GapsMS = full(a.Probes[i].GapsMS)
	}
	for i := range a.Chains {
		a.Chains[i].Layers = full(a.Chains[i].Layers)
	}
	if h := a.Policy.Hidden; h != nil {
		copied := *h
		copied.Faults, copied.Methods = full(h.Faults), full(h.Methods)
		a.Policy.Hidden = &copied
	}
	return a
}

// full copies, and is never nil.
func full[T any](s []T) []T { return append(make([]T, 0, len(s)), s...) }

// again is the cure of a file that cannot be read.
const again = "pass a file written by labctl audit --format json"

// Read reads what JSON wrote. It is strict: a field that it does not know is an error,
// since an audit that is shown without it would say less than was measured.
func Read(data []byte) (audit.Audit, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := decode(data, &head, false); err != nil {
		return audit.Audit{}, err
	}
	switch head.Schema {
	case audit.Schema:
	case "":
		return audit.Audit{}, errors.New(`this JSON has no "schema": ` + again)
	default:
		return audit.Audit{}, fmt.Errorf("schema %q is not known: this labctl reads audits of %s, so use the version that wrote the file", head.Schema, audit.Schema)
	}
	var a audit.Audit
	if err := decode(data, &a, true); err != nil {
		return audit.Audit{}, err
	}
	if err := validate(a); err != nil {
		return audit.Audit{}, err
	}
	if r := a.Policy.Rest; r != nil {
		r.Base = time.Duration(r.BaseMS * float64(time.Millisecond))
	}
	return complete(a), nil
}

func decode(data []byte, into any, strict bool) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if strict {
		d.DisallowUnknownFields()
	}
	err := d.Decode(into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the audit is empty or ends in the middle: " + again)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %q cannot be a JSON %s: %s", line(data, kind.Offset), kind.Field, kind.Value, again)
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d is not JSON: %w: %s", line(data, syntax.Offset), err, again)
	case err != nil:
		return fmt.Errorf("this is no audit of this version: %w: %s", err, again)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: there is more after the audit: keep one JSON document in a file", line(data, d.InputOffset()))
	}
	return nil
}

func line(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte{'\n'})
}

// validate holds what the renderers rely on.
func validate(a audit.Audit) error {
	if a.Subject == "" {
		return errors.New(`the audit has no "subject": name what was audited`)
	}
	seen := map[string]bool{}
	for _, r := range a.Probes {
		name := probeName(r)
		switch {
		case r.Fault == "" || r.Method == "":
			return errors.New("a probe has no fault or no method: give each both")
		case r.Connection != string(audit.Fresh) && r.Connection != string(audit.Reused):
			return fmt.Errorf("probe %q must have the connection fresh or reused", name)
		case r.Hits < 0 || r.Hidden < 0 || r.Hidden > r.Hits:
			return fmt.Errorf("probe %q has %d hits and %d hidden ones of them, which cannot be", name, r.Hits, r.Hidden)
		case seen[name]:
			return fmt.Errorf("probe %q is there twice: keep one, and its repeats in its trials", name)
		}
		seen[name] = true
	}
	for _, f := range a.Findings {
		if !f.Severity.Known() {
			return fmt.Errorf("finding %q has the severity %q and must have danger, risk or note", f.Code, f.Severity)
		}
	}
	return nil
}
