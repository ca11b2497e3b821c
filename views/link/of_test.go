package link

import "testing"

// TestEachKindHasItsOwnThings: however alike the parts, things of two kinds are never the same, and what is made twice
// is.
func TestEachKindHasItsOwnThings(t *testing.T) {
	make := func() []Thing {
		return []Thing{{}, OfLine("", 1), OfFunction("a"), OfRegion("a"), OfBlock(1, 1, 2), OfBytes(1, 2), OfSet("a", 1),
			OfTime(Range{1, 2}), OfDesign(1), OfSubspace(1),
			OfInstructions("", 1, nil), OfError("a", 1, 1, 2)}
	}
	all, again := make(), make()
	if len(all) != len(names) {
		t.Fatalf("%d kinds have names, %d are made", len(names), len(all))
	}
	for i, a := range all {
		if int(a.What) != i || a != again[i] {
			t.Errorf("%+v is of kind %v, made again %+v", a, a.What, again[i])
		}
		for j, b := range all {
			if i != j && a == b {
				t.Errorf("%v and %v are the same thing", a.What, b.What)
			}
		}
		if what, ok := ParseWhat(a.What.String()); !ok || what != a.What {
			t.Errorf("%v is read as %v", a.What, what)
		}
	}
}

func TestErrorsShowAsWhatTheyConcern(t *testing.T) {
	for _, row := range []struct {
		name        string
		thing, want Thing
	}{
		{"of a block", OfError("double-free at event 4", 7, 16, 32), OfBlock(7, 16, 32)},
		{"of an address", OfError("unknown-free at event 5", -1, 16, 17), OfBytes(16, 17)},
		{"a line", OfLine("a.c", 3), OfLine("a.c", 3)},
		{"nothing", Thing{}, Thing{}},
	} {
		if got := row.thing.AsMemory(); got != row.want {
			t.Errorf("%s: %+v, want %+v", row.name, got, row.want)
		}
	}
}
