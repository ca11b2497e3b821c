package heaplog

import (
	"io"

	"orrery/traceio"
)

// formats are the logs that this package reads.
var formats = []struct {
	name  string
	sniff func(head []byte) bool
	open  func(r io.Reader, name string) traceio.Source
}{
	{"mtrace", SniffMtrace, NewMtrace},
	{"heaptrack", SniffHeaptrack, NewHeaptrack},
	{"valgrind", SniffValgrind, NewValgrind},
	{"ltrace", SniffLtrace, NewLtrace},
}

// Detect gives a reader for the allocation log whose first bytes are head, with the format's name: "mtrace",
// "heaptrack", "valgrind" or "ltrace". The source is nil when head begins none.
func Detect(r io.Reader, head []byte, name string) (src traceio.Source, format string) {
	for _, f := range formats {
		if f.sniff(head) {
			return f.open(r, name), f.name
		}
	}
	return nil, ""
}
