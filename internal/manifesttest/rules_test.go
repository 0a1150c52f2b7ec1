package manifesttest

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// A rule is one that a security review would ask for.
type rule struct {
	name   string
	source string // where it is written
	broken func(*corev1.PodTemplateSpec) bool
	breach func(*corev1.PodTemplateSpec) // of which the rule must tell
}

var rules = []rule{
	{"pods pass the restricted standard", "Kubernetes, Pod Security Standards: restricted, as its admission controller has it",
		func(p *corev1.PodTemplateSpec) bool { return !restricted(p) },
		func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].SecurityContext.Capabilities.Drop = nil }},
	{"file systems cannot be written", "NSA and CISA, Kubernetes Hardening Guide: immutable container file systems",
		func(p *corev1.PodTemplateSpec) bool {
			only := p.Spec.Containers[0].SecurityContext.ReadOnlyRootFilesystem
			return only == nil || !*only
		},
		func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].SecurityContext.ReadOnlyRootFilesystem = nil }},
	{"no token of the cluster", "NSA and CISA, Kubernetes Hardening Guide: protecting Pod service account tokens",
		func(p *corev1.PodTemplateSpec) bool {
			mount := p.Spec.AutomountServiceAccountToken
			return mount == nil || *mount
		},
		func(p *corev1.PodTemplateSpec) { p.Spec.AutomountServiceAccountToken = nil }},
	{"users by number, and not 0", "Kubernetes, Configure a Security Context: runAsNonRoot is checked by number",
		func(p *corev1.PodTemplateSpec) bool {
			u, g := p.Spec.SecurityContext.RunAsUser, p.Spec.SecurityContext.RunAsGroup
			return u == nil || g == nil || *u < 1000 || *g < 1000
		},
		func(p *corev1.PodTemplateSpec) { p.Spec.SecurityContext.RunAsUser = nil }},
	{"requests and limits", "NSA and CISA, Kubernetes Hardening Guide: resource policies",
		func(p *corev1.PodTemplateSpec) bool {
			for _, r := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
				all := p.Spec.Containers[0].Resources
				request, limit := all.Requests[r], all.Limits[r]
				if request.IsZero() || limit.Cmp(request) < 0 {
					return true
				}
			}
			return false
		},
		func(p *corev1.PodTemplateSpec) { delete(p.Spec.Containers[0].Resources.Limits, corev1.ResourceMemory) }},
	{"images have a version", "Kubernetes, Images: avoid the tag latest",
		func(p *corev1.PodTemplateSpec) bool {
			image := p.Spec.Containers[0].Image
			_, tag, _ := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
			return tag == "" || tag == "latest"
		},
		func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].Image = "registry.example:5000/labctl" }},
	{"secrets are no texts", "Kubernetes, Good practices for Secrets: not in manifests",
		func(p *corev1.PodTemplateSpec) bool {
			for _, e := range p.Spec.Containers[0].Env {
				if strings.Contains(e.Name, "TOKEN") && e.Value != "" {
					return true
				}
			}
			return false
		},
		func(p *corev1.PodTemplateSpec) {
			p.Spec.Containers[0].Env = append(p.Spec.Containers[0].Env, corev1.EnvVar{Name: "LABCTL_TOKEN", Value: "x"})
		}},
	{"the only volumes are the lab's file", "CIS Kubernetes Benchmark: minimize the admission of HostPath volumes",
		func(p *corev1.PodTemplateSpec) bool {
			return len(p.Spec.Volumes) != 1 || p.Spec.Volumes[0].ConfigMap == nil || len(p.Spec.Containers) != 1
		},
		func(p *corev1.PodTemplateSpec) {
			p.Spec.Volumes[0].VolumeSource = corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/"}}
		}},
	{"neighbours are not named in the environment", "Kubernetes, Accessing Services: enableServiceLinks is for old programs",
		func(p *corev1.PodTemplateSpec) bool {
			return p.Spec.EnableServiceLinks == nil || *p.Spec.EnableServiceLinks
		},
		func(p *corev1.PodTemplateSpec) { p.Spec.EnableServiceLinks = nil }},
}

// restricted asks the code that the admission controller runs.
func restricted(p *corev1.PodTemplateSpec) bool {
	e, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		panic(err) // a constant list
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	return policy.AggregateCheckResults(e.EvaluatePod(level, &p.ObjectMeta, &p.Spec)).Allowed
}

// pods are the pod templates of a folder, by what they belong to.
func pods(t *testing.T, dir string) map[string]*corev1.PodTemplateSpec {
	t.Helper()
	out := map[string]*corev1.PodTemplateSpec{}
	for _, m := range decode(t, dir) {
		switch o := m.object.(type) {
		case *appsv1.Deployment:
			out["Deployment "+o.Name] = &o.Spec.Template
		case *batchv1.Job:
			out["Job "+o.Name] = &o.Spec.Template
		}
	}
	return out
}

func TestPodsKeepTheRules(t *testing.T) {
	for _, dir := range cases(t, "kubernetes") {
		for name, pod := range pods(t, dir) {
			for _, r := range rules {
				if r.broken(pod) {
					t.Errorf("%s: %s: not so: %s (%s)", dir, name, r.name, r.source)
				}
			}
		}
	}
}

func TestRulesSeeBreaches(t *testing.T) {
	for _, r := range rules {
		pod := pods(t, golden+"/kubernetes/chain")["Deployment chain-a"]
		r.breach(pod)
		if !r.broken(pod) {
			t.Errorf("%s: a breach passes", r.name)
		}
	}
}

// Every service but a closed port says whether it is ready and whether it lives.
func TestProbes(t *testing.T) {
	for _, dir := range cases(t, "kubernetes") {
		for name, pod := range pods(t, dir) {
			c := pod.Spec.Containers[0]
			if !strings.HasPrefix(name, "Deployment") || name == "Deployment hostile-null" {
				continue
			}
			if c.ReadinessProbe == nil || c.LivenessProbe == nil || c.ReadinessProbe.HTTPGet.Path != "/-/ready" || c.LivenessProbe.HTTPGet.Path != "/-/live" {
				t.Errorf("%s: %s has the probes %v and %v", dir, name, c.ReadinessProbe, c.LivenessProbe)
			}
		}
	}
}

// A pod is selected by its own Deployment and by no other.
func TestSelectorsAreApart(t *testing.T) {
	for _, dir := range cases(t, "kubernetes") {
		all := pods(t, dir)
		for _, m := range decode(t, dir) {
			d, is := m.object.(*appsv1.Deployment)
			if !is {
				continue
			}
			selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
			if err != nil {
				t.Fatal(err)
			}
			var selected []string
			for name, pod := range all {
				if selector.Matches(labelsOf(pod)) {
					selected = append(selected, name)
				}
			}
			if fmt.Sprint(selected) != "[Deployment "+d.Name+"]" {
				t.Errorf("%s selects %v", d.Name, selected)
			}
		}
	}
}
