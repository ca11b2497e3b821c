// Command orrery shows how a program moves through memory. Without a subcommand it opens the desktop application;
// every analysis and picture is a subcommand that needs no display.
package main

import (
	"context"
	"fmt"
	"os"

	"orrery/app/cli"
	"orrery/app/interrupt"
	"orrery/app/orrery/early"
	"orrery/app/recorder"
	"orrery/app/session"
	"orrery/app/session/graphs"
	"orrery/app/shell"
)

func main() {
	early.Done()
	ctx, stop := interrupt.Context(func() {
		fmt.Fprintln(os.Stderr, "orrery: stopped")
		os.Exit(cli.Failed)
	})
	status := cli.Main(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, desktop)
	stop()
	os.Exit(status)
}

// desktop opens the window on the files named. When ctx ends, so do the recordings that are made in it.
func desktop(ctx context.Context, files []string, flags cli.DesktopFlags) error {
	var examples []shell.Example
	for _, e := range session.Examples() {
		path, err := session.UnpackExample(e.File)
		if err != nil {
			return err
		}
		examples = append(examples, shell.Example{Name: e.Name, What: e.What, Path: path})
	}
	examples = append(examples, shell.Example{Name: "Motion-JPEG, a design space", What: session.DesignExampleWhat, Path: session.DesignExample})
	var tour []shell.Stop
	for _, s := range session.Tour() {
		path := session.DesignExample
		if s.File != "" {
			var err error
			if path, err = session.UnpackExample(s.File); err != nil {
				return err
			}
		}
		tour = append(tour, shell.Stop{Path: path, Pane: shell.Slot(s.Pane), Title: s.Title, Look: s.Look, Paper: s.Paper})
	}
	var recording *recorder.Recorder
	defer func() {
		if recording != nil {
			recording.Close()
		}
	}()
	more := func(host shell.Host) []shell.Command {
		recording = recorder.New(ctx, host)
		return append(recording.Commands(), graphs.Commands(host)...)
	}
	return shell.Run(shell.Options{Open: open, More: more, Files: files, Examples: examples, Tour: tour, EventLog: flags.EventLog, FrameLog: flags.FrameLog, Theme: flags.Theme, Version: cli.Version()})
}
