// Package early holds the standard logger back while other packages are initialised: Fyne complains there about
// locales like C.UTF-8, before main runs and whatever the command, and a command's standard error belongs to its own
// sentences.
//
// It works because Go initialises packages in order of their import paths as soon as what they import is ready: Fyne's
// package imports text/template, which comes after this one. A test of package main's standard error holds that.
package early

import (
	"io"
	"log"
	"os"
)

func init() { log.SetOutput(io.Discard) }

// Done gives the logger its voice back.
func Done() { log.SetOutput(os.Stderr) }
