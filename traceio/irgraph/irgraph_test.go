package irgraph

import (
	"strings"
	"testing"

	"orrery/traceio"
)

func TestSameFile(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"a.go", "a.go", true}, {"./a.go", "a.go", true}, {"/home/u/m/a.go", "a.go", true},
		{"m/a.go", "/home/u/m/a.go", true},
		{"a.go", "ba.go", false}, {"/m/a.go", "/home/u/m/a.go", false}, {"", "a.go", false}, {"", "", false},
		{"b.go", "a.go", false},
	} {
		if SameFile(c.a, c.b) != c.same || SameFile(c.b, c.a) != c.same {
			t.Errorf("%q and %q: want %v", c.a, c.b, c.same)
		}
	}
}

// TestProblemsAreBounded: a document tells a hundred problems one by one, counts the others, and always what ended it.
func TestProblemsAreBounded(t *testing.T) {
	d := &Document{Path: "x"}
	for i := range 250 {
		d.Problem(Position{Line: i + 1}, "", "problem")
	}
	d.Truncated(Position{Line: 999}, "the end")
	if len(d.Problems) != MaxProblems+1 || d.MoreProblems != 150 ||
		!strings.HasPrefix(d.Problems[MaxProblems].Error(), "x:999: the end") {
		t.Errorf("%d told, %d more, the last is %v", len(d.Problems), d.MoreProblems, d.Problems[len(d.Problems)-1])
	}
}

// TestSharedPropertiesStay: With copies.
func TestSharedPropertiesStay(t *testing.T) {
	p := make(Properties, 1, 9)
	p[0] = Property{"a", "1"}
	q, r := p.With("a", "2"), p.With("b", "3")
	if p.Get("a") != "1" || q.Get("a") != "2" || len(q) != 1 || r.Get("b") != "3" ||
		len(p[:2:2]) == 2 && p[:2][1].Key != "" {
		t.Errorf("%v %v %v", p, q, r)
	}
}

// TestWalkGivesTheWayDown finds groups with snapshots in folders.
func TestWalkGivesTheWayDown(t *testing.T) {
	d := &Document{Groups: []*Group{{Name: "a", Groups: []*Group{{Name: "b", Snapshots: []*Snapshot{{}},
		Groups: []*Group{{Name: "c", Snapshots: []*Snapshot{{}}}}}}}, {Name: "d", Snapshots: []*Snapshot{{}}}}}
	var got []string
	d.Walk(func(path []string, g *Group) { got = append(got, strings.Join(append(path, g.Name), "/")) })
	if strings.Join(got, " ") != "a/b a/b/c d" {
		t.Errorf("%v", got)
	}
}

// TestEntryAtItsOwnAddress: where the compiler ran within the program, instructions that have no lines find their
// places by address, if they are those of the listing; code of another run that happens to lie there is not taken for
// it.
func TestEntryAtItsOwnAddress(t *testing.T) {
	g := &Group{Address: 0x7000, Listing: []Instruction{{Offset: 0}, {Offset: 4}, {Offset: NoOffset}, {Offset: 9}}}
	at := func(pcs ...traceio.Addr) (out []traceio.Site) {
		for _, pc := range pcs {
			out = append(out, traceio.Site{PC: pc})
		}
		return out
	}
	for _, c := range []struct {
		name  string
		sites []traceio.Site
		ok    bool
	}{
		{"all fit", at(0x10, 0x7000, 0x7004, 0x7009, 0x8000), true},
		{"some were not recorded", at(0x7004), true},
		{"other code lies there", at(0x7001, 0x7004, 0x7006), false},
		{"nothing lies there", at(0x6fff, 0x700a), false},
		{"nothing at all", nil, false},
	} {
		if entry, ok := g.Entry(c.sites); ok != c.ok || ok && entry != 0x7000 {
			t.Errorf("%s: entry %v, %v", c.name, entry, ok)
		}
	}
	g.Address = 0
	if _, ok := g.Entry(at(0x7000, 0x7004)); ok {
		t.Error("an entry was found without lines and without an address")
	}
}
