package layout

import (
	"sync"
	"unsafe"
)

// scratch is memory that a drawing needs only while it is made, so that a small graph is drawn in the memory of the one
// before it and allocates little more than its result.
type scratch struct {
	arena
	buffer layerBuffer
	pass   siftPass
}

// arena hands out rows of values without pointers, one after the other, and takes them back together: "defer
// p.release(p.arena)" gives back what was handed out since.
type arena struct {
	words []uint64
	used  int
}

// scratchPool holds scratch that no drawing uses at the moment. What is left in it changes nothing in a drawing.
var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// mostKept is how many words an arena keeps. Much longer rows, for tens of thousands of nodes, are allocated and
// dropped.
const mostKept = 1 << 20

// take gives a row of n zeros.
func take[T any](m *scratch, n int) []T {
	row := raw[T](m, n)
	clear(row)
	return row
}

// raw gives a row of n values that may be anything. T must have no pointers: the garbage collector sees only words.
func raw[T any](m *scratch, n int) []T {
	if n == 0 {
		return nil
	}
	var t T
	words := (n*int(unsafe.Sizeof(t)) + 7) / 8
	if m.used+words > len(m.words) {
		if words > mostKept/4 {
			return make([]T, n)
		}
		m.words, m.used = make([]uint64, min(max(2*len(m.words), 4*words, 4096), mostKept)), 0
	}
	row := unsafe.Slice((*T)(unsafe.Pointer(&m.words[m.used])), n)
	m.used += words
	return row
}

// spare gives an empty row with a capacity of n.
func spare[T any](m *scratch, n int) []T { return raw[T](m, n)[:0] }

// prefixSums replaces lengths of rows by their ends.
func prefixSums(row []int32) {
	end := int32(0)
	for i, n := range row {
		end += n
		row[i] = end
	}
}

// countingSort sorts numbers by key[number], a value below keys; equal ones keep their order.
func countingSort(m *scratch, row []int32, keys int, key []int32) []int32 {
	end, out := take[int32](m, keys), raw[int32](m, len(row))
	for _, i := range row {
		end[key[i]]++
	}
	prefixSums(end)
	for k := len(row) - 1; k >= 0; k-- {
		i := row[k]
		at := &end[key[i]]
		*at--
		out[*at] = i
	}
	return out
}

// release gives back what was handed out since the arena was as before. If it has grown since, all it has is newer.
func (m *scratch) release(before arena) {
	if len(m.words) > 0 && len(before.words) > 0 && &m.words[0] == &before.words[0] {
		m.used = before.used
		return
	}
	m.used = 0
}
