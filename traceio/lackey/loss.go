package lackey

import (
	"fmt"

	"orrery/traceio"
)

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
	kinds
)

var kindNames = [kinds]string{
	"", "other-text", "bad-address", "bad-size", "long-line", "cut-line", "too-many-threads",
}

var kindWhys = [kinds]string{
	"",
	"lines that are neither references nor valgrind's, such as output of the program itself; record with --log-file to keep them apart",
	"references whose address is not a hexadecimal number below 2^64",
	"references whose size is not a number of bytes from 1 to 65535",
	"lines longer than 64 KiB",
	"a last line that ends in the middle, as when the file was cut",
	"threads beyond the 65536th, counted as the last one",
}

// losses counts unusable lines by kind.
type losses struct {
	count   [kinds]uint64
	first   [kinds]uint64
	tailErr error
	tailAt  int64
}

func (l *losses) add(k badness, line uint64) {
	if l.count[k] == 0 {
		l.first[k] = line
	}
	l.count[k]++
}

// tail notes that the bytes ended with an error at a byte offset of the decompressed text.
func (l *losses) tail(err error, at int64) {
	if l.tailErr == nil {
		l.tailErr, l.tailAt = err, at
	}
}

func (l *losses) list() []traceio.Loss {
	var out []traceio.Loss
	for k := otherText; k < kinds; k++ {
		if l.count[k] > 0 {
			out = append(out, traceio.Loss{
				Kind: kindNames[k], Count: l.count[k], Why: kindWhys[k], First: fmt.Sprintf("line %d", l.first[k]),
			})
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
