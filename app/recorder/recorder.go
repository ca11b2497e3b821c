// Package recorder records programs from inside the window: a sheet says what to run and what of it to keep, the
// recording is shown while it is made, and stopped when the user has seen enough.
package recorder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mattn/go-shellwords"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"orrery/app/form"
	"orrery/app/interrupt"
	"orrery/app/output"
	"orrery/app/shell"
	"orrery/traceio/record"
	"orrery/traceio/record/preload"
	"orrery/views/words"
)

// Recorder is the command that opens the sheet, and the recordings under way. They are no jobs of the window's engine,
// so that Escape, which cancels those, ends no program of the user's.
type Recorder struct {
	ctx  context.Context // ends when the process is asked to end, and every recording with it
	host shell.Host
	last order // what the sheet said before

	mu   sync.Mutex
	live map[string]context.CancelFunc // by output
	over sync.WaitGroup
}

// New records for a window, until ctx ends.
func New(ctx context.Context, host shell.Host) *Recorder {
	return &Recorder{ctx: ctx, host: host, live: map[string]context.CancelFunc{},
		last: order{dir: output.Working(), what: references}}
}

// Commands are to record and to stop.
func (r *Recorder) Commands() []shell.Command {
	return []shell.Command{
		{ID: "record.program", Title: "Record a program…", Menu: "Record", Keys: "Ctrl+R", Run: r.ask},
		{ID: "record.stop", Title: "Stop recording", Menu: "Record", Keys: "Ctrl+Shift+R", Run: r.stop, Enabled: r.recording},
	}
}

// What is recorded.
const (
	references  = "references and allocations"
	allocations = "allocations only, at nearly the program's own speed"
)

// order is what the sheet says.
type order struct {
	line, dir, what, only, from, most, out string
}

// options reads an order. The error is a sentence for the user.
func (o order) options() (opt record.Options, err error) {
	list, err := shellwords.Parse(o.line)
	switch {
	case err != nil:
		return opt, fmt.Errorf("the command cannot be read (%w); quote what belongs together, as in a shell", err)
	case len(list) == 0:
		return opt, errors.New("write the program to record and its arguments, for example: ls -l /usr/bin")
	}
	opt.Program, opt.Args, opt.Dir, opt.From = list[0], list[1:], o.dir, strings.TrimSpace(o.from)
	if strings.Contains(opt.Program, "/") && !filepath.IsAbs(opt.Program) {
		opt.Program = filepath.Join(o.dir, opt.Program)
	}
	if _, err := record.FindProgram(opt.Program); err != nil {
		return opt, err
	}
	if info, err := os.Stat(o.dir); err != nil || !info.IsDir() {
		return opt, fmt.Errorf("%s is not a folder; the program needs one to run in", o.dir)
	}
	opt.Only = strings.Fields(strings.ReplaceAll(o.only, ",", " "))
	if text := strings.TrimSpace(o.most); text != "" {
		if opt.MaxRefs, err = strconv.ParseUint(strings.ReplaceAll(text, " ", ""), 10, 62); err != nil {
			return opt, fmt.Errorf("at most %q references cannot be; write a whole number, or nothing for all", text)
		}
	}
	if opt.Output = strings.TrimSpace(o.out); opt.Output == "" {
		opt.Output = filepath.Join(o.dir, filepath.Base(opt.Program)+".orr")
	} else if !filepath.IsAbs(opt.Output) {
		opt.Output = filepath.Join(o.dir, opt.Output)
	}
	return opt, record.Replaceable(opt.Output)
}

// sheet is the form while it is open.
type sheet struct {
	r     *Recorder
	grid  *form.Grid
	texts map[string]*form.Entry
	what  *form.Choice
	apply *form.Action
	said  *widget.Label
	known order // the last one that check found recordable
	asked order // the one whose Record was pressed before check was done
	opt   record.Options
}

// ask opens the sheet with what it said last.
func (r *Recorder) ask() {
	f := &sheet{r: r, grid: form.NewGrid(), texts: map[string]*form.Entry{}, said: form.Said("")}
	o, ink := r.last, r.host.Ink()
	f.what = form.NewChoice([]string{references, allocations}, o.what, func(string) { f.check() }, f.use, r.host.Dismiss)
	f.apply = form.NewAction("Record", f.use, r.host.Dismiss)
	f.apply.Importance = widget.HighImportance
	f.grid.Line("command", f.text("line", o.line), 430,
		"the program and its arguments, as in a shell: ./sort 'my file' 1000", ink)
	f.grid.Line("folder", f.text("dir", o.dir), 430, "in which it runs", ink)
	f.grid.Line("what", f.what, 430, "", ink)
	f.grid.Line("only code", f.text("only", o.only), 190, "program, functions, files, libraries; nothing: all", ink)
	f.grid.Line("from", f.text("from", o.from), 190, "a function: recorded from its call until it returns", ink)
	f.grid.Line("at most", f.text("most", o.most), 190, "references; nothing: all", ink)
	f.grid.Line("file", f.text("out", o.out), 430, "nothing: the program's name with .orr, in the folder", ink)
	bottom := container.NewBorder(nil, nil, nil,
		container.NewHBox(form.NewAction("Cancel", r.host.Dismiss, r.host.Dismiss), f.apply), f.said)
	r.host.Present("Record a program", container.NewBorder(nil, bottom, nil, nil, f.grid.Box), fyne.NewSize(620, 450))
	r.host.Focus(f.texts["line"])
	f.check()
}

