package heaplog

import "orrery/traceio"

// kind says why a line, or a part of it, cannot be used.
type kind int

const (
	otherText kind = iota
	badNumber
	badStack
	halfRealloc
	lostAddress
	unfinished
	otherProcess
	inherited
	longLine
	manyThreads
	cutLine
)

// kinds describes them.
var kinds = []traceio.LossKind{
	otherText:   {Name: "other-text", Why: "lines that are no part of the log, such as output of the program itself"},
	badNumber:   {Name: "bad-number", Why: "events whose address or size is not a number; was the file cut or edited?"},
	badStack:    {Name: "bad-stack", Why: "events whose call stack the log has not described; their callers are unknown"},
	halfRealloc: {Name: "half-realloc", Why: "reallocations of which the log has only one half; that half is used"},
	lostAddress: {Name: "lost-address",
		Why: "aligned blocks whose address the log does not tell; their later frees look like frees of unknown addresses"},
	unfinished: {Name: "unfinished-call",
		Why: "calls whose end is not in the log, or that end without having begun; the missing half is not used"},
	otherProcess: {Name: "other-process",
		Why: "events of processes beyond the 32768th; give each process a log of its own"},
	inherited: {Name: "inherited",
		Why: "frees and reallocations of blocks that a forked process has from its parent; the parent's own are all there"},
	longLine: {Name: "long-line", Why: "lines longer than 64 KiB"},
	cutLine: {Name: "cut-line",
		Why: "a last line without its end, as when the file was cut; it is not used, for nobody can tell what is missing"},
	manyThreads: {Name: "too-many-threads", Why: "threads beyond the 65536th, counted as the last one"},
}
