package session

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"orrery/traceio/resultcache"
	"orrery/traceio/store"
)

// TestCountFile opens a file that was written from a long recording: the first opening already finds the counts,
// whether they were taken over or made.
func TestCountFile(t *testing.T) {
	t.Setenv(resultcache.Variable, "off")
	want := open(t, longRecording(t))
	other := open(t, filepath.Join("..", "..", "testdata", "recordings", "list.orr"))
	for name, like := range map[string]*Recording{"taken over": want, "counted": nil, "of another file": other} {
		t.Run(name, func(t *testing.T) {
			kept := resultcache.At(t.TempDir())
			t.Setenv(resultcache.Variable, kept.Dir())
			ctx := context.Background()
			path := filepath.Join(t.TempDir(), "copy.orr")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := store.Write(ctx, want.Recording, f, nil); err != nil {
				t.Fatal(err)
			}
			counted := false
			if err := CountFile(ctx, path, like, func(done, total int64) { counted = counted || done > 0 }); err != nil {
				t.Fatal(err)
			}
			if counted == (like == want) {
				t.Errorf("the references were counted: %v", counted)
			}
			got, err := LoadGrowing(ctx, path, func(bool) bool { return false },
				func(*Recording) { t.Error("the first opening samples") }, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer got.Close()
			if !reflect.DeepEqual(got.Lines, want.Lines) || !reflect.DeepEqual(got.Use.Regions, want.Use.Regions) ||
				!reflect.DeepEqual(got.Digest.Pieces, want.Digest.Pieces) || !reflect.DeepEqual(got.code, want.code) ||
				got.Sampled() {
				t.Error("what is kept differs from what is counted")
			}
		})
	}
}
