package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"labctl/internal/docstest"
	"labctl/scenarios"
	"labctl/topology/sim"
)

var (
	update   = flag.Bool("update", false, "rewrite the pages in docs: what is generated, and the outputs of what is shown")
	slowDocs = flag.Bool("slow", false, "run the sessions of pages that are marked slow too")
)

const (
	checkout     = "../.."
	scenarioDocs = checkout + "/docs/scenarios"
	generated    = "<!-- make docs writes this page from the scenario itself: change that instead. -->\n\n"
)

// documents are the pages whose commands are run.
func documents(t *testing.T) []string {
	t.Helper()
	found := []string{checkout + "/README.md"}
	err := filepath.WalkDir(checkout+"/docs", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			found = append(found, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// outputs are what a page shows below its commands.
var outputs = regexp.MustCompile("(?s)(```console\n\\$ [^\n]*\n).*?```")

// A page of a scenario is what describe says, and the output of its command,
// which is run as that of any other page.
func TestScenarioPagesAreThoseOfDescribe(t *testing.T) {
	pages := map[string]string{"README.md": scenarioIndex()}
	for _, s := range scenarios.All() {
		pages[s.Name+".md"] = generated + describeMarkdown(s)
	}
	for name, want := range pages {
		path := scenarioDocs + "/" + name
		data, _ := os.ReadFile(path) // none is as different as another
		got := outputs.ReplaceAllString(string(data), "$1```")
		if *update {
			rewrite(t, path, want) // the outputs come with those of the other pages
		} else if got != want {
			t.Errorf("%s is not what labctl describe --format markdown prints: make docs rewrites it", path)
		}
	}
	found, err := filepath.Glob(scenarioDocs + "/*.md")
	if err != nil || len(found) > len(pages) {
		t.Errorf("%d pages of %d scenarios and an index (%v): remove those of scenarios that are gone", len(found), len(pages)-1, err)
	}
}

// Whatever a page shows as a session is run in a process of its own.
func TestDocumentsSayWhatHappens(t *testing.T) {
	if underRace {
		t.Skip("the sessions of the documentation look for no races: make test runs them")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sessions are run by sh, and there is none")
	}
	for _, path := range documents(t) {
		t.Run(strings.TrimPrefix(path, checkout+"/"), func(t *testing.T) {
			t.Parallel()
			text := readPage(t, path)
			if _, err := exec.LookPath("curl"); err != nil && regexp.MustCompile(`(?m)^\$ .*curl`).MatchString(text) {
				t.Skip("this page uses curl, and there is none")
			}
			wrong, now := pageOf(t, text).Check()
			if *update && now != text {
				rewrite(t, path, now)
				wrong, _ = pageOf(t, now).Check()
			}
			for _, w := range wrong {
				t.Errorf("%s: %s", path, w)
			}
		})
	}
}

func pageOf(t *testing.T, text string) docstest.Page {
	return docstest.Page{
		Text: text, Dir: t.TempDir(), Module: checkout, Slow: *slowDocs,
		Env:  []string{"NO_COLOR=1", "TERM=dumb"},
		Live: againstTheClock,
		Edit: func(cmd string) string { return strings.ReplaceAll(cmd, "go run ./cmd/labctl", "labctl") },
	}
}

var runsSomething = regexp.MustCompile(`labctl (run|audit|probe|serve|doctor)\b`)

// againstTheClock says of a command that its times are those of the machine.
func againstTheClock(cmd string) bool {
	return runsSomething.MatchString(cmd) && !strings.Contains(cmd, "--engine sim")
}

func rewrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// scenarioIndex is the page that leads to the others.
func scenarioIndex() string {
	var rows [][]string
	for _, s := range scenarios.All() {
		rows = append(rows, []string{"[" + s.Name + "](" + s.Name + ".md)", s.Title})
	}
	head := fmt.Sprintf("# Scenarios\n\nEach is a topology, named variants of it, figures, and a text on how to read them. The first %d reproduce five articles on retries; the others go beyond.\n\n", len(scenarios.Articles()))
	return generated + head + markdownTable([]string{"scenario", "what it shows"}, rows)
}

// The page says all that the simulator says of itself.
func TestThePageOnTheModelIsComplete(t *testing.T) {
	text := readPage(t, checkout+"/docs/what-is-not-modelled.md")
	for _, line := range slices.Concat(sim.Modelled, sim.NotModelled) {
		if !strings.Contains(text, "\n- "+line+"\n") {
			t.Errorf("docs/what-is-not-modelled.md does not say %q", line)
		}
	}
}

// Readers of either tutorial run the same commands.
func TestTutorialsRunTheSame(t *testing.T) {
	prompts := regexp.MustCompile(`(?m)^[$>] .*`)
	english := prompts.FindAllString(readPage(t, checkout+"/docs/tutorial.md"), -1)
	vietnamese := prompts.FindAllString(readPage(t, checkout+"/docs/vi/tutorial.md"), -1)
	if !slices.Equal(english, vietnamese) {
		t.Errorf("docs/tutorial.md runs\n%q\ndocs/vi/tutorial.md\n%q", english, vietnamese)
	}
}

var (
	inlineCode   = regexp.MustCompile("`(labctl [^`]*)`")
	indentedCode = regexp.MustCompile(`(?m)^    (labctl .*)$`)
	inSession    = regexp.MustCompile(`(?ms)^` + "```.*?^```")
)

// What a page only mentions is not run, but it has to be a command with flags
// that there are.
func TestMentionedCommandsExist(t *testing.T) {
	mentioned := 0
	for _, path := range documents(t) {
		text := inSession.ReplaceAllString(readPage(t, path), "")
		text = strings.ReplaceAll(text, "go run ./cmd/labctl", "labctl")
		for _, found := range slices.Concat(inlineCode.FindAllStringSubmatch(text, -1), indentedCode.FindAllStringSubmatch(text, -1)) {
			mentioned++
			if why := notACommand(found[1]); why != "" {
				t.Errorf("%s: `%s`: %s", path, found[1], why)
			}
		}
	}
	if mentioned < 20 {
		t.Errorf("%d commands found in %v: this test looks in the wrong place", mentioned, documents(t))
	}
}

func notACommand(line string) string {
	words := strings.Fields(strings.NewReplacer("'", "", "…", "").Replace(line))[1:]
	root := newRoot(streams{})
	root.InitDefaultHelpCmd() // cobra's, which it adds when it runs
	c, rest, err := root.Find(words)
	if err != nil {
		return err.Error()
	}
	if !c.HasParent() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return "no such command"
	}
	if err := c.ParseFlags(rest); err != nil {
		return err.Error()
	}
	if name := c.Flags().Arg(0); c.Name() == "run" && regexp.MustCompile(`^[a-z][a-z-]*$`).MatchString(name) && name != articles {
		if _, known := scenarios.Find(name); !known {
			return "no such scenario"
		}
	}
	return ""
}

// The flag of one command is not another's, and a scenario has to be there.
func TestNoSuchCommandIsSeen(t *testing.T) {
	for line, ok := range map[string]bool{
		"labctl run nested-retry --tree":        true,
		"labctl run FILE.yaml --engine sim":     true,
		"labctl audit -- curl -s --retry 3 {u}": true,
		"labctl list":                           true,
		"labctl rum nested-retry":               false,
		"labctl run nested-retires":             false,
		"labctl list --tree":                    false,
	} {
		if got := notACommand(line); (got == "") != ok {
			t.Errorf("%s: %q", line, got)
		}
	}
}
