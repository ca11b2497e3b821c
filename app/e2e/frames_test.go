package e2e

import (
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// BenchmarkFrames moves the pointer through everything and tells what the interface's thread has to do for a frame: the
// median, the 99th percentile and the longest one, in milliseconds of its own processor time, which neighbours do not
// change. A frame hands out events, draws what changed, and gives it to the graphics card's driver. It is asked to stay
// below 16 ms.
//
// ORRERY_RECORDING is the recording instead of the shipped one, ORRERY_SCREEN the width of the screen instead of 1280.
func BenchmarkFrames(b *testing.B) {
	path, width, height := recording("list.orr"), 1280, 800
	if p := os.Getenv("ORRERY_RECORDING"); p != "" {
		path = p
	}
	if n, err := strconv.Atoi(os.Getenv("ORRERY_SCREEN")); err == nil {
		width, height = n, n*10/16
	}
	w := open(b, display(b, width, height), "--frame-log", "--theme", "dark", path)
	w.wait(0, "document-drawn", named("document-drawn"))
	w.rests(20 * time.Minute) // of a long recording everything is computed for the first time
	w.xdo("windowsize", "--sync", w.id, strconv.Itoa(width), strconv.Itoa(height))
	w.settled()
	// OpenGL in software compiles a shader for the first texture of a kind: 30 to 50 ms, once
	for _, tab := range []string{"6", "2", "7", "8", "9", "3"} {
		w.key(tab)
		w.settled()
	}
	var all []float64
	for _, c := range []struct {
		name string
		do   func(w *window)
	}{
		{"scrub", func(w *window) { w.sweep("timeline", 1) }},
		{"stretch", func(w *window) {
			w.xdo("keydown", "shift")
			w.sweep("timeline", 1)
			w.xdo("keyup", "shift")
			w.key("ctrl+z")
		}},
		{"play", func(w *window) {
			w.key("Home", "space")
			w.xdo("sleep", "2")
			w.key("space", "Home")
		}},
		{"point at all", func(w *window) {
			for _, p := range w.panes() {
				w.sweep(p.Slot, 0)
			}
		}},
		{"drag cycles", func(w *window) { w.sweep("cycles", 1) }},
		{"drag cache", func(w *window) { w.sweep("cache", 1) }},
		{"drag heap", func(w *window) { w.sweep("heap", 1) }},
		{"wheel cycles", wheeled("cycles")},
		{"wheel cache", wheeled("cache")},
		{"wheel heap", wheeled("heap")},
		{"wheel timeline", wheeled("timeline")},
		{"scroll source", wheeled("source", "explain")}, // where there is no source
		{"morph", func(w *window) {
			p := w.pane("gallery")
			y := p.Y + p.H - 14*w.scale()
			w.drag(p.X+p.W*0.85, y, p.X+p.W*0.3, y)
			w.drag(p.X+p.W*0.3, y, p.X+p.W*0.85, y)
		}},
		{"curve", tabbed("6", "curve")},
		{"table", tabbed("7", "table")},
		{"sites", tabbed("8", "sites")},
		{"flame", tabbed("9", "flame")},
	} {
		b.Run(c.name, func(b *testing.B) {
			w.t = b
			var cpu []float64
			var most, told string
			for b.Loop() {
				since := w.mark()
				c.do(w)
				w.settled()
				for _, e := range w.events()[since:] {
					if e.Name != "frame" {
						told += "\n" + e.Raw
						continue
					}
					if cpu = append(cpu, e.CPU); e.CPU == slices.Max(cpu) {
						most = told
					}
					told = ""
				}
			}
			all = append(all, cpu...)
			slices.Sort(cpu)
			if len(cpu) == 0 {
				b.Fatal("no frame was drawn")
			}
			b.ReportMetric(float64(len(cpu))/float64(b.N), "frames")
			b.ReportMetric(cpu[len(cpu)/2], "p50-ms")
			b.ReportMetric(cpu[len(cpu)*99/100], "p99-ms")
			b.ReportMetric(cpu[len(cpu)-1], "most-ms")
			b.ReportMetric(0, "ns/op")
			if cpu[len(cpu)-1] > 16 {
				b.Logf("in the longest frame:%s", most)
			}
		})
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() { // what was done above
		}
		if slices.Sort(all); len(all) > 0 {
			b.ReportMetric(float64(len(all)), "frames")
			b.ReportMetric(all[len(all)/2], "p50-ms")
			b.ReportMetric(all[len(all)*99/100], "p99-ms")
			b.ReportMetric(all[len(all)-1], "most-ms")
			b.ReportMetric(0, "ns/op")
		}
	})
	w.t = b
	w.quit()
}

// sweep moves the pointer over a pane at sixty moves a second, there and back, with a button down or none (0).
func (w *window) sweep(slot string, button int) {
	const moves = 120
	p := w.pane(slot)
	x, y := p.at(0.1, 0.5)
	args := []string{"mousemove", "--window", w.id, pixel(x), pixel(y), "sleep", "0.05"}
	if button > 0 {
		args = append(args, "mousedown", strconv.Itoa(button), "sleep", "0.05")
	}
	for i := range moves + 1 {
		f := 1 - abs(1-2*float64(i)/moves)
		x, y := p.at(0.1+0.8*f, 0.3+0.4*f)
		args = append(args, "mousemove", "--window", w.id, pixel(x), pixel(y), "sleep", "0.0166")
	}
	if button > 0 {
		args = append(args, "mouseup", strconv.Itoa(button))
	}
	w.xdo(args...)
}

func abs(x float64) float64 { return max(x, -x) }

// wheeled turns the wheel forth and back over the first of some panes that is seen.
func wheeled(slots ...string) func(w *window) {
	return func(w *window) {
		at := slices.IndexFunc(slots, func(s string) bool { _, ok := w.place(s); return ok })
		x, y := w.pane(slots[max(0, at)]).at(0.5, 0.5)
		w.move(x, y)
		for _, button := range []string{"4", "5"} {
			w.xdo("click", "--repeat", "20", "--delay", "33", button)
		}
	}
}

// tabbed shows a pane by its key and sweeps over it, points, turns the wheel.
func tabbed(key, slot string) func(w *window) {
	return func(w *window) {
		if _, ok := w.place(slot); !ok {
			w.key(key)
			w.settled()
		}
		w.sweep(slot, 0)
		wheeled(slot)(w)
	}
}

// place is where a pane lies, if it is seen.
func (w *window) place(slot string) (pane, bool) {
	for _, p := range w.panes() {
		if p.Slot == slot {
			return p, true
		}
	}
	return pane{}, false
}
