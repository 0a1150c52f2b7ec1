package manifesttest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

func labelsOf(p *corev1.PodTemplateSpec) labels.Set { return p.Labels }

func policies(t *testing.T, dir string) []*networkingv1.NetworkPolicy {
	t.Helper()
	var out []*networkingv1.NetworkPolicy
	for _, m := range decode(t, dir) {
		if p, is := m.object.(*networkingv1.NetworkPolicy); is {
			out = append(out, p)
		}
	}
	return out
}

func selects(t *testing.T, s *metav1.LabelSelector, pod labels.Set) bool {
	t.Helper()
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		t.Fatal(err)
	}
	return selector.Matches(pod)
}

// Each pod is under a policy of both directions, so that what no policy allows is
// refused (CIS Kubernetes Benchmark: ensure that all namespaces have network policies).
func TestEveryPodIsUnderADefaultDeny(t *testing.T) {
	for _, dir := range cases(t, "kubernetes") {
		for name, pod := range pods(t, dir) {
			under := slices.ContainsFunc(policies(t, dir), func(p *networkingv1.NetworkPolicy) bool {
				both := slices.Equal(p.Spec.PolicyTypes, []networkingv1.PolicyType{"Ingress", "Egress"})
				return both && p.Spec.Ingress == nil && p.Spec.Egress == nil && selects(t, &p.Spec.PodSelector, labelsOf(pod))
			})
			if !under {
				t.Errorf("%s: %s is under none", dir, name)
			}
		}
	}
}

// No rule means anybody: an empty list of peers or ports would.
func TestNoPolicyAllowsAnybody(t *testing.T) {
	for _, dir := range cases(t, "kubernetes") {
		for _, p := range policies(t, dir) {
			for _, in := range p.Spec.Ingress {
				named(t, p.Name, in.From, in.Ports)
			}
			for _, e := range p.Spec.Egress {
				named(t, p.Name, e.To, e.Ports)
			}
		}
	}
}

func named(t *testing.T, policy string, peers []networkingv1.NetworkPolicyPeer, ports []networkingv1.NetworkPolicyPort) {
	t.Helper()
	if len(peers) == 0 || len(ports) == 0 {
		t.Errorf("%s allows anybody, or every port", policy)
	}
	for _, p := range peers {
		if p.PodSelector == nil || len(p.PodSelector.MatchLabels) == 0 || p.IPBlock != nil {
			t.Errorf("%s allows %v", policy, p)
		}
	}
}

// Who may talk to whom, as both sides have it, is the calls of the lab, the herd's look
// at the tail's clock, and nothing else.
func TestPoliciesAreTheCalls(t *testing.T) {
	for name, want := range map[string]string{
		"chain":   "a>b b>c herd>a herd>c",
		"hostile": "auth-api>n4ever herd>auth-api herd>n4ever herd>on on>n4ever on>null",
		"sweep":   "",
	} {
		dir := filepath.Join(golden, "kubernetes", name)
		var got []string
		all := pods(t, dir)
		for from, source := range all {
			for to, target := range all {
				out, in := sends(t, policies(t, dir), source, target), accepts(t, policies(t, dir), source, target)
				if out != in {
					t.Errorf("%s to %s: one side allows it and the other does not", from, to)
				}
				if out && in {
					got = append(got, bare(from)+">"+bare(to))
				}
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: got %s, want %s", name, s, want)
		}
	}
}

// bare is the name of a service in what was made of it.
func bare(name string) string { return name[strings.IndexByte(name, '-')+1:] }

func sends(t *testing.T, all []*networkingv1.NetworkPolicy, from, to *corev1.PodTemplateSpec) bool {
	for _, p := range all {
		for _, rule := range p.Spec.Egress {
			if selects(t, &p.Spec.PodSelector, labelsOf(from)) && among(t, rule.To, to) {
				return true
			}
		}
	}
	return false
}

func accepts(t *testing.T, all []*networkingv1.NetworkPolicy, from, to *corev1.PodTemplateSpec) bool {
	for _, p := range all {
		for _, rule := range p.Spec.Ingress {
			if selects(t, &p.Spec.PodSelector, labelsOf(to)) && among(t, rule.From, from) {
				return true
			}
		}
	}
	return false
}

// among leaves out other namespaces, where the lab has no pods.
func among(t *testing.T, peers []networkingv1.NetworkPolicyPeer, pod *corev1.PodTemplateSpec) bool {
	return slices.ContainsFunc(peers, func(p networkingv1.NetworkPolicyPeer) bool {
		return p.NamespaceSelector == nil && selects(t, p.PodSelector, labelsOf(pod))
	})
}
