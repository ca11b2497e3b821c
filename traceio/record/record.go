// Package record makes recordings: it runs an unmodified Linux program under QEMU's user mode with a plugin of our own
// and streams every memory reference and allocation into an .orr file while the program runs. A program that was built
// with hooks (package hooks) runs without the emulator and writes to the same kind of ring.
//
//	program --fork--> child --exec--> another program         each under the emulator with the plugin
//	   |                |                  |
//	  ring             ring               ring                  memory shared with the recorder
//	   |                |                  |
//	 drain            drain              drain                  slots to blocks, drain.go
//	   |                |                  |
//	  sink             sink               sink                  to the file, sink.go
//	   |                |                  |
//	run.orr         run.2.orr          run.3.orr
package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"orrery/traceio/record/hooks"
)

// Options says what to run and what of it to keep.
type Options struct {
	Program string   // a path, or a name to be found in PATH
	Args    []string // without the program's name
	Name    string   // what the program gets as argument 0, "": Program
	Output  string   // "": the program's name with .orr in the current directory
	Dir     string   // the program's working directory, "": the current one
	Env     []string // the program's environment, nil: ours

	// Only restricts the references (not the allocations) to those made by the named code: "program" (the main
	// executable), "jit" (what is in no file, since the program made it), or names of functions, source files or
	// modules, in which * stands for any text and ? for a character. A name that the main executable has is not looked
	// for in libraries. Empty: everything, the C library and the loader included.
	Only []string
	// Maps is the directory with the perf maps of programs that make code themselves (perf-PID.map, as node
	// --perf-basic-prof writes it): they give names to that code. "": /tmp.
	Maps string

	// From, a function, has references recorded from its first call until that call returns. Where the return cannot
	// be seen (a tail call, a first call through the lazy linker) the recording goes on to the end.
	From    string
	MaxRefs uint64 // record no more references after so many data references of an image, but events to the end; 0: all
	// keep only so many data references at the end of each image's recording, and the events since then; 0: all
	KeepLast uint64
	Alone    bool // leave out the program's children

	// NoMappings leaves out of a recording of allocations what the program maps for itself, with mmap of no file.
	NoMappings bool

	// Keyboard says that ctx ends by an interrupt from the terminal, which the program gets as well. If the program
	// handles it itself, the recording goes on until it ends.
	Keyboard bool

	// Running, if not nil, is called once from a goroutine of Run's, when the file has its name and the program is
	// loaded: from then on the recording can be followed.
	Running func(path string)

	Stdin          io.Reader // nil: ours
	Stdout, Stderr io.Writer // nil: ours

	Say func(sentence string) // called with messages to the user while the recording goes on; may be nil
}

// Image is what was recorded of one process image: of the program, of a process that it forked, or of what one of these
// became by exec. Each has a file of its own.
type Image struct {
	Path    string
	PID     int
	Program string // argument 0
	// the file of the image that it was forked from, "" for one that began with an exec or whose parent has none
	Parent     string
	Forked     bool   // it began with a fork
	Refs       uint64 // data references in the file
	Allocs     uint64 // allocator events in the file
	Incomplete bool   // the file could not be written to its end
	Replaced   string // what the recording is called now that was at Path before, "" when there was none
}

// Result tells how a recording went. The embedded Image is the program's own first one.
type Result struct {
	Image
	Others      []Image // further images, in the order in which they began
	ExitCode    int     // the program's; 128 + signal when a signal ended it
	Signal      string  // the name of that signal, "" when none
	Elapsed     time.Duration
	GuestCPU    time.Duration // CPU of the program under the recorder
	Notes       []string      // sentences for the user: what is not in the recording, and why
	Interrupted bool          // ctx ended the program
	Started     bool          // the program has run, even where Run gives an error
}

// Run records opt.Program and its children until all have ended. A child that is forked and a program that one becomes
// by exec get files of their own: those of "run.orr" are run.2.orr, run.3.orr and so on, in the order in which they
// begin. report, which may be nil, is called from time to time with the data references so far and opt.MaxRefs. When
// ctx ends, the program is stopped, its children are let go and the files are closed properly: that is no error. The
// error is for a recording that could not be made; what became of the program is in the Result.
func Run(ctx context.Context, opt Options, report func(done, total int64)) (Result, error) {
	defer hearFileLimit()()
	path, err := checkProgram(opt.Program)
	if err != nil {
		return Result{}, err
	}
	if opt.KeepLast > 0 && opt.MaxRefs > 0 {
		return Result{},
			errors.New("the last references and the first ones cannot both be kept; choose --keep-last or --max-refs")
	}
	patterns, err := parsePatterns(opt.Only)
	if err != nil {
		return Result{}, err
	}
	var t tools
	native := hooks.BuiltWithHooks(path)
	if !native {
		cleanup := func() {}
		if t, cleanup, err = prepare(ctx); err != nil {
			return Result{}, err
		}
		defer cleanup()
	}
	out := opt.Output
	if out == "" {
		out = filepath.Base(path) + ".orr"
	}
	file, err := createOutput(ctx, out, path)
	if err != nil {
		return Result{}, err
	}
	defer file.discard()
	if opt.KeepLast > 0 && !file.regular {
		return Result{}, fmt.Errorf("%s is no file that could be written again, which keeping the last references needs", out)
	}
	s := &session{opt: opt, path: path, out: out, tools: t, native: native, patterns: patterns,
		first: file, report: report}
	err = s.record(ctx)
	return s.res, err
}
