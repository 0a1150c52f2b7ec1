package file

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"labctl/topology"
)

// policyKeys are those of a policy file.
var policyKeys = []string{"version", "policies"}

// ReadPolicies reads a policy file: the policies of one call, outermost first,
// without a lab around them. What was measured of a client goes from one place to
// another in such a file. It is as strict as [Read].
func ReadPolicies(name string, data []byte) ([]topology.Policy, error) {
	r, err := open(name, data)
	if err != nil {
		return nil, err
	}
	return r.policyFile()
}

// WritePolicies gives the canonical text of a policy file. Each line of the header
// becomes a comment in front of it.
func WritePolicies(header []string, policies []topology.Policy) []byte {
	root := policyTree(policies)
	root.headed(header)
	return emit(root)
}

// headed puts lines in front of a file, as comments.
func (n *node) headed(lines []string) {
	for _, line := range lines {
		text := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(line, "\uFFFD"), inNoComment), " ")
		n.kids[0].head = append(n.kids[0].head, strings.TrimRight("# "+text, " "))
	}
}

// inNoComment finds what would end a comment, or be refused in a file.
func inNoComment(c rune) bool {
	return c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029 || c == 0xfeff
}

func policyTree(policies []topology.Policy) *node {
	root := &node{kind: aMap, block: true}
	root.add("version", scalar("1"))
	stack := stackNode(policies)
	stack.block = len(policies) > 0
	root.add("policies", stack)
	root.place("")
	return root
}

// IsPolicies reports whether data is a policy file rather than a lab, for what takes
// either. What is neither is not.
func IsPolicies(data []byte) bool {
	r, err := open("", data)
	return err == nil && isPolicyFile(r.root)
}

// isPolicyFile tells a policy file from a lab, which cannot do without services.
func isPolicyFile(root *yaml.Node) bool {
	return root.Kind == yaml.MappingNode && keyOf(root, "policies") >= 0 && keyOf(root, "services") < 0
}

func (r *reader) policyFile() ([]topology.Policy, error) {
	if r.root.Kind == yaml.MappingNode && keyOf(r.root, "services") >= 0 {
		return nil, r.fail(r.root, "", "it is a lab, and a policy file has just version and policies: labctl run FILE runs a lab")
	}
	all, err := r.keys(r.root, "", policyKeys...)
	if err != nil {
		return nil, err
	}
	if err := r.version(all); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(e entry) bool { return e.key == "policies" })
	if i < 0 {
		return nil, r.fail(r.root, "policies", "there are none: write policies: [{retry: {attempts: 3}}, {timeout: 1s}], outermost first, or [] for none at all")
	}
	policies, err := r.policies(all[i].of, "")
	if err != nil {
		return nil, err
	}
	return policies, r.checkPolicies(policies)
}

// checkPolicies holds the stack against the rules of a lab, on a call of its own. Of
// what only a lab can tell it says nothing: that its clients ask for a route, when a
// run ends, and whether a deadline comes in.
func (r *reader) checkPolicies(policies []topology.Policy) error {
	t := defaults()
	t.Services = topology.Chain(1, 1)
	t.Services[1].Calls[0].Policies = policies
	t.Run.Until = topology.MaxDuration
	for _, p := range policies {
		if route := strings.TrimPrefix(p.Route, "!"); route != "" {
			t.Load.Others = append(t.Load.Others, topology.Herd{Clients: 1, Route: route})
		}
	}
	err := t.Validate()
	if err == nil {
		return nil
	}
	text := strings.NewReplacer("services.a.calls.b.", "", "services.a: ", "policies: ").Replace(err.Error())
	path, _, _ := strings.Cut(text, ": ")
	lab := Lab{where: r.where}
	line, column := lab.Position(path)
	if line == 0 {
		line, column = r.root.Line, r.root.Column
	}
	return &Error{r.name, line, column, clip(text)}
}
