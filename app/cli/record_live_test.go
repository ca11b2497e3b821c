package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/app/session"
	"orrery/traceio/store"
)

// TestRecordLive opens the window, here a function, while the program still runs; the recording outlives the window.
func TestRecordLive(t *testing.T) {
	for _, row := range []struct {
		heapOnly bool
		window   error
	}{{false, nil}, {false, errors.New("no screen")}, {true, nil}} {
		window := row.window
		out := filepath.Join(t.TempDir(), "sleep.orr")
		opened := ""
		desktop := func(_ context.Context, files []string, _ DesktopFlags) error {
			if opened = strings.Join(files, " "); !store.Growing(opened) {
				t.Errorf("the window opens on %q, which does not grow", opened)
			}
			return window
		}
		said, err := os.Create(filepath.Join(t.TempDir(), "said")) // a file, since the program writes to it too
		if err != nil {
			t.Fatal(err)
		}
		defer said.Close()
		streams := Streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: said}
		errs := func() string {
			text, err := os.ReadFile(said.Name())
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		args := []string{"record", "--live", "-o", out, "--", "sleep", "0.5"}
		if row.heapOnly {
			args = slices.Insert(args, 2, "--heap-only")
		}
		if status := Main(context.Background(), args, streams, desktop); status != Done {
			t.Fatalf("status %d: %s", status, errs())
		}
		if opened != out || strings.Contains(errs(), "no screen") != (window != nil) {
			t.Errorf("the window opened on %q; %s", opened, errs())
		}
		rec, err := session.Load(context.Background(), out, nil)
		if err != nil {
			t.Fatal(err)
		}
		if (rec.Len() == 0) != row.heapOnly || rec.Extent() == 0 || len(rec.Loss()) > 0 {
			t.Errorf("%d references, loss %v", rec.Len(), rec.Loss())
		}
		rec.Close()
	}
}
