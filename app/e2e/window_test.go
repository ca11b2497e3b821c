package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// window is one run of the application on a display.
type window struct {
	t       testing.TB
	display string
	log     eventLog
	cmd     *exec.Cmd
	stderr  bytes.Buffer
	ended   chan struct{} // closed when the process is gone
	status  error         // of the process, once it is gone
	id      string        // of the X window, once it is shown
}

// recording is the path of a shipped recording.
func recording(name string) string { return filepath.Join("..", "..", "testdata", "recordings", name) }

// start runs the application with settings and caches of its own, and ends it with the test.
func start(t testing.TB, display string, args ...string) *window {
	t.Helper()
	return startIn(t, t.TempDir(), display, args...)
}

// startIn is start with the settings and caches of an earlier run.
func startIn(t testing.TB, dir, display string, args ...string) *window {
	t.Helper()
	log := filepath.Join(t.TempDir(), "events")
	return startLogged(t, dir, display, log, append([]string{"--event-log", log}, args...)...)
}

// startLogged is startIn for arguments that name the event log themselves.
func startLogged(t testing.TB, dir, display, log string, args ...string) *window {
	t.Helper()
	return startWith(t, nil, dir, display, log, args...)
}

// startWith is startLogged in a changed environment.
func startWith(t testing.TB, env map[string]string, dir, display, log string, args ...string) *window {
	t.Helper()
	w := &window{t: t, display: display, log: eventLog{path: log}, ended: make(chan struct{})}
	w.cmd = exec.Command(binary(t), args...)
	w.cmd.Env = append(os.Environ(), "DISPLAY="+display, "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1", "FYNE_SCALE=1",
		"HOME="+dir, "XDG_CONFIG_HOME="+dir+"/config", "XDG_CACHE_HOME="+dir+"/cache", "XDG_DATA_HOME="+dir+"/data")
	for name, value := range env {
		w.cmd.Env = append(w.cmd.Env, name+"="+value)
	}
	w.cmd.Stderr = &w.stderr
	if err := w.cmd.Start(); err != nil {
		t.Fatalf("starting the application: %v", err)
	}
	go func() {
		w.status = w.cmd.Wait()
		close(w.ended)
	}()
	t.Cleanup(func() {
		w.cmd.Process.Kill()
		<-w.ended
	})
	return w
}

// open starts the application on files and waits until its window is there and has the keyboard.
func open(t testing.TB, display string, args ...string) *window {
	t.Helper()
	w := start(t, display, args...)
	w.ready()
	return w
}

// ready waits until the window is there and has the keyboard.
func (w *window) ready() {
	w.t.Helper()
	w.wait(0, "window-shown", named("window-shown"))
	w.id = strings.TrimSpace(w.xdo("search", "--sync", "--onlyvisible", "--limit", "1", "--pid",
		strconv.Itoa(w.cmd.Process.Pid)))
	w.xdo("windowfocus", "--sync", w.id) // no window manager does it here
}

// opened starts the application on one recording and waits until it is drawn and its analyses are done.
func opened(t testing.TB, display string, args ...string) *window {
	t.Helper()
	w := open(t, display, args...)
	w.wait(0, "document-drawn", named("document-drawn"))
	w.settled()
	return w
}

// events is the event log so far.
func (w *window) events() []event { return w.log.events() }

// mark is a place in the event log: what is waited for since then comes after it.
func (w *window) mark() int { return len(w.events()) }

// wait returns the first event after a mark that fits, and fails the test when none comes.
func (w *window) wait(since int, what string, fits func(event) bool) event {
	w.t.Helper()
	e, ok := w.within(patience, since, fits)
	if !ok {
		w.fail("waited in vain for " + what)
	}
	return e
}

// within is wait for as long as it is worth, and tells whether the event came.
func (w *window) within(long time.Duration, since int, fits func(event) bool) (event, bool) {
	w.t.Helper()
	var found event
	ok := w.until(long, func() bool {
		all := w.events()
		for _, e := range all[min(since, len(all)):] {
			if fits(e) {
				found = e
				return true
			}
		}
		return false
	})
	return found, ok
}

