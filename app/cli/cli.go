// Package cli is the command line: every analysis and every picture without a display. Each command loads a recording
// through app/session, computes with the packages of analysis, and prints for people or, with --json, for programs.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"orrery/app/session"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// The exit statuses of every command.
const (
	Done    = 0
	Failed  = 1
	Usage   = 2
	Partial = 3 // done, but part of the input was unusable, and that was told
)

// errPartial ends a command whose work is done although part of its input was unusable.
var errPartial = errors.New("part of the input was unusable")

// usageError marks an error as a wrong use of the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exitError ends the command with the status of the program that it ran.
type exitError struct{ status int }

func (e exitError) Error() string { return fmt.Sprintf("the program ended with status %d", e.status) }

// Streams are where a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Desktop opens the application's window on the files named. ctx ends when the process is asked to.
type Desktop func(ctx context.Context, files []string, flags DesktopFlags) error

// DesktopFlags are the options of the desktop application.
type DesktopFlags struct {
	EventLog string
	FrameLog bool
	Theme    string
}

// Main runs one command line (without the program's name) and returns its exit status. Errors are printed on s.Err as
// one sentence.
func Main(ctx context.Context, args []string, s Streams, desktop Desktop) int {
	s, flush := s.legibly()
	defer flush()
	root := newRoot(s, desktop)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	var usage usageError
	var exit exitError
	switch {
	case err == nil:
		return Done
	case errors.Is(err, errPartial):
		return Partial
	case errors.As(err, &exit):
		return exit.status
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(s.Err, "orrery: stopped")
		return Failed
	case errors.As(err, &usage):
		fmt.Fprintf(s.Err, "orrery: %s; see %s --help\n", oneLine(err), commandPath(root, args))
		return Usage
	}
	fmt.Fprintf(s.Err, "orrery: %s\n", oneLine(err))
	return Failed
}

// oneLine is an error's sentence on one line, whatever names of a file it has in it.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", `\n`) }

func commandPath(root *cobra.Command, args []string) string {
	if c, _, err := root.Find(args); err == nil {
		return c.CommandPath()
	}
	return root.CommandPath()
}

func newRoot(s Streams, desktop Desktop) *cobra.Command {
	var flags DesktopFlags
	root := &cobra.Command{
		Use:   "orrery [FILE...]",
		Short: "See how a program moves through memory",
		Long: `Orrery shows how a program moves through memory: the cycles in its references, the caches at work and the heap over time,
from one recording of a real run. Without a command it opens the desktop application.`,
		Example: `  orrery record --only program -- ls -l    # record a program
  orrery ls.orr                            # open the recording
  orrery work.orrery                       # go on where a session was saved
  orrery cache ls.orr                      # the same analyses on the command line
  orrery motion-jpeg                       # a design space, the built-in example`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, files []string) error {
			for _, f := range files {
				if _, err := os.Stat(f); err != nil && !strings.ContainsAny(f, "./") && f != session.DesignExample {
					return usagef("%q is neither a command nor a file", f)
				}
			}
			return desktop(c.Context(), files, flags)
		},
	}
	root.Flags().StringVar(&flags.Theme, "theme", "", "dark or light (default: as it was left)")
	root.Flags().StringVar(&flags.EventLog, "event-log", "",
		"append what happens in the window to this file, a JSON object a line")
	root.Flags().BoolVar(&flags.FrameLog, "frame-log", false,
		"with --event-log: also the processor time of the interface's thread, frame by frame")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.Version = Version()
	root.SetVersionTemplate(versionLine() + "\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	root.AddCommand(infoCommand(s), cyclesCommand(s), cacheCommand(s), heapCommand(s), graphCommand(s), designsCommand(s),
		formerSearch(s), findingsCommand(s), renderCommand(s), filmCommand(s), recordCommand(s, desktop), ccCommand(),
		convertCommand(s), exportCommand(s), resultCacheCommand(s))
	return root
}

// flagError says what is wrong with a flag without the names of the functions that found out.
func flagError(err error) error {
	text, _, numeric := strings.Cut(err.Error(), ": strconv.")
	switch {
	case numeric && errors.Is(err, strconv.ErrRange):
		return usagef("%s: it is out of range", text)
	case numeric:
		return usagef("%s: it is no number of the kind that the flag takes", text)
	}
	return usageError{err}
}

// oneFile is the argument rule of commands that take one file.
func oneFile(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("%s takes one file, got %d", c.CommandPath(), len(args))
	}
	if args[0] == "" {
		return usagef("the name of the file is empty")
	}
	return nil
}
