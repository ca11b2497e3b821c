package orr

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"orrery/traceio"
)

// TestAmend: a recording that is amended has what it had and the new description, also where its index is made anew;
// and it stays as it was where it has no end, or no room for another.
func TestAmend(t *testing.T) {
	whole := file(t, sample(4))
	lost := traceio.Loss{Kind: "unrecorded-processes", Count: 3, Why: "too many"}
	change := func(p *traceio.Program) { p.Lost = append(p.Lost, lost) }
	for name, row := range map[string]struct {
		data    []byte
		damage  func([]byte) []byte
		want    []traceio.Loss
		refused bool
	}{
		"whole":           {data: whole, want: []traceio.Loss{lost}},
		"its end damaged": {data: whole, want: []traceio.Loss{lost}, damage: func(b []byte) []byte { return b[:len(b)-1] }},
		"cut":             {data: whole[:len(whole)-1], refused: true},
		"nothing":         {refused: true},
	} {
		path := filepath.Join(t.TempDir(), "x.orr")
		if err := os.WriteFile(path, row.data, 0o600); err != nil {
			t.Fatal(err)
		}
		err := Amend(path, change)
		got, _ := os.ReadFile(path)
		if row.refused {
			if err == nil || !slices.Equal(got, row.data) {
				t.Errorf("%s: %v, %d bytes, want %d", name, err, len(got), len(row.data))
			}
			continue
		}
		if row.damage != nil {
			got = row.damage(got)
		}
		f, openErr := open(got)
		before, _ := open(row.data)
		if err != nil || openErr != nil || !slices.Equal(f.Program().Lost, row.want) || f.Len() != before.Len() ||
			len(f.Entries()) != len(before.Entries()) {
			t.Errorf("%s: %v, %v; %+v", name, err, openErr, f.Program().Lost)
		}
		if joined := slices.ContainsFunc(f.Loss(), func(l traceio.Loss) bool { return l.Kind == "joined-bytes" }); joined {
			t.Errorf("%s: %+v", name, f.Loss())
		}
	}
}
