package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orrery/app/session"
	"orrery/traceio/record"
	"orrery/traceio/record/preload"
)

// recordFlags are the options of the command.
type recordFlags struct {
	opt                               record.Options
	live, heapOnly, count, regardless bool
	window                            DesktopFlags // with live
}

func recordCommand(s Streams, desktop Desktop) *cobra.Command {
	var f recordFlags
	c := &cobra.Command{
		Use:     "record [flags] -- PROGRAM [ARGUMENT...]",
		Short:   "record an unmodified program",
		Long:    recordLong,
		Example: recordExample,
		Args: func(c *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			return refuse(c.Flags(), applies{!f.heapOnly, "only from max-refs keep-last count",
				"to references, of which --heap-only records none"},
				applies{f.live, "event-log", "with --live"})
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.opt.Program, f.opt.Args = args[0], args[1:]
			return f.run(c.Context(), s, desktop)
		},
	}
	f.add(c)
	return c
}

const recordLong = `Record runs a program (Linux, x86-64, not rebuilt) and writes its memory references and allocations to a file. It needs Debian's
qemu-user and gcc. What has been recorded stays readable however the program ends.

The file is the user's alone (mode 0600): it has the program's arguments and source text. A recording that has its name already is kept
as run.orr.old; any other file of that name stays, and nothing is recorded.

The program's exit status becomes orrery's, 128 and the signal's number when a signal ended it. Orrery's own are 1, when no recording
could be made, and 3, when the program ended well and some of its recording could not be written, as on a full disk, or some of its processes
could not be recorded: how much is missing, and why, stands in the file (orrery info).

Under the emulator a few things are not as they are without: io_uring and seccomp filters are not to be had, and a program that is
set-user-ID runs as the user. When a program meets such a thing it is said, and stands in the file.

What the program forks, and what it or its children become by exec, is recorded too, each in a file of its own: beside run.orr
there will be run.2.orr, run.3.orr and so on, in the order in which they began. The recording ends when all have ended, or
with Ctrl-C; a child that still lives then runs on unrecorded. What a long recording holds is counted when it is opened first; with
--count it is when the program is done, which takes about three times as long as recording did, and then the window opens it at
once (see orrery result-cache).

--only and --from keep a long recording small and a fast program fast, --max-refs keeps its beginning, --keep-last its end,
which is what led up to a crash. --only jit is code that is in no file, as V8 makes it of JavaScript: with
node --perf-basic-prof its functions have names (as has code of any program that writes /tmp/perf-PID.map), and with node --trace-turbo
--trace-turbo-filter=FUNCTION the graph of one opens beside the recording (File, Graphs of this program) and gives it lines. Functions,
files and modules go by their whole names, in which * and ? match; a stripped program has none but those of its modules, and main for --from.

--only, --from and --max-refs concern references: allocations and threads are recorded from beginning to end. --keep-last leaves out blocks
and threads that were over before the references that it keeps.

--heap-only leaves the emulator out: the program runs by itself with a wrapper around its allocator, which logs every call with
its stack, and needs nothing but gcc. Memory that the program maps for itself (mmap of no file) counts as allocated, too, unless
--no-mappings is given. Where the disk has no room for the beginning of a log the program is not run. If orrery is killed, what was
logged becomes the recording at once, and the program runs on unrecorded. What is linked statically or changes its user cannot be recorded
this way; the end of the recording tells of it. A program that shuts itself in with a seccomp filter is recorded, for the wrapper then asks
nothing of the system and orrery makes room in its log; what it starts under the filter is left alone, and counted.`

const recordExample = `  orrery record -- ls -l
  orrery record --only program -o sort.orr -- sort testdata/record.sh
  orrery record --only 'libc*' -- ls -l
  orrery record --only malloc --only free --max-refs 1000000 -- ls -l
  gcc -g -o bubble testdata/programs/bubble.c && orrery record --only bubble.c -- ./bubble shuffled
  orrery record --from main -- sort testdata/record.sh
  orrery record --keep-last 1000000 -- sort testdata/record.sh
  orrery record -o build.orr -- sh -c 'ls -l; date'
  orrery record --no-children -- sh -c 'ls -l; date'
  orrery record --count -- sort testdata/record.sh
  orrery record --heap-only -- sort testdata/record.sh
  orrery record --heap-only --no-mappings -- sort testdata/record.sh
  orrery record --live -- sort testdata/record.sh
  orrery record --live --heap-only -- sort testdata/record.sh`

