package card

import (
	"slices"

	"labctl/audit"
	"labctl/report"
)

// An Entry is one thing to say, with the word that it is about.
type Entry struct{ Key, Text string }

// Parts are a card before anyone decides how it looks, for forms that another package
// makes. All text is clean, and the words are those of Text.
type Parts struct {
	Title, Command     string
	Partial            string // what to say of an audit that was interrupted
	Policy             []Entry
	Findings           []Entry // the key is the severity, the worst first
	Chains             []Entry
	Doubts             []Entry
	Layers             report.TableData
	ProbesHead         string
	Probes, EveryProbe report.TableData // alike ones folded, and all
	Notes              []string
}

// PartsOf takes a card apart.
func PartsOf(a audit.Audit) Parts {
	p := Parts{
		Title: report.Clean(title(a)), Command: report.Clean(commandLine(a.Command)),
		Policy: entriesOf(policyEntries(a)), Doubts: entriesOf(slices.Concat(undecidedEntries(a), doubts(a))),
	}
	if a.Partial {
		p.Partial = partialText
	}
	for _, f := range bySeverity(a.Findings) {
		p.Findings = append(p.Findings, Entry{string(f.Severity), report.Clean(f.Message)})
	}
	for _, c := range a.Chains {
		p.Chains = append(p.Chains, Entry{report.Clean(chainName(c)), report.Clean(productText(c))})
	}
	if len(a.Chains) > 0 {
		p.Layers = layerTable(a.Chains).data()
	}
	if len(a.Probes) == 0 {
		return p
	}
	p.ProbesHead, p.Probes, p.EveryProbe = probesHead, foldedTable(a.Probes, 0).data(), allTable(a.Probes).data()
	for _, n := range notes(a.Probes) {
		p.Notes = append(p.Notes, report.Clean(n))
	}
	return p
}

func entriesOf(es []entry) []Entry {
	var out []Entry
	for _, e := range es {
		out = append(out, Entry{report.Clean(e.key), report.Clean(e.text)})
	}
	return out
}

func (t table) data() report.TableData { return report.TableData{Columns: t.columns, Rows: t.rows} }
