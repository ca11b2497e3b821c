package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"orrery/app/session"
)

// TestBuiltinsComeBack opens everything that is in the program, kills the application, loses the cache, and finds all
// open again; then from a session's file.
func TestBuiltinsComeBack(t *testing.T) {
	screen, home := display(t, 1280, 800), t.TempDir()
	names := []string{session.DesignExample}
	for _, e := range session.Examples() {
		names = append(names, e.Path())
	}
	file := filepath.Join(t.TempDir(), "all.orrery")
	all := func(w *window) {
		t.Helper()
		w.ready()
		w.several(0, "document-opened", len(names))
		w.settled()
		open := map[string]bool{}
		for _, e := range w.events() {
			switch e.Name {
			case "document-opened":
				open[e.Path] = true
			case "missing", "open-failed":
				t.Errorf("%s", e.Raw)
			}
		}
		for _, name := range names {
			if path, _ := session.Builtin(name); !open[path] {
				t.Errorf("%s is not open: %v", path, open)
			}
		}
	}
	w := startIn(t, home, screen, names...)
	all(w)
	since := w.mark()
	w.key("period")
	w.wait(since, "the session kept", func(e event) bool { return e.Name == "session-kept" && e.Documents == len(names) })
	w.cmd.Process.Kill()
	<-w.ended
	if err := os.RemoveAll(filepath.Join(home, "cache")); err != nil {
		t.Fatal(err)
	}

	again := startIn(t, home, screen)
	all(again)
	saveSession(file)(again)
	again.quit()

	third := startIn(t, t.TempDir(), screen, file)
	all(third)
	third.quit()
}

// TestNoPlaceForCaches starts where nothing can be kept: the window is there, a file is open, and so are the examples
// where there is any place.
func TestNoPlaceForCaches(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   map[string]string
		fails int // documents that have to lie somewhere
	}{
		{"a file where the cache would be", map[string]string{"XDG_CACHE_HOME": "/dev/null/cache"}, 0},
		{"no home", map[string]string{"HOME": "", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""}, 0},
		{"a home that is no folder", map[string]string{"HOME": "/dev/null", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "",
			"XDG_DATA_HOME": ""}, 0},
		{"no place for temporary files either", map[string]string{"XDG_CACHE_HOME": "/dev/null/cache", "TMPDIR": "/dev/null"},
			1},
	} {
		t.Run(c.name, func(t *testing.T) {
			screen, log := display(t, 1280, 800), filepath.Join(t.TempDir(), "events")
			w := startWith(t, c.env, t.TempDir(), screen, log, "--event-log", log, recording("list.orr"),
				session.Examples()[0].Path(), session.DesignExample)
			w.ready()
			w.several(0, "document-drawn", 1)
			w.several(0, "document-opened", 3-c.fails)
			w.several(0, "open-failed", c.fails)
			w.settled()
			w.quit()
			if _, err := os.Stat("fyne"); err == nil {
				t.Error("settings were written into the working directory")
			}
		})
	}
}
