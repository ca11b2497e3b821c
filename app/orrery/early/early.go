// Package early holds the standard logger back while other packages are initialised: Fyne complains there about
// locales like C.UTF-8, before main runs and whatever the command, and a command's standard error belongs to its own
// sentences.
//
// It works because Go initialises packages in order of their import paths as soon as what they import is ready: the
// package imports text/template, which comes after this one. The test in its neighbour's command line holds
// on to that.
package early

import (
	"io"
	"log"
	"os"
)

func init() { log.SetOutput(io.Discard) }

// Done gives the logger its voice back.
func Done() { log.SetOutput(os.Stderr) }
