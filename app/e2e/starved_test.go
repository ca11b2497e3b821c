package e2e

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestStarvedWindowPaintsAgain takes nearly all processor time from the application while it plays, for much longer
// than Fyne keeps what it has not painted, and gives it back: whatever changes then is painted. Fyne keeps it for two
// seconds here, of its minute.
func TestStarvedWindowPaintsAgain(t *testing.T) {
	t.Setenv("FYNE_CACHE", "2s")
	for _, c := range []struct {
		name   string
		starve func(w *window, long time.Duration) error
	}{
		{"stopped and continued", stopAndContinue},
		{"under a quota", underQuota},
	} {
		t.Run(c.name, func(t *testing.T) {
			screen := display(t, 1280, 800)
			w := opened(t, screen, "--theme", "dark", recording("list.orr"))
			since := w.mark()
			w.key("space")
			w.wait(since, "the play", func(e event) bool { return e.Name == "playing" && e.On })
			if err := c.starve(w, 16*time.Second); err != nil {
				t.Logf("no quota can be set here: %v; the other run stands for it", err)
				return
			}
			since = w.mark()
			w.key("space")
			w.wait(since, "the pause", func(e event) bool { return e.Name == "playing" && !e.On })
			w.settled()
			before, since := w.shot(), w.mark()
			w.key("Home", "period")
			w.drawn(since, "cycles", "cache", "heap", "source", "explain", "timeline")
			w.settled()
			if n := differing(before, w.shot(), w.pane("timeline").rect()); n == 0 {
				t.Error("the timeline is drawn anew and the screen shows the old one")
			}
			w.move(640, 24) // away from the pictures and their tooltips
			w.settled()
			for _, layer := range []string{"F10", "question", "ctrl+p", "ctrl+comma"} {
				before := w.shot()
				w.key(layer)
				if !w.until(patience, func() bool { return differing(before, w.shot(), before.Bounds()) > 2000 }) {
					w.fail(layer + " opens nothing that is seen")
				}
				var left image.Image
				gone := func() bool {
					left = w.shot()
					at := differingBox(before, left) // a caption may have changed meanwhile; a layer is larger
					return differing(before, left, before.Bounds()) < 300 || at.Dx()*at.Dy() < 20_000
				}
				w.key("Escape")
				if !w.until(10*time.Second, gone) { // a busy X server may lose a key; a window that paints no more loses all
					t.Logf("after one Escape %d pixels of %s differ, in %v", differing(before, left, before.Bounds()), layer,
						differingBox(before, left))
					w.key("Escape")
				}
				if !w.until(patience, gone) {
					w.fail(fmt.Sprintf("Escape does not take away what %s has opened: %d pixels differ, in %v", layer,
						differing(before, left, before.Bounds()), differingBox(before, left)))
				}
			}
			w.fresh()
		})
	}
}

// fresh compares what the window shows with what it shows when everything is painted anew, as it is in another theme
// and back.
func (w *window) fresh() {
	w.t.Helper()
	w.settled()
	was := w.shot()
	w.key("l")
	if !w.until(patience, func() bool { return differing(was, w.shot(), was.Bounds()) > 100_000 }) {
		w.fail("L does not change the theme")
	}
	w.key("l")
	if !w.until(patience, func() bool { return differing(was, w.shot(), was.Bounds()) < 100 }) {
		w.t.Errorf("%d pixels were not those that are painted anew", differing(was, w.shot(), was.Bounds()))
	}
}

// stopAndContinue lets the application run two milliseconds in each half second, while the pointer moves.
func stopAndContinue(w *window, long time.Duration) error {
	p := w.cmd.Process
	for end := time.Now().Add(long); time.Now().Before(end); {
		if err := p.Signal(syscall.SIGSTOP); err != nil {
			return err
		}
		time.Sleep(400 * time.Millisecond)
		w.wander()
		if err := p.Signal(syscall.SIGCONT); err != nil {
			return err
		}
		time.Sleep(2 * time.Millisecond)
	}
	return nil
}

// wander moves the pointer somewhere.
func (w *window) wander() {
	now := float64(time.Now().UnixMilli() % 600)
	w.xdo("mousemove", pixel(300+now), pixel(200+now/2))
}

// underQuota has the kernel give the application a millisecond in each second, while the pointer moves.
func underQuota(w *window, long time.Duration) error {
	group, limit, lift, err := quotaGroup()
	if err != nil {
		return err
	}
	w.t.Cleanup(func() {
		w.cmd.Process.Kill()
		<-w.ended
		os.Remove(group)
	})
	pid := strconv.Itoa(w.cmd.Process.Pid)
	if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(pid), 0o644); err != nil {
		return err
	}
	if err := limit(); err != nil {
		return err
	}
	for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		w.wander()
	}
	if err := lift(); err != nil {
		w.fail("the quota cannot be lifted: " + err.Error())
	}
	return nil
}

// quotaGroup makes a control group for a quota, of either version of the kernel's interface.
func quotaGroup() (group string, limit, lift func() error, err error) {
	write := func(name, text string) error { return os.WriteFile(filepath.Join(group, name), []byte(text), 0o644) }
	name := fmt.Sprintf("orrery-e2e-%d-%d", os.Getpid(), time.Now().UnixNano())
	if _, err := os.Stat("/sys/fs/cgroup/cpu"); err == nil {
		group = filepath.Join("/sys/fs/cgroup/cpu", name)
		limit = func() error {
			if err := write("cpu.cfs_period_us", "1000000"); err != nil {
				return err
			}
			return write("cpu.cfs_quota_us", "1000")
		}
		lift = func() error { return write("cpu.cfs_quota_us", "-1") }
		return group, limit, lift, os.Mkdir(group, 0o755)
	}
	group = filepath.Join("/sys/fs/cgroup", name)
	limit = func() error { return write("cpu.max", "1000 1000000") }
	lift = func() error { return write("cpu.max", "max") }
	return group, limit, lift, os.Mkdir(group, 0o755)
}
