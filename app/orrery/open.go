package main

import (
	"context"

	"orrery/app/designs"
	"orrery/app/graphs"
	"orrery/app/recording"
	"orrery/app/session"
	"orrery/app/shell"
)

// named tells whether a path means a document that is no file, and gives the name by which a session knows it: an
// example that is in the program, or the compilers that send their graphs to the usual address. To listen anywhere else
// nobody but the user asks.
func named(path string) (name string, ok bool) {
	if name, ok := session.Builtin(path); ok {
		return name, true
	}
	return path, path == graphs.Usual
}

// open opens a file by its content: a table of designs as a design space, a compiler's graphs as graphs, everything
// else as a recording.
func open(ctx context.Context, path string, host shell.Host) (shell.Document, error) {
	path, err := session.Unpack(path)
	if err != nil {
		return nil, err
	}
	if designs.Is(path) {
		return designs.Open(ctx, path, host)
	}
	if address, ok := graphs.Listens(path); ok {
		return graphs.Listen(ctx, address, host)
	}
	if graphs.Is(path) {
		return graphs.Open(ctx, path, host)
	}
	return recording.Open(ctx, path, host)
}
