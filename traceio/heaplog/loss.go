package heaplog

import (
	"fmt"

	"orrery/traceio"
)

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
	longLine
	manyThreads
	kinds
)

var kindNames = [kinds]string{
	"other-text", "bad-number", "bad-stack", "half-realloc", "lost-address", "unfinished-call", "other-process", "long-line", "too-many-threads",
}

var kindWhys = [kinds]string{
	"lines that are no part of the log, such as output of the program itself",
	"events whose address or size is not a number; was the file cut or edited?",
	"events whose call stack the log has not described; their callers are unknown",
	"reallocations of which the log has only one half; that half is used",
	"aligned blocks whose address the log does not tell; their later frees look like frees of unknown addresses",
	"calls whose end is not in the log, or that end without having begun; the missing half is not used",
	"events of processes other than the first, whose addresses are others; give each process a log of its own",
	"lines longer than 64 KiB",
	"threads beyond the 65536th, counted as the last one",
}

// losses counts what cannot be used, by kind.
type losses struct {
	count   [kinds]uint64
	first   [kinds]uint64
	tailErr error
	tailAt  int64
}

func (l *losses) add(k kind, line uint64) {
	if l.count[k] == 0 {
		l.first[k] = line
	}
	l.count[k]++
}

// tail notes that the bytes ended with an error at a byte offset of the decompressed text.
func (l *losses) tail(err error, at int64) { l.tailErr, l.tailAt = err, at }

func (l *losses) list() []traceio.Loss {
	var out []traceio.Loss
	for k, n := range l.count {
		if n > 0 {
			out = append(out, traceio.Loss{Kind: kindNames[k], Count: n, Why: kindWhys[k], First: fmt.Sprintf("line %d", l.first[k])})
		}
	}
	if l.tailErr != nil {
		out = append(out, traceio.Loss{
			Kind: "unreadable-tail", Count: 1, First: fmt.Sprintf("byte %d", l.tailAt),
			Why: fmt.Sprintf("the rest of the file cannot be read (%v); was it cut?", l.tailErr),
		})
	}
	return out
}
