package main

import (
	"context"

	"orrery/app/session/designspace"
	"orrery/app/session/document"
	"orrery/app/session/graphs"
	"orrery/app/shell"
)

// open opens a file by its content: a table of designs as a design space, a compiler's graphs as graphs, everything else as a
// recording.
func open(ctx context.Context, path string, host shell.Host) (shell.Document, error) {
	if designspace.Is(path) {
		return designspace.Open(ctx, path, host)
	}
	if address, ok := graphs.Listens(path); ok {
		return graphs.Listen(ctx, address, host)
	}
	if graphs.Is(path) {
		return graphs.Open(ctx, path, host)
	}
	return document.Open(ctx, path, host)
}
