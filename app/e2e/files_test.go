package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestPipesStopNothing has named pipes wherever the application may meet one by itself: in the folder of the dialog,
// under the name that is typed there, dropped, and in a session. Nobody writes into them.
func TestPipesStopNothing(t *testing.T) {
	screen, dir := display(t, 1280, 800), t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(recording("list.orr"))
	if err != nil {
		t.Fatal(err)
	}
	session := `{"orrery-session":1,"front":0,"documents":[{"path":"` + pipe + `"}]}`
	for name, data := range map[string][]byte{"list.orr": data, "a.orrery": []byte(session)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := startIn(t, dir, screen, filepath.Join(dir, "list.orr"))
	w.ready()
	w.wait(0, "document-drawn", named("document-drawn"))
	w.settled()
	refused := func(since int) {
		t.Helper()
		e := w.wait(since, "a refusal", named("open-failed"))
		if text, _ := e.Error.(string); !strings.Contains(text, "named pipe") {
			t.Errorf("it says %q", text)
		}
	}
	alive := func(after string) {
		t.Helper()
		since := w.mark()
		w.key("period")
		if _, ok := w.within(patience, since, named("link")); !ok {
			w.fail("nothing is heard of the keyboard after " + after)
		}
		w.settled()
	}
	since := w.mark()
	w.key("ctrl+o")
	w.wait(since, "the folder listed", named("folder-listed"))
	w.xdo("type", "pipe")
	w.key("Return")
	w.settled()
	w.key("Escape")
	w.settled()
	alive("a pipe in the dialog")
	since = w.mark()
	w.drop(640, 400, pipe)
	refused(since)
	alive("a pipe dropped")
	since = w.mark()
	w.drop(640, 400, filepath.Join(dir, "a.orrery"))
	refused(since)
	alive("a session with a pipe")
	w.quit()
}
