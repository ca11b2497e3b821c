package e2e

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"orrery/views/link"
)

// TestSession works in two recordings as the tour does (a finding, a place that is kept, time-lapse, a picture), saves
// the session, is killed, and goes on where it was: by itself in the next run, and from the session's file in the one
// after.
func TestSession(t *testing.T) {
	screen, home, files := display(t, 1280, 800), t.TempDir(), t.TempDir()
	var paths []string
	for _, name := range []string{"bubble-array-sorted.orr", "list.orr"} {
		data, err := os.ReadFile(recording(name))
		if err == nil {
			paths = append(paths, filepath.Join(files, name))
			err = os.WriteFile(paths[len(paths)-1], data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(files, "work.orrery")
	w := startIn(t, home, screen, append([]string{"--theme", "light"}, paths...)...)
	w.ready()
	w.several(0, "document-opened", 2)
	w.settled() // the one asked for last is in front, whichever was read first
	var left event
	w.steps([]step{
		{"finding", chooseFinding},
		{"lapse", lapse},
		{"bookmark", bookmark},
		{"own window", ownWindow},
		{"picture", savePicture(filepath.Join(files, "heap.png"))},
		{"save", saveSession(file)},
		{"kill", func(w *window) {
			w.settled()
			since := w.mark()
			w.key("period")
			w.wait(since, "the session kept by itself", named("session-kept"))
			w.key("ctrl+s")
			w.settled()
			left = w.state()
			w.cmd.Process.Kill()
			<-w.ended
		}},
	})

	again := startIn(t, home, screen)
	again.ready()
	again.wait(0, "word of the last run", func(e event) bool {
		return e.Name == "notice" && strings.Contains(e.Text, "did not end well the last time")
	})
	same(again, left)
	again.quit()

	third := startIn(t, home, screen, file)
	third.ready()
	same(third, left)
	for _, e := range third.events() {
		if e.Name == "recovered" {
			t.Error("a run that ended well is recovered")
		}
	}
	third.quit()
}

// several waits until there are n events with a name after a mark.
func (w *window) several(since int, name string, n int) {
	w.t.Helper()
	ok := w.until(patience, func() bool {
		seen := 0
		for _, e := range w.events()[since:] {
			if e.Name == name {
				seen++
			}
		}
		return seen >= n
	})
	if !ok {
		w.fail("waited in vain for several events " + name)
	}
}

// same waits until both recordings are open, the one in front is where it was left, and its heap is in a window of its
// own.
func same(w *window, left event) {
	w.t.Helper()
	w.several(0, "document-opened", 2)
	w.wait(0, "the heap in its window", func(e event) bool { return e.Name == "taken-out" && e.Slot == "heap" })
	w.settled()
	since := w.mark()
	w.key("period", "comma") // which tells where it is
	w.several(since, "link", 2)
	now := w.state()
	for _, e := range []*event{&left, &now} {
		e.At, e.Index, e.Raw = 0, 0, ""
	}
	if !reflect.DeepEqual(now, left) {
		w.t.Errorf("the recording is at %+v, was left at %+v", now, left)
	}
}

// chooseFinding presses the first finding: it is selected and the views show it.
func chooseFinding(w *window) {
	e := w.seek(w.pane("findings"), []share{{0.5, 0.2}, {0.5, 0.35}, {0.5, 0.5}}, "a finding", func(e event) bool {
		return e.Name == "link" && e.Origin == "findings" && link.What(e.Selected) != link.Nothing
	})
	w.drawn(e.Index, "source", "explain")
	w.settled()
}

// lapse plays fast, several references a frame, and pauses.
func lapse(w *window) {
	w.key("Home")
	w.settled()
	since := w.mark()
	w.key("space")
	w.wait(since, "a thousand references", func(e event) bool { return e.Name == "link" && e.Cursor > 1000 })
	w.key("space")
	w.wait(since, "the pause", func(e event) bool { return e.Name == "playing" && !e.On })
	w.settled()
	var steps, far, last int
	for _, e := range w.events()[since:] {
		if e.Name == "link" {
			if e.Cursor > last+1 {
				far++
			}
			steps, last = steps+1, e.Cursor
		}
	}
	if far*2 < steps {
		w.t.Errorf("%d of %d frames of a time-lapse took several references", far, steps)
	}
}

// bookmark keeps the place, goes away and comes back by its name.
func bookmark(w *window) {
	at, since := w.state().Cursor, w.mark()
	w.key("ctrl+b")
	w.wait(since, "the sheet", func(e event) bool { return e.Name == "sheet" && e.Title == "Keep this place" })
	w.key("ctrl+a")
	w.xdo("type", "here")
	w.key("Return")
	w.wait(since, "the bookmark", named("bookmark"))
	w.key("End")
	w.settled()
	since = w.mark()
	w.key("ctrl+f")
	w.xdo("type", "here")
	w.key("Return")
	w.wait(since, "the way back", named("went"))
	if got := w.state().Cursor; got != at {
		w.t.Errorf("the bookmark leads to %d, want %d", got, at)
	}
	w.settled()
}

// ownWindow takes the heap out of the docks, back into them and out again, by keys alone.
func ownWindow(w *window) {
	own := takeOut(w)
	before := w.shot()
	since := w.mark()
	w.key("Home")
	w.drawn(since, "heap")
	ground := w.ground(own)
	if differing(before, w.shot(), ground) == 0 {
		w.t.Error("the heap in its own window does not follow the time")
	}
	since = w.mark()
	w.move(float64(ground.Min.X+ground.Dx()/2), float64(ground.Min.Y+ground.Dy()/2))
	w.settled()
	w.xdo("windowfocus", "--sync", own)
	w.key("ctrl+shift+w")
	w.wait(since, "the heap back", func(e event) bool { return e.Name == "brought-back" && e.Slot == "heap" })
	w.settled()
	w.xdo("windowfocus", "--sync", w.id)
	since = w.mark()
	w.click(w.pane("timeline").at(0.5, 0.5)) // as without the keys that brought it back
	w.wait(since, "the cursor where the timeline was pressed", func(e event) bool {
		return e.Name == "link" && e.Cursor > 0
	})
	takeOut(w)
}

// takeOut gives the heap a window of its own and tells which.
func takeOut(w *window) (own string) {
	since := w.mark()
	w.key("3")
	w.key("ctrl+shift+w")
	w.wait(since, "the heap in its window", func(e event) bool { return e.Name == "taken-out" && e.Slot == "heap" })
	seen := func() bool { // it takes the keyboard when it comes up
		for _, id := range strings.Fields(w.xdo("search", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid))) {
			if id != w.id {
				own = id
			}
		}
		return own != ""
	}
	if !w.until(patience, seen) {
		w.fail("the heap's window does not come up")
	}
	w.settled()
	w.xdo("windowfocus", "--sync", w.id) // no window manager does it here
	w.settled()
	return own
}

// ground is where a window stands on the screen.
func (w *window) ground(id string) image.Rectangle {
	w.t.Helper()
	var x, y, width, height int
	said := w.xdo("getwindowgeometry", id) // Position: x,y and Geometry: width x height, each on a line
	at := strings.Index(said, "Position:")
	if _, err := fmt.Sscanf(said[max(0, at):], "Position: %d,%d", &x, &y); err != nil {
		w.fail(said)
	}
	at = strings.Index(said, "Geometry:")
	if _, err := fmt.Sscanf(said[max(0, at):], "Geometry: %dx%d", &width, &height); err != nil {
		w.fail(said)
	}
	return image.Rect(x, y, x+width, y+height)
}

// savePicture saves the picture of the pane that has the keyboard.
func savePicture(path string) func(w *window) {
	return func(w *window) {
		since := w.mark()
		w.key("ctrl+e")
		w.wait(since, "the sheet", func(e event) bool { return e.Name == "sheet" && e.Title == "Save the picture" })
		w.key("ctrl+a")
		w.xdo("type", path)
		w.key("Return")
		w.wait(since, "word of the picture", named("notice"))
		if info, err := os.Stat(path); err != nil || info.Size() < 2000 {
			w.t.Errorf("the picture: %v, %v", info, err)
		}
		w.settled()
	}
}

// saveSession saves under a name, and again without asking.
func saveSession(path string) func(w *window) {
	return func(w *window) {
		since := w.mark()
		w.key("ctrl+shift+s")
		w.wait(since, "the sheet", func(e event) bool { return e.Name == "sheet" && e.Title == "Save the session" })
		w.key("ctrl+a")
		w.xdo("type", path)
		w.key("Return")
		w.wait(since, "the session saved", func(e event) bool { return e.Name == "session-saved" && e.Path == path })
		w.settled()
		since = w.mark()
		w.key("ctrl+s")
		w.wait(since, "the session saved again", named("session-saved"))
	}
}
