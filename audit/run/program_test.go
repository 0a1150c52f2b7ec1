package run

import (
	"slices"
	"testing"
	"time"

	"labctl/audit"
	"labctl/faultserver/program"
)

// Every fault of the catalogue has a program that the tail can read, on each kind of
// connection and however a warm-up comes about.
func TestEveryFaultHasAProgram(t *testing.T) {
	for _, p := range (Choice{}).Probes() {
		for _, w := range []warming{cold, byCommand, byRedirect} {
			text, err := programOf(p, w)
			if p.Fault.Blackhole {
				if text != "" || err != nil {
					t.Errorf("%s: %q, %v, want no program", p, text, err)
				}
				continue
			}
			if _, parseErr := program.Parse(text); err != nil || parseErr != nil {
				t.Errorf("%s: %q: %v, %v", p, text, err, parseErr)
			}
		}
	}
}

func TestProgramsOfProbes(t *testing.T) {
	for _, c := range []struct {
		fault  string
		on     audit.Connection
		caller Warms
		want   string
	}{
		{"503", audit.Fresh, Never, "503+body=10B+close"},
		{"503", audit.Reused, Never, "503+body=10B"},
		{"503", audit.Reused, OnDemand, "503+body=10B"},
		{"503", audit.Fresh, Always, "ok+close,503+body=10B+close"},
		{"503", audit.Reused, Always, "ok,503+body=10B"},
		{"503 twice, then ok", audit.Fresh, Never, "503+body=10B+closex2,ok+close"},
		{"reset", audit.Fresh, Never, "reset"},
		{"reset", audit.Reused, Never, "307+location=again,reset"},
		{"reset", audit.Reused, OnDemand, "ok,reset"},
		{"reset", audit.Reused, Always, "ok,reset"},
		{"reset", audit.Fresh, Always, "ok+close,reset"},
		{"refused", audit.Fresh, Always, "refuse"},
		{"conn:ok,close", audit.Reused, Always, "conn:ok,close"},
		{"conn:ok,close", audit.Reused, Never, "conn:ok,close"},
	} {
		f, known := audit.FaultNamed(c.fault)
		if !known {
			var err error
			if f, err = FaultOf(c.fault); err != nil {
				t.Fatal(err)
			}
		}
		p := audit.Probe{Fault: f, Connection: c.on}
		got, err := programOf(p, warmingOf(p, c.caller))
		if err != nil || got != c.want {
			t.Errorf("%s %s, caller %d: %q, %v, want %q", c.fault, c.on, c.caller, got, err, c.want)
		}
	}
}

func TestFaultsOfPrograms(t *testing.T) {
	for text, want := range map[string]audit.Group{
		"ok": audit.Control, "503": audit.Status, "429+retry-after=7": audit.RetryAfter,
		"503+raw-retry-after=soon": audit.RetryAfter, "close": audit.Transport, "503x3,ok": audit.Recovery,
	} {
		f, err := FaultOf(text)
		if err != nil || f.Group != want || f.Name != text {
			t.Errorf("%s: %+v, %v, want group %d", text, f, err, want)
		}
	}
	if _, err := FaultOf("sometimes"); err == nil {
		t.Error("a program that nobody can read was taken for a fault")
	}
}

// Faults that tell methods apart are asked with each, the others with the first.
func TestProbesOfMethods(t *testing.T) {
	one := len(Choice{}.Probes())
	methods := []Method{{Name: "GET"}, {Name: "POST"}, {Name: "POST", Keyed: true}}
	all := Choice{Methods: methods}.Probes()
	extra := slices.DeleteFunc(slices.Clone(all), func(p audit.Probe) bool { return p.Method == "GET" })
	if len(all) != one+len(extra) {
		t.Errorf("%d probes with GET, want %d", len(all)-len(extra), one)
	}
	for _, p := range extra {
		if !slices.Contains(telling, p.Fault.Name) {
			t.Errorf("%s is asked with more than one method", p)
		}
	}
	f, _ := audit.FaultNamed("404")
	if got := (Choice{Methods: methods, Faults: []audit.Fault{f}}).Probes(); len(got) != 6 {
		t.Errorf("a fault that is asked for by name has %d probes, want 6", len(got))
	}
	for _, name := range telling {
		if _, known := audit.FaultNamed(name); !known {
			t.Errorf("%q is no fault of the catalogue", name)
		}
	}
}

// Those that take all their time begin first, else each is waited for alone in the end.
func TestSlowProbesBeginFirst(t *testing.T) {
	probes := Choice{}.Probes()
	order := bySlowness(probes)
	if len(order) != len(probes) || slowness(probes[order[0]]) != 2 || slowness(probes[order[len(order)-1]]) != 0 {
		t.Errorf("the first is %s and the last %s", probes[order[0]], probes[order[len(order)-1]])
	}
	names := 0
	for _, p := range probes {
		if slowness(p) == 2 && p.Connection == audit.Fresh {
			names++
		}
	}
	if names != 5 {
		t.Errorf("%d slow faults, want 5: is a name misspelt?", names)
	}
}

// Attempts belong to the request that was under way, where requests follow one another.
func TestAttemptsOfEachRequest(t *testing.T) {
	at := func(from, to int) passing {
		return passing{time.Unix(0, int64(from)), time.Unix(0, int64(to))}
	}
	three := []passing{at(0, 9), at(10, 19), at(20, 29)}
	for _, c := range []struct {
		name          string
		reached, sent []passing
		want          []int
	}{
		{"fewer and fewer", three, []passing{at(1, 2), at(3, 4), at(11, 12)}, []int{2, 1, 0}},
		{"all alike", three, []passing{at(1, 2), at(11, 12), at(21, 22)}, nil},
		{"overlapping", []passing{at(0, 15), at(10, 19)}, []passing{at(1, 2)}, nil},
		{"none", nil, nil, nil},
	} {
		if got := each(c.reached, c.sent); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
