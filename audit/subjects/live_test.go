package subjects_test

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"labctl/audit/subjects"
	"labctl/faultserver"
)

// wait is what a test allows a subject; none here takes more than ten seconds.
const wait = time.Minute

// built returns a Go subject, whose program is there or else the test is skipped.
func built(t *testing.T, name string) subjects.Subject {
	t.Helper()
	if testing.Short() {
		t.Skip("real clients take real time")
	}
	s := named(t, name)
	if _, ok := s.Installed(); !ok {
		t.Skipf("%s is not here: %s", name, s.Cure)
	}
	return s
}

// call lets a subject loose on a tail and returns what it printed when it failed.
func call(t *testing.T, s subjects.Subject, c subjects.Call) (failure string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	argv := s.Argv(c)
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if ctx.Err() != nil {
		t.Errorf("%s was still at it after %v", s.Name, wait)
	}
	if err != nil {
		return err.Error() + " " + string(out)
	}
	return ""
}

// The programs of the folder go do what the libraries were seen to do. All other subjects
// are compared by the audit itself. Clients rest most of their time, so that many more
// than processors run at once.
func TestGoSubjectsAreTrue(t *testing.T) {
	built(t, "go-net-http") // they are built together
	cells := truth(t)
	var group errgroup.Group
	group.SetLimit(16)
	for _, s := range subjects.All("build") {
		if s.Truth == "" || !strings.HasPrefix(s.Name, "go-") {
			continue
		}
		for _, c := range cells {
			if c.Subject == s.Truth && slices.Contains([]string{"503", "503ra1", "404", "fin", "rst", "hang", "reuse_fin"}, c.Fault) {
				group.Go(func() error { compare(t, s, c); return nil })
			}
		}
	}
	group.Wait()
}

func compare(t *testing.T, s subjects.Subject, cell subjects.Cell) {
	f, _ := subjects.FaultOf(cell.Fault)
	tail := faultserver.Start(t, f.Program)
	c := subjects.Call{Method: cell.Method, URL: tail.URL}
	if cell.Method != "GET" {
		c.Body = "hello, world!"
	}
	if f.Warm {
		c.Warm = tail.URL
	}
	failure := call(t, s, c)
	if hits := tail.Hits(); !slices.Contains(cell.Hits, hits) {
		t.Errorf("%s, %s %s: %d hits, truth %v; %s", s.Name, cell.Fault, cell.Method, hits, cell.Hits, failure)
	}
}
