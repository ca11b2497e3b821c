// Package recordings holds the recordings that ship with the program, made by testdata/record.sh from the sources in
// testdata/programs.
package recordings

import "embed"

// Files has every recording as NAME.orr.
//
//go:embed *.orr
var Files embed.FS
