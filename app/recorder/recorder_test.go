package recorder

import (
	"context"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"orrery/app/shell"
)

// heard is a window that only listens.
type heard struct {
	mu      sync.Mutex
	opened  []string
	notices []string
	faults  []string
	sheet   string
}

func (h *heard) host() shell.Host {
	keep := func(list *[]string) func(string) {
		return func(s string) {
			h.mu.Lock()
			defer h.mu.Unlock()
			*list = append(*list, s)
		}
	}
	return shell.Host{Notice: keep(&h.notices), Failure: keep(&h.faults), Open: keep(&h.opened), Ink: func() color.Color {
		return color.Black
	},
		Present: func(title string, _ fyne.CanvasObject, _ fyne.Size) { h.sheet = title }, Dismiss: func() { h.sheet = "" },
		Focus: func(fyne.Focusable) {}}
}

func (h *heard) said(part string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Contains(strings.Join(h.notices, "\n"), part)
}

// TestOrdersAreChecked: what cannot be recorded is refused in a sentence before anything is run.
func TestOrdersAreChecked(t *testing.T) {
	dir := t.TempDir()
	good := order{line: "ls -l 'my file'", dir: dir, what: references, only: "program, libc*", most: "1 000"}
	opt, err := good.options()
	if err != nil || opt.Program != "ls" || strings.Join(opt.Args, "|") != "-l|my file" ||
		strings.Join(opt.Only, "|") != "program|libc*" || opt.MaxRefs != 1000 || opt.Output != filepath.Join(dir, "ls.orr") {
		t.Errorf("%+v, %v", opt, err)
	}
	for want, change := range map[string]func(*order){
		"quote what belongs together": func(o *order) { o.line = "ls 'open" },
		"write the program":           func(o *order) { o.line = "  " },
		"no-such-program":             func(o *order) { o.line = "no-such-program 1" },
		"not a folder":                func(o *order) { o.dir = filepath.Join(dir, "none") },
		"whole number":                func(o *order) { o.most = "many" },
	} {
		o := good
		change(&o)
		if _, err := o.options(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}

// TestTheSheetBeginsWhereOrreryWasStarted: programs are beside the person who types their names.
func TestTheSheetBeginsWhereOrreryWasStarted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	t.Chdir(dir)
	var h heard
	if got := New(context.Background(), h.host()).last.dir; got != dir {
		t.Errorf("the folder is %s, want %s", got, dir)
	}
}

// TestRecordsFromTheSheet fills the sheet in, records, and stops a program that would run on for ever.
func TestRecordsFromTheSheet(t *testing.T) {
	test.NewTempApp(t)
	var h heard
	r := New(context.Background(), h.host())
	dir := t.TempDir()
	r.ask()
	if h.sheet == "" {
		t.Fatal("there is no sheet")
	}
	out := filepath.Join(dir, "run.orr")
	o := order{line: "sh -c 'while :; do :; done'", dir: dir, what: references, only: "program", out: out}
	opt, err := o.options()
	if err != nil {
		t.Fatal(err)
	}
	r.begin(opt, false)
	if !r.recording() {
		t.Error("nothing is being recorded")
	}
	r.begin(opt, false)
	if !h.said("is being recorded already") {
		t.Error("the same file is recorded into twice")
	}
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		h.mu.Lock()
		n := len(h.opened)
		h.mu.Unlock()
		if n > 0 {
			break
		}
		if time.Since(begun) > 2*time.Minute {
			t.Fatalf("the window did not hear of the recording: %q", h.notices)
		}
	}
	r.Close()
	if r.recording() || !h.said("The program was stopped") || len(h.opened) != 1 || h.opened[0] != out {
		t.Errorf("opened %q, notices %q", h.opened, h.notices)
	}
	if info, err := os.Stat(out); err != nil || info.Size() == 0 {
		t.Errorf("the recording: %v, %v", info, err)
	}
}

// TestAllocationsOnly records allocations and opens the file when the program has ended.
func TestAllocationsOnly(t *testing.T) {
	var h heard
	r := New(context.Background(), h.host())
	out := filepath.Join(t.TempDir(), "heap.orr")
	o := order{line: "sh -c 'echo told; exit 3'", dir: t.TempDir(), what: allocations, out: out}
	opt, err := o.options()
	if err != nil {
		t.Fatal(err)
	}
	r.begin(opt, true)
	r.over.Wait()
	if len(h.opened) != 1 || !h.said("exit code 3") || !h.said("It wrote: told") {
		t.Errorf("opened %q, notices %q", h.opened, h.notices)
	}
}

// TestFailuresAreErrors tells as an error that nothing was recorded.
func TestFailuresAreErrors(t *testing.T) {
	var h heard
	r := New(context.Background(), h.host())
	dir := t.TempDir()
	o := order{line: "sh -c 'exit 0'", dir: dir, what: allocations, out: filepath.Join(dir, "heap.orr")}
	opt, err := o.options()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(o.out, 0o755); err != nil { // what was free when it was asked for
		t.Fatal(err)
	}
	r.begin(opt, true)
	r.over.Wait()
	if len(h.opened) != 0 || len(h.faults) != 1 || !strings.HasPrefix(h.faults[0], "Nothing was recorded: ") {
		t.Errorf("opened %q, errors %q, notices %q", h.opened, h.faults, h.notices)
	}
}
