package control

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// The text format of Prometheus is written here: a dozen lines, against a client library
// that would bring protobuf into every program with a tail. A test reads them with
// Prometheus' own parser.
const metricsType = "text/plain; version=0.0.4; charset=utf-8"

// A family is one metric with its samples.
type family struct {
	name, kind, help string
	samples          []sample
}

type sample struct {
	labels [][2]string
	value  int
}

// metrics has no more series than ids, paths and kinds of action: see [Config.IDs].
func (a *api) metrics(w http.ResponseWriter, _ *http.Request) error {
	var out bytes.Buffer
	for _, f := range append(a.tailFamilies(), a.serverFamilies()...) {
		f.write(&out)
	}
	w.Header().Set("Content-Type", metricsType)
	w.Header().Set("Cache-Control", "no-store")
	w.Write(out.Bytes())
	return nil
}

func (a *api) tailFamilies() []family {
	requests := family{name: "labctl_tail_requests_total", kind: "counter", help: "Hits that a tail received, by what was done to them and whether their connection had carried a hit before."}
	effects := family{name: "labctl_tail_effects_total", kind: "counter", help: "Hits that performed the side effect."}
	cutShort := family{name: "labctl_tail_cut_short_total", kind: "counter", help: "Hits whose caller left before the tail was done."}
	dropped := family{name: "labctl_tail_dropped_total", kind: "counter", help: "Hits that were counted without keeping details."}
	for _, t := range a.Tails() {
		probe := [2]string{"probe", t.Name}
		for _, k := range t.Kinds {
			kind := [2]string{"kind", k.Kind}
			requests.add(k.Fresh, probe, [2]string{"connection", "fresh"}, kind)
			requests.add(k.Reused, probe, [2]string{"connection", "reused"}, kind)
		}
		effects.add(t.Effects, probe)
		cutShort.add(t.CutShort, probe)
		dropped.add(t.Dropped, probe)
	}
	return []family{requests, effects, cutShort, dropped}
}

func (a *api) serverFamilies() []family {
	o := a.Overview()
	one := func(name, kind, help string, value int) family {
		return family{name, kind, help, []sample{{value: value}}}
	}
	return []family{
		one("labctl_tail_connections_total", "counter", "Connections accepted, also those that never sent a request.", o.Connections.Accepted),
		one("labctl_tail_connections_api_total", "counter", "Connections whose first request was for the control API.", o.Connections.API),
		one("labctl_tail_connections_evicted_total", "counter", "Connections closed while they waited for a request, to make place for another.", o.Connections.Evicted),
		one("labctl_tail_connections_refused_total", "counter", "Connections closed at once, because no other made place.", o.Connections.Refused),
		one("labctl_tail_connections_open", "gauge", "Connections that are open.", o.Connections.Open),
		one("labctl_tail_ids", "gauge", "Ids that have a tail.", o.IDs),
		one("labctl_tail_ids_refused_total", "counter", "Requests answered 507 for want of room for their id.", o.NoRoom),
	}
}

func (f *family) add(value int, labels ...[2]string) {
	f.samples = append(f.samples, sample{labels, value})
}

var labelEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (f family) write(out *bytes.Buffer) {
	fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
	for _, s := range f.samples {
		out.WriteString(f.name)
		open := byte('{')
		for _, l := range s.labels {
			fmt.Fprintf(out, `%c%s="%s"`, open, l[0], labelEscape.Replace(l[1]))
			open = ','
		}
		if len(s.labels) > 0 {
			out.WriteByte('}')
		}
		fmt.Fprintf(out, " %d\n", s.value)
	}
}
