package page

import (
	"labctl/audit"
	"labctl/audit/card"
)

// auditView is the card of one audit. Its words are those of package card.
type auditView struct {
	ID, Title      string
	Alone          bool
	Command        prose
	Partial        string
	Policy, Chains []entry
	Findings       []entry
	Doubts         []entry
	Layers         table
	ProbesHead     string
	Probes, Every  table
	Notes          []prose
}

// entry is a word and what there is to say about it; the class goes with a severity.
type entry struct {
	Key   string
	Text  prose
	Class string
}

func auditOf(id string, a audit.Audit) auditView {
	p := card.PartsOf(a)
	return auditView{
		ID: id, Title: proseOf(p.Title, 80).Short, Command: proseOf(p.Command, longProse), Partial: p.Partial,
		Policy: entries(p.Policy), Chains: entries(p.Chains), Findings: entries(p.Findings), Doubts: entries(p.Doubts),
		Layers: tableOf("Layers", p.Layers), ProbesHead: p.ProbesHead,
		Probes: tableOf("Probes, alike ones together", p.Probes), Every: tableOf("Every probe", p.EveryProbe), Notes: proses(p.Notes),
	}
}

func entries(es []card.Entry) []entry {
	var out []entry
	for _, e := range es {
		class := ""
		switch audit.Severity(e.Key) {
		case audit.Danger:
			class = "danger"
		case audit.Risk:
			class = "risk"
		case audit.Note:
			class = "note"
		}
		out = append(out, entry{e.Key, proseOf(e.Text, longProse), class})
	}
	return out
}
