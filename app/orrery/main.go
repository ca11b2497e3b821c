// Command orrery shows how a program moves through memory. Without a subcommand it opens the desktop application;
// every analysis and picture is a subcommand that needs no display.
package main

import (
	"context"
	"fmt"
	"os"

	"orrery/app/cli"
	"orrery/app/graphs"
	"orrery/app/interrupt"
	"orrery/app/orrery/early"
	"orrery/app/recorder"
	"orrery/app/session"
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
		examples = append(examples, shell.Example{Name: e.Name, What: e.What, Path: e.Path()})
	}
	design := session.DesignExamplePath
	examples = append(examples, shell.Example{Name: "Motion-JPEG, a design space",
		What: session.DesignExampleWhat, Path: design})
	var tour []shell.Stop
	for _, s := range session.Tour() {
		path := design
		if s.File != "" {
			path = session.Example{File: s.File}.Path()
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
	return shell.Run(shell.Options{Open: open, Named: named, More: more, Files: files, Examples: examples, Tour: tour,
		EventLog: flags.EventLog, FrameLog: flags.FrameLog, Theme: flags.Theme, Version: cli.Version()})
}
