package recording

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/views/palette"
	"orrery/views/scene"
)

// TestNothingIsAwaitedWhereNothingIs opens recordings of which no reference is left: every view of references says so,
// and not that it is at work, or that it has looked.
func TestNothingIsAwaitedWhereNothingIs(t *testing.T) {
	data, err := os.ReadFile(shipped + "list.orr")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		kept int
		want string
	}{
		{"cut in the first block", 3000, "None of the references of this file could be read"},
		{"cut after the header", 600, "None of the references of this file could be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "cut.orr")
			if err := os.WriteFile(path, data[:c.kept], 0o644); err != nil {
				t.Fatal(err)
			}
			b := open(t, path)
			if b.Len() != 0 {
				t.Fatalf("%d references are left of it", b.Len())
			}
			for range 3 { // what the first picture asks for may change the next
				for _, v := range b.views {
					v.View.Draw(scene.Size{W: 500, H: 400, Scale: 1}, palette.Dark())
				}
				b.settle()
			}
			for _, v := range b.views {
				text := said(v.View.Draw(scene.Size{W: 500, H: 400, Scale: 1}, palette.Dark()))
				switch v.Slot {
				case shell.Recording, shell.Cycles, shell.Gallery, shell.Cache, shell.Curve, shell.Table,
					shell.Findings, shell.Designs:
					if !strings.Contains(text, c.want) || strings.Contains(text, "Nothing found") {
						t.Errorf("%s says %q, want %q", v.Slot, text, c.want)
					}
				}
			}
		})
	}
}

// said are the texts of a drawing.
func said(d scene.Drawing) string {
	var out []string
	for _, s := range d.Shapes {
		if t, ok := s.(scene.Text); ok {
			out = append(out, t.S)
		}
	}
	return strings.Join(out, " ")
}
