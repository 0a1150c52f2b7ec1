package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
)

// Kubernetes writes manifests: for the services, for the herds, and for who may talk to
// whom. With a sweep, it writes a Job that has an index per cell instead.
func Kubernetes(in Input) ([]File, error) {
	l, err := in.check(true)
	if err != nil {
		return nil, err
	}
	config, err := l.configMap()
	if err != nil {
		return nil, err
	}
	files := []documents{{"config.yaml", []object{config}}, {"network.yaml", l.policies()}}
	if len(l.Sweep.Cells) > 0 {
		files = append(files, documents{"sweep.yaml", []object{l.sweepJob()}})
	} else {
		files = append(files, l.serviceFiles(), documents{"herd.yaml", []object{l.herdJob()}})
	}
	var out []File
	for _, d := range files {
		data, err := render(d.docs...)
		if err != nil {
			return nil, err
		}
		out = append(out, File{d.name, data})
	}
	return append(out, File{"README.md", []byte(l.kubernetesNotes())}), nil
}

// documents are one file.
type documents struct {
	name string
	docs []object
}

func (l *lab) serviceFiles() documents {
	d := documents{name: "services.yaml"}
	for _, s := range l.services() {
		d.docs = append(d.docs, l.deployment(s), l.service(s))
	}
	return d
}

func (l *lab) configMap() (object, error) {
	data := object{{"lab.yaml", text(l.Text)}}
	size := len(l.Text)
	if len(l.Sweep.Cells) > 0 {
		table := l.cells()
		data = append(data, field{"cells.csv", text(table)})
		size += len(table)
	}
	if size > maxConfigMap {
		return nil, fmt.Errorf("%s: %d bytes are over the %d that a ConfigMap holds: shorten it, or use compose", l.Name, size, maxConfigMap)
	}
	return l.object("v1", "ConfigMap", l.label+"-file", object{{"app.kubernetes.io/part-of", l.label}}, field{"data", data}), nil
}

// cells is the table from the number of a cell to its settings, for people: the job
// itself works it out again.
func (l *lab) cells() string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(append([]string{"cell"}, l.Sweep.Names...)) // a buffer takes everything
	for i, values := range l.Sweep.Cells {
		w.Write(append([]string{strconv.Itoa(i)}, values...))
	}
	w.Flush()
	return b.String()
}

// herdJob has an index per herd. One that failed is not repeated: its clients would
// come twice. Nor does it end the others.
func (l *lab) herdJob() object {
	args := l.herdArgs("$(JOB_COMPLETION_INDEX)", "-")
	labels := l.labels(ofHerd, "")
	spread := list{object{
		{"maxSkew", 1}, {"topologyKey", "kubernetes.io/hostname"}, {"whenUnsatisfiable", "ScheduleAnyway"},
		{"labelSelector", object{{"matchLabels", labels}}},
	}}
	pod := l.pod(labels, l.container(herdShare, args, field{"env", list{heap(herdShare)}}),
		field{"restartPolicy", "Never"}, field{"topologySpreadConstraints", spread})
	return l.job(l.label+"-herd", labels, l.Hosts, l.Hosts, pod)
}

func (l *lab) sweepJob() object {
	const atOnce = 10
	args := append(l.sweepArgs(), "--cell", "$(JOB_COMPLETION_INDEX)")
	labels := l.labels(ofSweep, "")
	pod := l.pod(labels, l.container(serviceShare, args, field{"env", list{heap(serviceShare)}}), field{"restartPolicy", "Never"})
	n := len(l.Sweep.Cells)
	return l.job(l.label+"-sweep", labels, n, min(n, atOnce), pod)
}

func (l *lab) job(name string, labels object, n, atOnce int, pod object) object {
	return l.object("batch/v1", "Job", name, labels, field{"spec", object{
		{"completionMode", "Indexed"}, {"completions", n}, {"parallelism", atOnce},
		{"backoffLimitPerIndex", 0}, {"maxFailedIndexes", n},
		{"template", pod},
	}})
}
