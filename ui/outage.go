package ui

import (
	"regexp"
	"time"
)

// outage is a fault program that is one action for ever or until an instant, as far
// as a program is one.
type outage struct {
	Kind   string  `json:"kind"`   // always, never, window, or other
	Action string  `json:"action"` // what a request meets: 503
	MS     float64 `json:"ms"`     // of a window
	Text   string  `json:"text"`   // the program
}

// simpleFault is an action for ever, or from the release until an instant.
var simpleFault = regexp.MustCompile(`^([^,@:]+?)(?:@0s\.\.([^,@]+),ok)?$`)

// outageOf reads a fault program. One that is more than an outage is shown as it is,
// and an outage that takes its place answers 503.
func outageOf(fault string) outage {
	o := outage{Kind: "other", Action: "503", Text: fault}
	m := simpleFault.FindStringSubmatch(fault)
	switch {
	case fault == "" || fault == "ok":
		o.Kind, o.Text = "never", "ok"
	case m == nil || repeated.MatchString(m[1]):
	case m[2] == "":
		o.Kind, o.Action = "always", m[1]
	default:
		if d, err := time.ParseDuration(m[2]); err == nil {
			o.Kind, o.Action, o.MS = "window", m[1], milliseconds(d)
		}
	}
	return o
}

// repeated is an action that lasts for a number of requests: 503x2.
var repeated = regexp.MustCompile(`x\d+$`)

// program is the fault program of an outage of another length: always, never, or a time.
func (o outage) program(length string) string {
	switch length {
	case "always":
		return o.Action
	case "never":
		return "ok"
	}
	return o.Action + "@0s.." + length + ",ok"
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
