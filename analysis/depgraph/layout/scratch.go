package layout

import (
	"sync"
	"unsafe"
)

// room is memory that a drawing needs only while it is made.
type scratch struct {
	arena
	buffer layerBuffer
	pass   siftPass
}

// arena hands out rows of values one after the other and takes them back together.
type arena struct {
	words []uint64
	used  int
}

// rooms are those no drawing is made in. What they hold changes nothing in a drawing.
var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// largest is how many words an arena keeps: much longer rows, of graphs with tens of thousands of nodes, are made and let go.
const mostKept = 1 << 20

// take gives a row of n zeros.
func take[T any](m *scratch, n int) []T {
	row := raw[T](m, n)
	clear(row)
	return row
}

// raw gives a row of n values, whatever they are.
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

// spare gives an empty row with room for n.
func spare[T any](m *scratch, n int) []T { return raw[T](m, n)[:0] }

// sum makes the ends of rows of their lengths.
func prefixSums(row []int32) {
	end := int32(0)
	for i, n := range row {
		end += n
		row[i] = end
	}
}

// sortBy sorts numbers by a key below keys, by counting; those of the same key stay in their order.
func countingSort(m *scratch, row []int32, keys int, key func(int32) int32) []int32 {
	end, out := take[int32](m, keys), raw[int32](m, len(row))
	for _, i := range row {
		end[key(i)]++
	}
	prefixSums(end)
	for k := len(row) - 1; k >= 0; k-- {
		at := &end[key(row[k])]
		*at--
		out[*at] = row[k]
	}
	return out
}

// back gives up what was handed out since before; if the arena has had to grow since, all it has was handed out later.
func (m *scratch) release(before arena) {
	if len(m.words) > 0 && len(before.words) > 0 && &m.words[0] == &before.words[0] {
		m.used = before.used
		return
	}
	m.used = 0
}