// until asks again and again whether something is the case, for as long as it is worth.
func (w *window) until(long time.Duration, is func() bool) bool {
	w.t.Helper()
	for end := time.Now().Add(long); ; time.Sleep(15 * time.Millisecond) {
		if is() {
			return true
		}
		select {
		case <-w.ended:
			if is() {
				return true
			}
			w.fail(fmt.Sprintf("the application has ended (%v)", w.status))
		default:
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// settled waits until no job runs and nothing has been written into the log for a while.
func (w *window) settled() {
	w.t.Helper()
	w.rests(patience)
}

// rests is settled for as long as it is worth.
func (w *window) rests(long time.Duration) {
	w.t.Helper()
	const quiet = 400 * time.Millisecond
	n, since := w.mark(), time.Now()
	ok := w.until(long, func() bool {
		all := w.events()
		if len(all) != n {
			n, since = len(all), time.Now()
		}
		running := 0
		for _, e := range all {
			if e.Name == "jobs" {
				running = e.Running
			}
		}
		return running == 0 && time.Since(since) > quiet
	})
	if !ok {
		w.fail("the application does not come to rest")
	}
}

// drawn waits until panes are drawn after a mark.
func (w *window) drawn(since int, slots ...string) {
	w.t.Helper()
	for _, s := range slots {
		w.wait(since, "a redraw of "+s, func(e event) bool { return e.Name == "pane-drawn" && e.Slot == s })
	}
}

// fail ends the test with what the application said last and a picture of the screen.
func (w *window) fail(why string) {
	w.t.Helper()
	all := w.events()
	var last strings.Builder
	for _, e := range all[max(0, len(all)-25):] {
		last.WriteString(e.Raw + "\n")
	}
	shot := filepath.Join(os.TempDir(), "orrery-e2e-"+strings.ReplaceAll(w.t.Name(), "/", "-")+".png")
	if c := w.tool("import", "-window", "root", shot); c.Run() == nil {
		why += "; the screen is in " + shot
	}
	select {
	case <-w.ended: // only then is standard error complete and at rest
		why += "\nstandard error: " + w.stderr.String()
	default:
	}
	w.t.Fatalf("%s\nthe end of the event log:\n%s", why, last.String())
}

// tool is a command on the window's display.
func (w *window) tool(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "DISPLAY="+w.display)
	return c
}

// xdo runs xdotool.
func (w *window) xdo(args ...string) string {
	w.t.Helper()
	out, err := w.tool("xdotool", args...).CombinedOutput()
	if err != nil {
		w.fail(fmt.Sprintf("xdotool %s: %v\n%s", strings.Join(args, " "), err, out))
	}
	return string(out)
}

// key types keys, named as xdotool does: "period", "ctrl+shift+z".
func (w *window) key(names ...string) {
	w.t.Helper()
	w.xdo(append([]string{"key", "--delay", "40"}, names...)...)
}

// move puts the pointer at a point of the window, in pixels.
func (w *window) move(x, y float64) {
	w.t.Helper()
	w.xdo("mousemove", "--window", w.id, pixel(x), pixel(y))
}

// click presses the primary button at a point.
func (w *window) click(x, y float64) {
	w.t.Helper()
	w.move(x, y)
	w.xdo("mousedown", "1", "sleep", "0.05", "mouseup", "1")
}

// drag moves the pointer with the button down from one point to another in steps, as a hand does.
func (w *window) drag(x0, y0, x1, y1 float64) {
	w.t.Helper()
	w.dragPaced(0.02, x0, y0, x1, y1)
}

// dragPaced is drag with so many seconds between its steps.
func (w *window) dragPaced(pace, x0, y0, x1, y1 float64) {
	w.t.Helper()
	const steps = 12
	args := []string{"mousemove", "--window", w.id, pixel(x0), pixel(y0), "sleep", "0.05", "mousedown", "1", "sleep",
		"0.05"}
	for i := 1; i <= steps; i++ {
		f := float64(i) / steps
		args = append(args, "mousemove", "--window", w.id, pixel(x0+(x1-x0)*f), pixel(y0+(y1-y0)*f), "sleep",
			strconv.FormatFloat(pace, 'g', -1, 64))
	}
	w.xdo(append(args, "mouseup", "1")...)
}

func pixel(v float64) string { return strconv.Itoa(int(math.Round(v))) }

// scale is how many pixels a unit of the log has.
func (w *window) scale() float64 {
	w.t.Helper()
	return w.wait(0, "window-shown", named("window-shown")).Scale
}

// panes are the newest places of all visible panes, in pixels of the window.
func (w *window) panes() []pane {
	w.t.Helper()
	var newest []pane
	for _, e := range w.events() {
		if e.Name == "arranged" {
			newest = e.Panes
		}
	}
	if newest == nil {
		w.fail("the event log says nothing of the panes' places")
	}
	s := w.scale()
	out := make([]pane, len(newest))
	for i, p := range newest {
		out[i] = pane{p.Slot, p.X * s, p.Y * s, p.W * s, p.H * s}
	}
	return out
}

// pane is where a visible pane lies.
func (w *window) pane(slot string) pane {
	w.t.Helper()
	if p, ok := w.place(slot); ok {
		return p
	}
	w.fail("the pane " + slot + " is not visible")
	return pane{}
}

// shot is a picture of the screen. It is taken when nothing has been drawn for a moment, so that it shows what the log
// says.
func (w *window) shot() image.Image {
	w.t.Helper()
	w.settled()
	c := w.tool("import", "-window", "root", "png:-")
	var said bytes.Buffer
	c.Stderr = &said
	data, err := c.Output()
	if err != nil {
		w.fail(fmt.Sprintf("import: %v\n%s", err, said.String()))
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		w.fail("the picture of the screen: " + err.Error())
	}
	if dir := os.Getenv("ORRERY_SCREENSHOTS"); dir != "" { // for people who want to see what the tests see
		name := fmt.Sprintf("%s-%d.png", strings.ReplaceAll(w.t.Name(), "/", "-"), w.mark())
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			w.t.Error(err)
		}
	}
	return m
}

// state is the newest link event: where the cursor is, what is selected.
func (w *window) state() event {
	w.t.Helper()
	var newest event
	for _, e := range w.events() {
		if e.Name == "link" {
			newest = e
		}
	}
	return newest
}

// cpu is the processor time that the application has used so far.
func (w *window) cpu() time.Duration {
	w.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.cmd.Process.Pid))
	if err != nil {
		w.fail(err.Error())
	}
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:])) // the name before it may hold blanks
	user, err1 := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	if err := errors.Join(err1, err2); err != nil {
		w.fail(err.Error())
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 on every Linux that Go runs on
	return time.Duration(user+system) * tick
}

// quit presses Ctrl+Q and fails unless the application ends well.
func (w *window) quit() {
	w.t.Helper()
	w.key("ctrl+q")
	if status := w.end(); status != 0 {
		w.fail(fmt.Sprintf("Ctrl+Q ended the application with status %d", status))
	}
	all := w.events()
	if last := all[len(all)-1].Name; last != "ended" {
		w.fail("the last event is " + last + ", want ended")
	}
	for _, e := range all {
		if e.Name == "unreadable" {
			w.t.Errorf("the event log has a line that is no JSON: %s", e.Raw)
		}
	}
	if s := w.stderr.String(); strings.Contains(s, "panic") || strings.Contains(s, "goroutine ") {
		w.t.Errorf("the application complained on standard error:\n%s", s)
	}
}

// end waits until the process is gone and returns its exit status.
func (w *window) end() int {
	w.t.Helper()
	select {
	case <-w.ended:
	case <-time.After(patience):
		w.fail("the application does not end")
	}
	var exit *exec.ExitError
	switch {
	case w.status == nil:
		return 0
	case errors.As(w.status, &exit):
		return exit.ExitCode()
	}
	w.t.Fatal(w.status)
	return -1
}
