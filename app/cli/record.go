package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"orrery/traceio/record"
)

func recordCommand(s Streams, desktop Desktop) *cobra.Command {
	var opt record.Options
	var live bool
	var flags DesktopFlags
	c := &cobra.Command{
		Use:   "record [flags] -- PROGRAM [ARGUMENT...]",
		Short: "record an unmodified program",
		Long: `Record runs a program (Linux, x86-64, not rebuilt) and writes its memory references and allocations to a file. It needs Debian's
qemu-user and gcc. The program's exit status becomes orrery's; what has been recorded stays readable however the program ends.`,
		Example: `  orrery record -- ls -l
  orrery record --only program -o sort.orr -- sort testdata/record.sh
  orrery record --only malloc --only free --max-refs 1000000 -- ls -l
  orrery record --live -- sort testdata/record.sh`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the program to record after --")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			opt.Program, opt.Args = args[0], args[1:]
			opt.Stdin, opt.Stdout, opt.Stderr = s.In, s.Out, s.Err
			// The program may write to the terminal too, so no progress line: the result is told at the end.
			run := record.Run
			if live {
				run = inWindow(s, desktop, flags)
			}
			result, err := run(c.Context(), opt, nil)
			if err != nil {
				return err
			}
			tellRecorded(s, result)
			if result.ExitCode != 0 {
				return exitError{result.ExitCode}
			}
			if result.Incomplete {
				return errPartial
			}
			return nil
		},
	}
	c.Flags().SetInterspersed(false)
	c.Flags().StringVarP(&opt.Output, "output", "o", "", "the file to write (default: the program's name with .orr)")
	c.Flags().StringArrayVar(&opt.Only, "only", nil, `record only references made by this code: "program", a function, source file or module (* and ? match, may be repeated)`)
	c.Flags().StringVar(&opt.From, "from", "", "record from the first call of this function until it returns")
	c.Flags().Uint64Var(&opt.MaxRefs, "max-refs", 0, "stop recording (not the program) after so many references")
	c.Flags().BoolVar(&live, "live", false, "open the window on the recording while it is made")
	c.Flags().StringVar(&flags.EventLog, "event-log", "", "with --live: append what happens in the window to this file, a JSON object a line")
	return c
}

func tellRecorded(s Streams, r record.Result) {
	for _, n := range r.Notes {
		fmt.Fprintf(s.Err, "orrery: %s\n", strings.TrimSuffix(n, "."))
	}
	if r.Signal != "" {
		fmt.Fprintf(s.Err, "orrery: the program was ended by %s\n", r.Signal)
	}
	fmt.Fprintf(s.Err, "orrery: %d references and %d allocator events in %s; open it with: orrery %s\n", r.Refs, r.Allocs, r.Path, r.Path)
}
