package heaplog

import (
	"bytes"
	"math/bits"

	"orrery/traceio"
)

// action is what a function of the C or C++ library does with the heap.
type action uint8

const (
	nothing    action = iota
	allocate          // (size ...)
	allocateN         // (count, size ...)
	reallocate        // (old, size ...)
	alignedly         // (alignment, size ...)
	storing           // (where, alignment, size ...): posix_memalign
	release           // (block ...)
)

// actionOf knows functions by their names in the symbol table: operators new are _Znw and _Zna with what follows,
// operators delete _Zdl and _Zda.
func actionOf(name []byte) action {
	switch string(name) {
	case "malloc", "valloc", "pvalloc":
		return allocate
	case "calloc":
		return allocateN
	case "realloc":
		return reallocate
	case "memalign", "aligned_alloc":
		return alignedly
	case "posix_memalign":
		return storing
	case "free", "cfree", "free_sized", "free_aligned_sized":
		return release
	}
	if len(name) > 4 && bytes.HasPrefix(name, []byte("_Z")) {
		switch string(name[2:4]) {
		case "nw", "na":
			return allocate
		case "dl", "da":
			return release
		}
	}
	return nothing
}

// call is one call as a tool prints it: "calloc(3, 7)".
type call struct {
	name []byte
	args [3]uint64
	n    int // arguments that were read
}

// parseCall reads "NAME(ARGUMENT, ...". Arguments may have a word in front ("size 128"), "al" names an alignment. What
// stands behind the call is given back; ok is false for what is no call. The first argument that is not a number ends
// the reading of arguments.
func parseCall(s []byte) (c call, rest []byte, ok bool) {
	open := bytes.IndexByte(s, '(')
	if open <= 0 || !identifier(s[:open]) {
		return c, s, false
	}
	c.name = s[:open]
	s = s[open+1:]
	alignment := false
	for c.n < len(c.args) {
		s = bytes.TrimLeft(s, " ")
		word := s
		if i := bytes.IndexAny(s, ",) <"); i >= 0 {
			word = s[:i]
		}
		if string(word) == "size" || string(word) == "al" {
			alignment = alignment || c.n == 1 && string(word) == "al"
			s = s[len(word):]
			continue
		}
		x, isNumber := signed(word, integer)
		if !isNumber {
			break
		}
		c.args[c.n] = x
		c.n++
		s = s[len(word):]
		if len(s) == 0 || s[0] != ',' {
			break
		}
		s = s[1:]
	}
	if alignment {
		c.n = 1 // "size 128, al 64" is a call with one size
	}
	return c, s, true
}

func identifier(s []byte) bool {
	for i, ch := range s {
		if !(ch == '_' || ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || i > 0 && ch >= '0' && ch <= '9') {
			return false
		}
	}
	return len(s) > 0
}

// times is how many bytes so many elements have. A product beyond 64 bits stays too large for any block, and a negative
// factor makes a negative size.
func times(n, size uint64) uint64 {
	high, product := bits.Mul64(n, size)
	switch {
	case high == 0:
		return product
	case (n|size)>>63 != 0:
		return 1 << 63
	}
	return 1<<63 - 1
}

// perform notes what a call with its result did; at tells thread and stack. It is false when the call's arguments were
// not understood.
func (l *log) perform(c *call, result uint64, at traceio.Alloc) bool {
	do := actionOf(c.name)
	need := map[action]int{allocate: 1, allocateN: 2, reallocate: 2, alignedly: 2, storing: 3, release: 1}[do]
	if c.n < need {
		return false
	}
	at.Addr = traceio.Addr(result)
	switch do {
	case allocate:
		at.Size = c.args[0]
	case allocateN:
		at.Size = times(c.args[0], c.args[1])
	case alignedly:
		at.Size = c.args[1]
	case storing:
		l.used++
		if result == 0 {
			l.lose(lostAddress)
		}
		return true
	case release:
		at.Addr = traceio.Addr(c.args[0])
		l.freed(at)
		return true
	case reallocate:
		old := at
		old.Latency = 0 // the call answers once
		old.Addr = traceio.Addr(c.args[0])
		if result != 0 || c.args[1] == 0 { // a refused one leaves the old block alone
			l.freed(old)
		}
		at.Size = c.args[1]
	default:
		return true
	}
	l.made(at)
	return true
}
