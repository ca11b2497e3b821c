package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"orrery/app/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := cli.Main(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, func([]string, cli.DesktopFlags) error { return errors.New("no desktop yet") })
	stop()
	os.Exit(status)
}
