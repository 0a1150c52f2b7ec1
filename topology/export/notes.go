package export

import (
	"fmt"
	"strings"
)

// notes is a page that says how to use what was written.
type notes struct{ b strings.Builder }

func (n *notes) line(format string, args ...any) { fmt.Fprintf(&n.b, format+"\n", args...) }

// commands are a block to be copied.
func (n *notes) commands(lines ...string) {
	n.line("\n```sh\n%s\n```\n", strings.Join(lines, "\n"))
}

func (l *lab) kubernetesNotes() string {
	var n notes
	k, part := "kubectl", "app.kubernetes.io/part-of="+l.label
	if l.Namespace != "" {
		k += " -n " + l.Namespace
	}
	n.line("# %s on Kubernetes\n", l.label)
	n.line("The image is %s: the Dockerfile of labctl builds it.", l.Image)
	if len(l.Sweep.Cells) > 0 {
		n.line("Each index of the Job is a cell of the sweep; cells.csv in the ConfigMap says which\nvalues it has. Cells run in virtual time and need no network.")
		n.commands(k+" apply -f .",
			k+" wait --for=condition=complete --timeout=1h job/"+l.label+"-sweep",
			k+" logs -l batch.kubernetes.io/job-completion-index=0,"+part+" --tail=-1 > cell-0.json")
		return n.b.String()
	}
	n.line("Results ask for a token, so make a secret first. The herds wait until all is ready.")
	n.commands(
		k+` create secret generic `+l.label+`-token --from-literal=token="$(openssl rand -hex 16)"`,
		k+" apply -f .",
		k+" wait --for=condition=complete --timeout=30m job/"+l.label+"-herd")
	n.line("Then collect what was seen, from here:")
	n.commands(l.collecting(k, part)...)
	l.release(&n, "herd.yaml")
	n.line("\nFor another run, start the services anew, or they count on, and replace the herds:")
	n.commands(k+" rollout restart deployment -l "+part, k+" replace --force -f herd.yaml")
	n.line("- What pods log is kept only so far (often 10 MiB a pod), and a herd writes what it saw\n  to its log: share very large herds among more hosts.")
	n.line("- Names are looked up in kube-system at pods labelled k8s-app: kube-dns. Where names\n  are served elsewhere, change network.yaml.")
	n.line("- From inside, only pods labelled app.kubernetes.io/component: collector and\n  %s may ask the services what they saw.", strings.Replace(part, "=", ": ", 1))
	n.line("- The pods pass the restricted Pod Security Standard.")
	l.closedPorts(&n)
	return n.b.String()
}

// collecting gets the files of the herds and asks each service by a port of its own.
func (l *lab) collecting(k, part string) []string {
	first := 18080
	var forwards, herds []string
	args := "labctl collect --file lab.yaml"
	if l.Variant != "" {
		args += " --variant " + l.Variant
	}
	for _, s := range l.services() {
		if refuses(s) {
			continue
		}
		forwards = append(forwards, fmt.Sprintf("%s port-forward service/%s %d:%d &", k, l.hosts[s.Name], first, port))
		args += fmt.Sprintf(" \\\n  --node %s=http://127.0.0.1:%d", s.Name, first)
		first++
	}
	out := []string{k + ` get configmap ` + l.label + `-file -o jsonpath='{.data.lab\.yaml}' > lab.yaml`}
	for i := range l.Hosts {
		name := fmt.Sprintf("herd-%d.json", i)
		herds = append(herds, name)
		out = append(out, fmt.Sprintf("%s logs -l app.kubernetes.io/component=herd,batch.kubernetes.io/job-completion-index=%d,%s --tail=-1 > %s", k, i, part, name))
	}
	out = append(out, forwards...)
	out = append(out, fmt.Sprintf(`export LABCTL_TOKEN="$(%s get secret %s-token -o jsonpath='{.data.token}' | base64 -d)"`, k, l.label))
	return append(out, args+" \\\n  "+strings.Join(herds, " "))
}

func (l *lab) composeNotes() string {
	var n notes
	n.line("# %s with Compose\n", l.label)
	n.line("The image is %s: the Dockerfile of labctl builds it.", l.Image)
	if len(l.Sweep.Cells) > 0 {
		n.commands("docker compose run --rm sweep > sweep.json")
		return n.b.String()
	}
	var herds []string
	for i := range l.Hosts {
		herds = append(herds, fmt.Sprintf("herd-%d", i))
	}
	n.commands(`export LABCTL_TOKEN="$(openssl rand -hex 16)"`,
		"docker compose up -d --wait",
		"docker compose --profile herd up --no-deps "+strings.Join(herds, " "),
		"docker compose run --rm collect",
		"docker compose --profile herd --profile collect down --volumes")
	l.release(&n, "compose.yaml")
	n.line("- For another run, start the services anew, or they count on: docker compose restart.")
	l.closedPorts(&n)
	return n.b.String()
}

func (l *lab) release(n *notes, where string) {
	if !l.At.IsZero() {
		n.line("- The clients are released at %s by the tail's clock: export again, or\n  change --at in %s, when that is over.", l.At.UTC().Format("2006-01-02T15:04:05Z"), where)
	}
}

func (l *lab) closedPorts(n *notes) {
	for _, s := range l.services() {
		if refuses(s) {
			n.line("- %s refuses connections: it is a host on which nobody listens at port %d. A\n  service without any would be an unknown name, or silence, and not a refusal.", s.Name, port)
		}
	}
}