func (f *recordFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.SetInterspersed(false)
	flags.StringVarP(&f.opt.Output, "output", "o", "", "the file to write (default: the program's name with .orr)")
	flags.StringArrayVar(&f.opt.Only, "only", nil,
		`record only references made by this code: "program", "jit" (code that the program makes), a function, source file or module (* and ? match, may be repeated)`)
	flags.StringVar(&f.opt.From, "from", "", "record only from the first call of this function until it returns")
	flags.Uint64Var(&f.opt.MaxRefs, "max-refs", 0,
		"record no more references after so many of a file (allocations and threads go on, and the program)")
	flags.Uint64Var(&f.opt.KeepLast, "keep-last", 0,
		"keep only the last so many references of a file; disk and memory stay bounded")
	flags.BoolVar(&f.opt.Alone, "no-children", false, "do not record what the program forks and becomes by exec")
	flags.BoolVar(&f.heapOnly, "heap-only", false,
		"record allocations with their call stacks and no references, at nearly the program's own speed")
	flags.BoolVar(&f.opt.NoMappings, "no-mappings", false, "with --heap-only: leave out what the program maps with mmap")
	flags.BoolVar(&f.count, "count", false,
		"when a long recording is done, count what it holds, so that the window opens it at once")
	// what orrery cc's programs ask for: by exec they have left themselves no way back
	flags.BoolVar(&f.regardless, "regardless", false, "run the program although it cannot be recorded")
	flags.StringVar(&f.opt.Name, "as", "", "the program's argument 0")
	_, _ = flags.MarkHidden("regardless"), flags.MarkHidden("as")
	flags.BoolVar(&f.live, "live", false, "open the window on the recording while it is made")
	flags.StringVar(&f.window.EventLog, "event-log", "",
		"with --live: append what happens in the window to this file, a JSON object a line")
}

func (f *recordFlags) check(args []string) error {
	switch {
	case len(args) == 0:
		return usagef("name the program to record after --")
	case f.opt.NoMappings && !f.heapOnly:
		return usagef("--no-mappings is for --heap-only: with references, only what the allocator is asked for is recorded")
	case f.regardless && f.heapOnly:
		return usagef("--regardless is not for --heap-only")
	case f.live && f.opt.KeepLast > 0:
		return usagef("--live shows a recording from its beginning, which --keep-last throws away; choose one")
	}
	return nil
}

func (f *recordFlags) run(ctx context.Context, s Streams, desktop Desktop) error {
	opt := f.opt
	opt.Stdin, opt.Stdout, opt.Stderr = s.In, raw(s.Out), raw(s.Err)
	opt.Keyboard = true
	opt.Say = func(sentence string) { fmt.Fprintf(s.Err, "orrery: %s\n", sentence) }
	// The program may write to the terminal too, so no progress line: the result is told at the end.
	run := recorder(record.Run)
	if f.heapOnly {
		run = preload.Run
	}
	run = inOrder(run)
	if f.live {
		run = inWindow(s, desktop, f.window, run)
	}
	result, err := run(ctx, opt, nil)
	if err != nil && f.regardless {
		return runRegardless(s, opt, result, err)
	}
	if err != nil {
		return err
	}
	tellRecorded(s, result)
	if f.count {
		countRecorded(ctx, s, result)
	}
	if result.ExitCode != 0 {
		return exitError{result.ExitCode}
	}
	if result.Incomplete || slices.ContainsFunc(result.Others, func(i record.Image) bool { return i.Incomplete }) {
		return errPartial
	}
	return nil
}

// runRegardless runs the program by itself after its recording has failed, unless it has run: either way its status is
// the command's.
func runRegardless(s Streams, opt record.Options, r record.Result, why error) error {
	if r.Started {
		fmt.Fprintf(s.Err, "orrery: %v; the program has run\n", why)
		return exitError{r.ExitCode}
	}
	fmt.Fprintf(s.Err, "orrery: %v; the program runs without being recorded\n", why)
	return record.ExecUnrecorded(opt)
}

// longRefs is from how many references on the first opening of a recording takes longer than the second.
const longRefs = 8 << 20

// countRecorded counts what long recordings hold, so that they open at once.
func countRecorded(ctx context.Context, s Streams, r record.Result) {
	p := newProgress(s.Err, "counting")
	defer p.Done()
	for _, i := range append([]record.Image{r.Image}, r.Others...) {
		if ctx.Err() == nil && i.Refs >= longRefs {
			_ = session.CountFile(ctx, i.Path, nil, p.Report) // nothing is lost but time
		}
	}
}

func tellRecorded(s Streams, r record.Result) {
	for _, n := range r.Notes {
		fmt.Fprintf(s.Err, "orrery: %s\n", strings.TrimSuffix(n, "."))
	}
	if r.Signal != "" {
		fmt.Fprintf(s.Err, "orrery: the program was ended by %s\n", r.Signal)
	}
	fmt.Fprintf(s.Err, "orrery: %s in %s; open it with: orrery %s\n", contents(r.Image), r.Path, r.Path)
	for _, i := range r.Others {
		how := "begun by exec"
		switch {
		case i.Parent != "":
			how = "forked from " + i.Parent
		case i.Forked:
			how = "forked"
		}
		fmt.Fprintf(s.Err, "orrery: %s of process %d, %s, %s, in %s\n", contents(i), i.PID, i.Program, how, i.Path)
	}
}

// contents says what is in a recording.
func contents(i record.Image) string {
	if i.Refs == 0 && i.Allocs > 0 {
		return fmt.Sprintf("%d allocator events", i.Allocs)
	}
	return fmt.Sprintf("%d references and %d allocator events", i.Refs, i.Allocs)
}
