package card

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"labctl/audit"
)

// Index writes the table of many audits in Markdown: a row per subject and version, the
// attempts that it makes on each fault, and its policy in a word. Each subject links to
// FileName with the ending .md, in the same folder.
func Index(w io.Writer, audits []audit.Audit) error {
	sorted := slices.Clone(audits)
	slices.SortStableFunc(sorted, bySubject)
	files := map[string]string{}
	for _, a := range sorted {
		file := FileName(a)
		if other, taken := files[file]; taken {
			return fmt.Errorf("%q and %q would have the same file %s.md: keep one, or give the other a subject of its own", other, subject(a), file)
		}
		files[file] = subject(a)
	}
	x := &index{}
	x.b.WriteString("## What clients and proxies do when the server fails\n\n")
	if len(sorted) == 0 {
		x.b.WriteString("nothing was audited, so there is nothing to show\n")
	} else {
		x.table(sorted)
	}
	_, err := io.WriteString(w, x.b.String())
	return err
}

func bySubject(a, b audit.Audit) int {
	if c := natural(strings.ToLower(a.Subject), strings.ToLower(b.Subject)); c != 0 {
		return c
	}
	return natural(a.Version, b.Version)
}

func (x *index) table(audits []audit.Audit) {
	fmt.Fprintf(&x.b, "%s, as measured from outside.\n\n", plural(len(audits), "subject"))
	x.head()
	for _, a := range audits {
		x.row(a)
	}
	x.legend()
}

// FileName is the name of a subject's files without their ending: letters, digits,
// dots and dashes of its name and version, whatever else they hold.
func FileName(a audit.Audit) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.':
			return r
		}
		return '-'
	}, strings.ToLower(subject(a)))
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' })
	name = strings.Join(words, "-")
	name = strings.Trim(name[:min(len(name), longestName)], ".-")
	if name == "" {
		return "audit"
	}
	return name
}

// longestName leaves room for an ending in every file system.
const longestName = 200

// natural compares so that 7.9 comes before 7.88.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == "" || y == "" {
			if a[0] != b[0] {
				return int(a[0]) - int(b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		a, b = a[len(x):], b[len(y):]
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

func digits(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }

// index collects the table and its footnotes.
type index struct {
	b     strings.Builder
	notes []string
}

// question is a column of the index that shows attempts: the first of these faults that
// was asked.
type question struct {
	head       string
	faults     []string
	connection audit.Connection
}

var questions = []question{
	{"503", []string{"503"}, audit.Fresh},
	{"503 + Retry-After", []string{"503 retry-after=1", "503 retry-after=3"}, audit.Fresh},
	{"429", []string{"429"}, audit.Fresh},
	{"500", []string{"500"}, audit.Fresh},
	{"404", []string{"404"}, audit.Fresh},
	{"408", []string{"408"}, audit.Fresh},
	{"refused", []string{"refused"}, audit.Fresh},
	{"reset", []string{"reset"}, audit.Fresh},
	{"close", []string{"close"}, audit.Fresh},
	{"reused close", []string{"close"}, audit.Reused},
	{"hang", []string{"hang"}, audit.Fresh},
	{"truncate", []string{"truncate"}, audit.Fresh},
	{"malformed", []string{"malformed"}, audit.Fresh},
}

func (x *index) head() {
	heads, rules := []string{"subject"}, []string{"---"}
	for _, q := range questions {
		heads, rules = append(heads, q.head), append(rules, "--:")
	}
	heads = append(heads, "jitter", "Retry-After", "POST", "hidden replays")
	rules = append(rules, "---", "---", "---", "---")
	x.cells(heads)
	x.cells(rules)
}

// cells takes text that is safe already.
func (x *index) cells(cells []string) { x.b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

func (x *index) row(a audit.Audit) {
	name := fmt.Sprintf("[%s](%s.md)", escaped(subject(a)), FileName(a))
	if a.Partial {
		name += x.note("this audit was interrupted: what it did not ask is missing")
	}
	cells := []string{name}
	for _, q := range questions {
		cells = append(cells, x.attempts(a, q))
	}
	for _, text := range []string{jitterCell(a), retryAfterCell(a), postCell(a), hiddenCell(a)} {
		cells = append(cells, escaped(text))
	}
	x.cells(cells)
}

func (x *index) legend() {
	x.b.WriteString(`
Numbers are attempts of one request, the first included (**4** attempts are 3 retries), against a fault that does not end.
**3+1**: one more that the HTTP stack sends by itself, which no policy knows of.
≥: it may have been more than could be counted. –: not asked. ?: not decided.

- *reused close*: the connection carried a good exchange before and closes on the request; the other columns have a new connection for each attempt.
- *jitter*: how the rests between attempts are spread; *none* means that clients which failed together come back together.
- *Retry-After*: *exact* waits as long as asked; *floor* at least so long; *ignored* keeps its own rests.
- *POST*: whether a request that is not safe to repeat is repeated where a GET is. POST and PUT, keys and bodies are in each subject's file.
`)
	for i, n := range x.notes {
		if i == 0 {
			x.b.WriteByte('\n')
		}
		fmt.Fprintf(&x.b, "- <sup>%d</sup> %s\n", i+1, escaped(n))
	}
}

// note returns the mark of a footnote, the same for the same text.
func (x *index) note(text string) string {
	i := slices.Index(x.notes, text)
	if i < 0 {
		i = len(x.notes)
		x.notes = append(x.notes, text)
	}
	return fmt.Sprintf("<sup>%d</sup>", i+1)
}
