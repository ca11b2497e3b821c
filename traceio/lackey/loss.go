package lackey

import "orrery/traceio"

// badness says why a line cannot be used.
type badness int

const (
	fine badness = iota
	otherText
	badAddress
	badSize
	longLine
	cutLine
	manyThreads
)

// kinds describes them.
var kinds = []traceio.LossKind{
	otherText: {Name: "other-text", Why: "lines that are neither references nor valgrind's, such as output of the " +
		"program itself; record with --log-file to keep them apart"},
	badAddress:  {Name: "bad-address", Why: "references whose address is not a hexadecimal number below 2^64"},
	badSize:     {Name: "bad-size", Why: "references whose size is not a number of bytes from 1 to 65535"},
	longLine:    {Name: "long-line", Why: "lines longer than 64 KiB"},
	cutLine:     {Name: "cut-line", Why: "a last line that ends in the middle, as when the file was cut"},
	manyThreads: {Name: "too-many-threads", Why: "threads beyond the 65536th, counted as the last one"},
}
