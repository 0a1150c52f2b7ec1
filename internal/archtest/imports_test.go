// Package archtest holds the module to its own design: imports point one way.
package archtest

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path of this module, which its publisher may change.
var module = func() string {
	data, _ := os.ReadFile("../../go.mod")
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimPrefix(line, "module ")
}()

// rules say which packages of this module each package may import, and why not
// the others. Tests are free. "*" is everything that is not a command.
var rules = map[string]struct {
	may []string
	why string
}{
	"internal/suggest":        {nil, "a helper that knew its users could not serve all of them"},
	"internal/archtest":       {nil, "it reads sources and runs nothing"},
	"topology/policy":         {nil, "a decision depends on its arguments alone, or the engines would disagree about it"},
	"faultserver/program":     {[]string{"internal/suggest"}, "a fault program is read by the tail and by both engines, so it can know none of them"},
	"faultserver/idempotency": {nil, "what a key means is the same in the tail and in virtual time"},
	"faultserver":             {[]string{"faultserver/program", "faultserver/idempotency", "internal/suggest"}, "the tail is used in ordinary tests of other modules, which must not get an engine with it"},
	"topology":                {[]string{"topology/policy", "faultserver/program", "faultserver/idempotency"}, "a topology is plain data: what runs it, or shows it, reads it and not the other way round"},
	"report":                  {[]string{"internal/suggest"}, "engines fill the result model; a report that knew how a number came about could not show another's"},
	"report/page/assets":      {nil, "files of others, embedded for whoever makes a page"},
	"report/page":             {[]string{"report", "report/page/assets", "audit", "audit/card"}, "a page shows what there is and knows no way to come by it; its words are those of the other forms"},
	"topology/ledger":         {[]string{"topology", "topology/policy", "report"}, "both engines keep their books in it, so it can know neither"},
	"topology/bound":          {[]string{"topology", "topology/policy", "faultserver/program"}, "a bound comes from the settings alone: with an engine it would be a measurement"},
	"topology/live":           {[]string{"topology", "topology/ledger", "topology/policy", "faultserver", "faultserver/program", "faultserver/idempotency", "report"}, "an engine runs any topology: it knows no scenario, and not the other engine"},
	"topology/export":         {[]string{"topology", "faultserver/program"}, "a manifest says what is started and runs nothing: it can be read before anybody is trusted with it"},
	"topology/node":           {[]string{"topology", "topology/live", "report", "faultserver/control"}, "it joins processes that package live makes: how a service works, and what a scenario is, is not its business"},
	"topology/sim":            {[]string{"topology", "topology/ledger", "topology/policy", "topology/sim/queue", "faultserver/program", "faultserver/idempotency", "report"}, "an engine runs any topology: it knows no scenario, not the other engine, and no HTTP"},
	"topology/file":           {[]string{"topology", "internal/suggest"}, "a file says what a topology may be, and what reads it decides what to do with it"},
	"topology/imports":        {[]string{"topology", "topology/policy", "topology/file"}, "settings of others become a lab, and nothing is run for that"},
	"topology/sim/queue":      {nil, "a queue orders instants, whatever happens at them"},
	"scenarios":               {[]string{"topology", "topology/bound", "topology/file", "topology/policy", "topology/live", "topology/sim", "report"}, "a scenario is data and engines; it cannot need what a file could not say"},
	"scenarios/cases":         {nil, "cases are embedded files, which anything may run"},
	"audit":                   {nil, "what an audit found is plain data: what makes it, and what shows it, read it"},
	"audit/infer":             {[]string{"audit", "topology/policy"}, "inference is a pure function of what arrived: with a tail or a command in reach it could not be tested on a thousand policies"},
	"audit/subject":           {nil, "running a command of a stranger is work enough for one package"},
	"audit/subjects":          {nil, "a list of what there is to audit, and what others saw of it, must not depend on the audit"},
	"audit/subjects/audits":   {[]string{"audit", "audit/card", "audit/subjects"}, "it runs the built labctl, as anybody would"},
	"audit/tail":              {[]string{"audit", "faultserver", "faultserver/program"}, "a tail says what arrived and not what it means"},
	"audit/tap":               {nil, "a tap copies bytes and counts, whatever they are for"},
	"audit/proxy":             {[]string{"audit/subject"}, "a recipe configures and starts a proxy; who asks it what is not its business"},
	"audit/run":               {[]string{"audit", "audit/subject", "audit/tail", "audit/tap", "audit/proxy", "faultserver/program"}, "trials are made here, and judged elsewhere"},
	"audit/card":              {[]string{"audit", "report"}, "a card shows an audit and knows no way to come by one; report lends it the look of all other tables"},
	"audit/lab":               {[]string{"audit", "topology", "topology/policy", "topology/file"}, "what was inferred is put into the words of a lab; nothing is run for that"},
	"faultserver/control":     {[]string{"faultserver", "faultserver/program"}, "a tail on its own needs no engine"},
	"internal/docstest":       {nil, "it runs what a page shows, and knows of the program only its name"},
	"docs/example":            {nil, "a client as users write it: only its tests know the tail"},
	"ui":                      {[]string{"scenarios", "topology", "topology/policy", "topology/file", "topology/sim", "topology/live", "report", "report/page/assets"}, "the page asks the engines as a command does; a command starts it, and it knows none"},
	"ui/wasm":                 {[]string{"ui"}, "the page's questions and answers without a server, and nothing besides"},
	"ui/pack":                 {[]string{"ui", "report/page/assets"}, "it packs files and simulates nothing"},
	"trace":                   {[]string{"report"}, "spans come from anybody's tracing: what reads them knows no lab; report lends it the look of all other tables"},
	"trace/lab":               {[]string{"trace", "topology", "topology/policy"}, "what an engine tells is put into spans; nothing is run for that"},
	"results":                 {nil, "baselines are embedded files"},
	"cmd/labctl":              {[]string{"*"}, "a command puts everything together"},
}

