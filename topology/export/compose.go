package export

import (
	"fmt"
	"strconv"

	"labctl/topology"
)

// Compose writes a Compose file, and the lab beside it. The herds are of the profile
// herd, who collects of the profile collect. The lab is a file of its own because a
// container whose file system is read-only takes no other kind of config.
func Compose(in Input) ([]File, error) {
	l, err := in.check(false)
	if err != nil {
		return nil, err
	}
	data, err := render(l.compose())
	if err != nil {
		return nil, err
	}
	return []File{{"compose.yaml", data}, {"lab.yaml", l.Text}, {"README.md", []byte(l.composeNotes())}}, nil
}

func (l *lab) compose() object {
	var services object
	doc := object{{"name", l.label}}
	if len(l.Sweep.Cells) > 0 {
		services = object{{"sweep", l.composed(herdShare, l.sweepArgs(), field{"network_mode", "none"})}}
	} else {
		services = l.composeServices()
	}
	doc = append(doc, field{"services", services}, field{"configs", object{{"lab", object{{"file", "./lab.yaml"}}}}})
	if len(l.Sweep.Cells) == 0 {
		doc = append(doc,
			field{"networks", object{{"lab", object{{"internal", true}}}}},
			field{"volumes", object{{"results", object{}}}})
	}
	return doc
}

func (l *lab) composeServices() object {
	var out object
	for _, s := range l.services() {
		out = append(out, field{l.hosts[s.Name], l.composeService(s)})
	}
	files := []string{}
	for i := range l.Hosts {
		name := fmt.Sprintf("herd-%d", i)
		files = append(files, results+"/"+name+".json")
		out = append(out, field{name, l.composed(herdShare, l.herdArgs(strconv.Itoa(i), files[i]),
			field{"profiles", []string{"herd"}}, onNetwork(), resultsVolume(false))})
	}
	args := append([]string{"collect", "--file", labFile}, l.variantArgs()...)
	for _, s := range l.services() {
		if !refuses(s) {
			args = append(args, "--node", s.Name+"="+l.url(s.Name))
		}
	}
	return append(out, field{"collect", l.composed(herdShare, append(args, files...),
		field{"environment", object{token()}}, field{"profiles", []string{"collect"}}, onNetwork(), resultsVolume(true))})
}

func (l *lab) composeService(s topology.Service) object {
	if refuses(s) {
		return l.composed(serviceShare, l.nodeArgs(s), onNetwork())
	}
	return l.composed(serviceShare, l.nodeArgs(s),
		field{"environment", object{{"GOMEMLIMIT", serviceShare.heap}, token()}},
		onNetwork(),
		field{"healthcheck", object{
			{"test", []string{"CMD", binary, "ready", fmt.Sprintf("http://127.0.0.1:%d", port)}},
			{"interval", "2s"}, {"timeout", "2s"}, {"retries", 30},
		}})
}

// token has results ask for a secret that whoever starts it says.
func token() field {
	return field{"LABCTL_TOKEN", "${LABCTL_TOKEN:?say a secret of your own: export LABCTL_TOKEN}"}
}

func onNetwork() field { return field{"networks", []string{"lab"}} }

func resultsVolume(readOnly bool) field {
	return field{"volumes", list{object{{"type", "volume"}, {"source", "results"}, {"target", results}, {"read_only", readOnly}}}}
}

// composed is a container that asks for nothing, as a pod of Kubernetes does.
func (l *lab) composed(s share, args []string, rest ...field) object {
	o := object{
		{"image", l.Image},
		{"entrypoint", []string{binary}},
		{"command", args},
	}
	o = append(o, rest...)
	return append(o, object{
		{"configs", list{object{{"source", "lab"}, {"target", labFile}}}},
		{"user", fmt.Sprintf("%d:%d", user, user)},
		{"read_only", true},
		{"cap_drop", []string{"ALL"}},
		{"security_opt", []string{"no-new-privileges:true"}},
		{"deploy", object{{"resources", object{{"limits", object{{"cpus", composeCPUs}, {"memory", s.composeMemory()}, {"pids", 1024}}}}}}},
	}...)
}

// composeCPUs is what every host has: an engine refuses a limit above its own processors.
const composeCPUs = "1"

// composeMemory is the limit as Compose writes it: 512m for 512Mi.
func (s share) composeMemory() string {
	m := s.memoryLimit
	return m[:len(m)-2] + map[byte]string{'M': "m", 'G': "g"}[m[len(m)-2]]
}