func (f *sheet) text(key, text string) *form.Entry {
	f.texts[key] = form.NewEntry(text, func(string) { f.check() }, f.use, f.r.host.Dismiss)
	return f.texts[key]
}

func (f *sheet) order() order {
	t := func(key string) string { return f.texts[key].Text }
	return order{t("line"), t("dir"), f.what.Selected, t("only"), t("from"), t("most"), t("out")}
}

// check says what is wrong with the form, or where the recording will be.
func (f *sheet) check() {
	if len(f.texts) < 6 { // being built
		return
	}
	o := f.order()
	there := false
	shell.Background(&f.r.host, "record", "looking for the program", func() (record.Options, error) {
		opt, err := o.options()
		if _, missing := os.Stat(opt.Output); missing == nil {
			there = true
		}
		return opt, err
	}, func(opt record.Options, err error) {
		if o == f.order() {
			f.show(o, opt, there, err)
		}
	})
}

// show says what check has found.
func (f *sheet) show(o order, opt record.Options, there bool, err error) {
	f.known, f.opt = o, opt
	f.said.Importance = widget.MediumImportance
	switch {
	case err != nil:
		f.known = order{}
		f.said.SetText(words.Sentence(err.Error()))
		if o.line != "" {
			f.said.Importance = widget.DangerImportance
		}
		f.apply.Disable()
		f.said.Refresh()
		return
	case o.what == allocations && (len(opt.Only) > 0 || opt.From != "" || opt.MaxRefs > 0):
		f.said.SetText("Of allocations all are recorded; only code, from and at most are for references.")
	default:
		text := "Into " + opt.Output
		if there {
			text += "; the recording that is there now will be called " + filepath.Base(opt.Output) + record.KeptEnding
		}
		f.said.SetText(text)
	}
	f.apply.Enable()
	if f.asked == o {
		f.use()
	}
}

// use begins to record.
func (f *sheet) use() {
	f.asked = f.order()
	if o := f.asked; o == f.known {
		f.r.last = o
		f.r.host.Dismiss()
		f.r.begin(f.opt, o.what == allocations)
	}
}

// begin records in the background. With references the window opens the file as soon as there is something to follow.
func (r *Recorder) begin(opt record.Options, heap bool) {
	ctx, cancel := context.WithCancel(r.ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live[opt.Output] != nil {
		cancel()
		r.host.Notice(opt.Output + " is being recorded already; choose another file, or stop that recording first.")
		return
	}
	r.live[opt.Output] = cancel
	var said tail
	var opened atomic.Bool
	opt.Stdin, opt.Stdout, opt.Stderr = bytes.NewReader(nil), &said, &said
	opt.Say = func(s string) { r.host.Notice(words.Sentence(s)) }
	run := preload.Run
	if !heap {
		run = record.Run
		opt.Running = func(path string) {
			opened.Store(true)
			r.host.Open(path)
		}
	}
	r.host.Notice("Recording " + opt.Program + ". Record > Stop recording ends it.")
	r.over.Add(1)
	go func() {
		defer r.over.Done()
		defer interrupt.Hold(ctx)() // until the file is whole
		defer cancel()
		result, err := run(ctx, opt, nil)
		r.mu.Lock()
		delete(r.live, opt.Output)
		r.mu.Unlock()
		if err != nil {
			r.host.Failed("Nothing was recorded: " + err.Error())
			return
		}
		for _, n := range result.Notes {
			r.host.Notice(words.Sentence(n))
		}
		r.host.Notice(endingText(result, said.String()))
		if !opened.Load() {
			r.host.Open(result.Path)
		}
	}()
}

// recording reports whether there is something to stop.
func (r *Recorder) recording() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.live) > 0
}

// stop ends the programs that are being recorded; what was recorded stays.
func (r *Recorder) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, cancel := range r.live {
		cancel()
	}
}

// Close stops what is being recorded and waits until the files are whole.
func (r *Recorder) Close() {
	r.stop()
	r.over.Wait()
}

// endingText says how a recording ended.
func endingText(r record.Result, said string) string {
	end := "The program has ended"
	switch {
	case r.Interrupted:
		end = "The program was stopped"
	case r.Signal != "":
		end = "The program was ended by " + r.Signal
	case r.ExitCode != 0:
		end = fmt.Sprintf("The program has ended with exit code %d", r.ExitCode)
	}
	text := fmt.Sprintf("%s: %s references and %s allocator events are in %s", end, words.Count(r.Refs),
		words.Count(r.Allocs), r.Path)
	if len(r.Others) > 0 {
		text += fmt.Sprintf(" and, of its children, in %d files beside it", len(r.Others))
	}
	if said = strings.TrimSpace(said); said != "" {
		text += ". It wrote: " + said
	}
	return text
}

// tail is the end of what a program writes; it may write from several goroutines.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// mostOutput is how much of it is kept.
const mostOutput = 300

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - mostOutput; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.text), "")
}
