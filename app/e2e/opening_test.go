package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkOpening opens the shipped recordings one after the other, each until all its analyses are done, and closes
// them; an operation is one round through all. It tells what memory is left after the first round and after the last
// one, the most that the process ever had, and goroutines: with -benchtime 100x every recording is opened a hundred
// times. ORRERY_RECORDING is a pattern of the files to be opened instead.
func BenchmarkOpening(b *testing.B) {
	pattern := recording("*.orr")
	if p := os.Getenv("ORRERY_RECORDING"); p != "" {
		pattern = p
	}
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		b.Fatalf("no recordings at %s (%v)", pattern, err)
	}
	w := open(b, display(b, 1280, 800), "--theme", "dark")
	var first, last event
	for b.Loop() {
		last = w.round(paths)
		if first.Heap == 0 {
			first = last
		}
		b.Logf("after %d: heap %.1f MiB, %d goroutines, %s", len(paths), mebi(last.Heap), last.Routines, w.memory("VmRSS"))
	}
	b.ReportMetric(mebi(first.Heap), "first-heap-MiB")
	b.ReportMetric(mebi(last.Heap), "last-heap-MiB")
	b.ReportMetric(float64(last.Routines-first.Routines), "more-goroutines")
	b.Logf("at most %s", w.memory("VmHWM"))
	w.quit()
}

func mebi(n int64) float64 { return float64(n) / (1 << 20) }

// round opens and closes recordings one after the other and gives what is left after the last one.
func (w *window) round(paths []string) (left event) {
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			w.t.Fatal(err)
		}
		since := w.mark()
		w.drop(640, 400, abs)
		w.wait(since, "the recording drawn", named("document-drawn"))
		w.settled()
		w.key("ctrl+w")
		w.wait(since, "the recording closed", named("document-closed"))
		left = w.wait(since, "its memory", named("freed"))
	}
	return left
}

// memory is a line of the kernel's word on the process.
func (w *window) memory(what string) string {
	w.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.cmd.Process.Pid))
	if err != nil {
		w.fail(err.Error())
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, what+":"); ok {
			return what + " " + strings.TrimSpace(rest)
		}
	}
	w.fail("the kernel says nothing of " + what)
	return ""
}
