// Package shell is the window: header, docks, transport, status line, command registry, dialogs and keys. It knows no
// analysis: it hosts the views of a Document (app/session makes them), moves the document's time cursor while playing
// and keeps all panes in step. Run opens the window and returns when it is closed.
package shell
