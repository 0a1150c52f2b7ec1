package export

import (
	"crypto/sha256"
	"encoding/hex"

	"labctl/topology"
)

// user is nobody on any host, by number: what must not be root is checked by number.
const user = 65532

// What a process may use. Requests are what a small lab needs; the limits keep a storm
// from taking the host along.
type share struct{ cpu, memory, cpuLimit, memoryLimit, heap string }

var (
	serviceShare = share{"100m", "64Mi", "1", "512Mi", "460MiB"}
	herdShare    = share{"500m", "256Mi", "4", "2Gi", "1800MiB"}
)

func (s share) resources() object {
	return object{
		{"requests", object{{"cpu", s.cpu}, {"memory", s.memory}, {"ephemeral-storage", "16Mi"}}},
		{"limits", object{{"cpu", s.cpuLimit}, {"memory", s.memoryLimit}, {"ephemeral-storage", "256Mi"}}},
	}
}

// kinds of processes.
const (
	ofService   = "service"
	ofHerd      = "herd"
	ofSweep     = "sweep"
	ofCollector = "collector"
)

// labels of an object; those of a pod are the same, so that they select it.
func (l *lab) labels(component, name string) object {
	o := object{{"app.kubernetes.io/part-of", l.label}, {"app.kubernetes.io/component", component}}
	if name != "" {
		o = append(o, field{"app.kubernetes.io/name", name})
	}
	return o
}

func (l *lab) object(apiVersion, kind, name string, labels object, rest ...field) object {
	meta := object{{"name", name}}
	if l.Namespace != "" {
		meta = append(meta, field{"namespace", l.Namespace})
	}
	meta = append(meta, field{"labels", labels})
	return append(object{{"apiVersion", apiVersion}, {"kind", kind}, {"metadata", meta}}, rest...)
}

// pod is a pod template, with one container that asks for nothing: no root, no
// capability, no file to write, no token of the cluster. Deployments of it start anew
// when the file of the lab changes.
func (l *lab) pod(labels, container object, spec ...field) object {
	sum := sha256.Sum256(l.Text)
	return object{
		{"metadata", object{{"labels", labels}, {"annotations", object{{"labctl/file-sha256", hex.EncodeToString(sum[:])}}}}},
		{"spec", append(append(object{}, spec...), object{
			{"automountServiceAccountToken", false},
			{"enableServiceLinks", false},
			{"securityContext", object{
				{"runAsNonRoot", true}, {"runAsUser", user}, {"runAsGroup", user},
				{"seccompProfile", object{{"type", "RuntimeDefault"}}},
			}},
			{"containers", list{container}},
			{"volumes", list{object{{"name", "lab-file"}, {"configMap", object{{"name", l.label + "-file"}}}}}},
		}...)},
	}
}

func (l *lab) container(s share, args []string, rest ...field) object {
	o := object{
		{"name", "labctl"},
		{"image", l.Image},
		{"command", []string{binary}},
		{"args", args},
	}
	o = append(o, rest...)
	return append(o, object{
		{"resources", s.resources()},
		{"securityContext", object{
			{"allowPrivilegeEscalation", false}, {"readOnlyRootFilesystem", true},
			{"capabilities", object{{"drop", []string{"ALL"}}}},
		}},
		{"volumeMounts", list{object{{"name", "lab-file"}, {"mountPath", "/lab"}, {"readOnly", true}}}},
	}...)
}

// heap tells the collector of garbage how much there is: it does not know the limit.
func heap(s share) object { return object{{"name", "GOMEMLIMIT"}, {"value", s.heap}} }

func (l *lab) deployment(s topology.Service) object {
	labels := l.labels(ofService, l.hosts[s.Name])
	return l.object("apps/v1", "Deployment", l.hosts[s.Name], labels, field{"spec", object{
		{"replicas", 1}, // two would share what the result counts once
		{"strategy", object{{"type", "Recreate"}}}, // likewise
		{"selector", object{{"matchLabels", labels}}},
		{"template", l.pod(labels, l.serviceContainer(s), field{"terminationGracePeriodSeconds", 20})},
	}})
}

func (l *lab) serviceContainer(s topology.Service) object {
	if refuses(s) { // nobody can ask it anything, so it has no probes
		return l.container(serviceShare, l.nodeArgs(s), field{"env", list{heap(serviceShare)}})
	}
	token := object{{"name", "LABCTL_TOKEN"}, {"valueFrom", object{{"secretKeyRef", object{{"name", l.label + "-token"}, {"key", "token"}}}}}}
	return l.container(serviceShare, l.nodeArgs(s),
		field{"env", list{heap(serviceShare), token}},
		field{"ports", list{object{{"name", "http"}, {"containerPort", port}}}},
		field{"readinessProbe", probe("/-/ready", 2, 3)},
		// A storm makes a service slow, and that is what the lab is for: only one
		// that is gone for a minute is started anew.
		field{"livenessProbe", probe("/-/live", 10, 6)},
	)
}

func probe(path string, every, failures int) object {
	return object{
		{"httpGet", object{{"path", path}, {"port", "http"}}},
		{"periodSeconds", every}, {"timeoutSeconds", every}, {"failureThreshold", failures},
	}
}

func (l *lab) service(s topology.Service) object {
	labels := l.labels(ofService, l.hosts[s.Name])
	return l.object("v1", "Service", l.hosts[s.Name], labels, field{"spec", object{
		{"selector", labels},
		{"ports", list{object{{"name", "http"}, {"port", port}, {"targetPort", port}}}},
	}})
}