// imports lists, for each package directory, the packages of this module that
// its sources import, tests left out.
func imports(t *testing.T, root fs.FS) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return enter(root, name)
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		dir := path.Dir(name)
		if found[dir] == nil {
			found[dir] = []string{}
		}
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			if p, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(p, module+"/") {
				found[dir] = append(found[dir], strings.TrimPrefix(p, module+"/"))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// enter skips what the go command skips: hidden directories, testdata, and
// modules of their own.
func enter(root fs.FS, dir string) error {
	base := path.Base(dir)
	if dir == "." {
		return nil
	}
	if _, err := fs.Stat(root, path.Join(dir, "go.mod")); err == nil || base == "testdata" || strings.ContainsAny(base[:1], "._") {
		return fs.SkipDir
	}
	return nil
}

// breaches lists what the rules forbid.
func breaches(found map[string][]string) []string {
	var out []string
	for dir, imported := range found {
		rule, known := rules[dir]
		if !known {
			out = append(out, fmt.Sprintf("%s has no rule: add a row that says what it may import, and why", dir))
			continue
		}
		for _, p := range slices.Compact(slices.Sorted(slices.Values(imported))) {
			everything := slices.Contains(rule.may, "*") && !strings.HasPrefix(p, "cmd/")
			if !everything && !slices.Contains(rule.may, p) {
				out = append(out, fmt.Sprintf("%s imports %s: %s", dir, p, rule.why))
			}
		}
	}
	slices.Sort(out)
	return out
}

func TestImportsPointOneWay(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	found := imports(t, os.DirFS(root))
	if len(found["topology/live"]) == 0 {
		t.Fatal("no imports of topology/live found: this test looks in the wrong place")
	}
	for _, breach := range breaches(found) {
		t.Error(breach)
	}
}

// The rules can be broken: each row is an import that somebody may be tempted by.
func TestBreachesAreSeen(t *testing.T) {
	for _, tt := range []struct{ dir, imported, want string }{
		{"topology/policy", "topology", "topology/policy imports topology: a decision depends on its arguments alone, or the engines would disagree about it"},
		{"topology", "report", "topology imports report: a topology is plain data: what runs it, or shows it, reads it and not the other way round"},
		{"report", "topology/live", "report imports topology/live: engines fill the result model; a report that knew how a number came about could not show another's"},
		{"faultserver", "topology/policy", "faultserver imports topology/policy: the tail is used in ordinary tests of other modules, which must not get an engine with it"},
		{"topology/sim", "topology/live", "topology/sim imports topology/live: an engine runs any topology: it knows no scenario, not the other engine, and no HTTP"},
		{"topology/live", "scenarios", "topology/live imports scenarios: an engine runs any topology: it knows no scenario, and not the other engine"},
		{"scenarios", "cmd/labctl", "scenarios imports cmd/labctl: a scenario is data and engines; it cannot need what a file could not say"},
		{"cmd/labctl", "cmd/other", "cmd/labctl imports cmd/other: a command puts everything together"},
		{"utils", "report", "utils has no rule: add a row that says what it may import, and why"},
		{"cmd/labctl", "scenarios", ""},
		{"topology/ledger", "report", ""},
	} {
		got := strings.Join(breaches(map[string][]string{tt.dir: {tt.imported}}), "; ")
		if got != tt.want {
			t.Errorf("%s → %s: got %q, want %q", tt.dir, tt.imported, got, tt.want)
		}
	}
}

// The page on the architecture names every package.
func TestArchitecturePageIsComplete(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for dir := range rules {
		if !strings.Contains(string(page), "`"+dir+"`") {
			t.Errorf("docs/architecture.md does not name %s: add it to the table of packages", dir)
		}
	}
	const screens = 2 * 50
	if n := strings.Count(string(page), "\n"); n > screens {
		t.Errorf("docs/architecture.md has %d lines: two screens are %d", n, screens)
	}
}
