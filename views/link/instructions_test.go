package link

import (
	"slices"
	"testing"

	"orrery/traceio"
)

func TestInstructionsAreTheSameInAnyOrder(t *testing.T) {
	a := OfInstructions("a.go", 3, []traceio.Addr{0x4010, 0x4004, 0x4010})
	if b := OfInstructions("a.go", 3, []traceio.Addr{0x4004, 0x4010}); a != b {
		t.Errorf("%+v is not %+v", a, b)
	}
	if a.Name != "0x4004 0x4010" || !slices.Equal(a.PCs(), []traceio.Addr{0x4004, 0x4010}) {
		t.Errorf("%q is %v", a.Name, a.PCs())
	}
	if line := (Thing{What: Line, File: "a.go", Line: 3}); a.AsLine() != line ||
		line.AsLine() != line || line.PCs() != nil {
		t.Errorf("as a line %+v", a.AsLine())
	}
	for _, c := range []struct {
		name string
		want []traceio.Addr
	}{{"", nil}, {"0x10 rubbish 0x1 0x1 -3 0x99999999999999999", []traceio.Addr{1, 16}}} {
		if got := (Thing{What: Instructions, Name: c.name}).PCs(); !slices.Equal(got, c.want) {
			t.Errorf("%q has %v, want %v", c.name, got, c.want)
		}
	}
	if what, ok := ParseWhat(Instructions.String()); !ok || what != Instructions {
		t.Errorf("%q is read as %v", Instructions, what)
	}
}
